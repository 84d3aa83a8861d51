import type { Socket } from 'node:net';
import type { PrimarySettings } from './settings.ts';

type Times = Pick<PrimarySettings, 'idleMs' | 'messageMs'>;

/** Reads a socket so many octets at a time. What is not asked for stays with the kernel, but for a little. */
export class Inlet {
  readonly #socket: Socket;
  #wake = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    // These listeners stay: a stream may forget to tell one that comes and goes.
    for (const event of ['readable', 'end', 'close']) socket.on(event, () => this.#wake());
  }

  /** So many octets; undefined if the client has ended, or they have not come within the time. */
  async read(count: number, ms: number): Promise<Buffer | undefined> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, ms);
    try {
      while (!isLate && !this.isOver) {
        const chunk: Buffer | null = this.#socket.read(count);
        if (chunk !== null) return chunk.length === count ? chunk : undefined;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether nothing more can come. */
  get isOver(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }
}

/**
 * The messages that a client sends over TCP (RFC 1035 section 4.2.2), one after another, until it ends or lets a time pass.
 */
export async function* messagesOf(socket: Socket, { idleMs, messageMs }: Times): AsyncGenerator<Buffer> {
  const inlet = new Inlet(socket);
  for (;;) {
    const head = await inlet.read(2, idleMs);
    if (head === undefined) return;
    const length = head.readUInt16BE(0);
    // A stream never hands out 0 octets.
    if (length === 0) return;
    const message = await inlet.read(length, messageMs);
    if (message === undefined) return;
    yield message;
  }
}
