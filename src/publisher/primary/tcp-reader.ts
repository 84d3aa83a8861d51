import type { Socket } from 'node:net';
import type { PrimarySettings } from './settings.ts';

type Times = Pick<PrimarySettings, 'idleMs' | 'messageMs'>;

/** Reads a given number of octets from a socket at a time. All but a small buffer of the rest stays in the kernel. */
export class TcpReader {
  readonly #socket: Socket;
  #wake = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    // Keep these listeners: a stream may not notify a listener that is added and removed for each read.
    for (const event of ['readable', 'end', 'close']) socket.on(event, () => this.#wake());
  }

  /** Reads `count` octets; undefined if the client closes its side or they do not arrive within `ms` milliseconds. */
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

  /** True if no more data can arrive. */
  get isOver(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }
}

/** Yields the messages that a client sends over TCP (RFC 1035 section 4.2.2), until it closes its side or times out. */
export async function* messagesOf(socket: Socket, { idleMs, messageMs }: Times): AsyncGenerator<Buffer> {
  const inlet = new TcpReader(socket);
  for (;;) {
    const head = await inlet.read(2, idleMs);
    if (head === undefined) return;
    const length = head.readUInt16BE(0);
    // read() never returns 0 octets.
    if (length === 0) return;
    const message = await inlet.read(length, messageMs);
    if (message === undefined) return;
    yield message;
  }
}
