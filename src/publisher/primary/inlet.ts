import type { Socket } from 'node:net';
import type { PrimarySettings } from './settings.ts';

type Times = Pick<PrimarySettings, 'idleMs' | 'messageMs'>;

/** Waits until a socket may have more to read; false if the time is over. */
function moreToRead(socket: Socket, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasMore: boolean) => () => {
      clearTimeout(timer);
      for (const event of EVENTS) socket.off(event, came);
      resolve(hasMore);
    };
    const came = end(true);
    const timer = setTimeout(end(false), ms);
    for (const event of EVENTS) socket.on(event, came);
  });
}
const EVENTS = ['readable', 'end', 'close'] as const;

const isOver = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

/** So many octets; undefined if the client has ended, or they have not come within the time. */
async function read(socket: Socket, count: number, ms: number): Promise<Buffer | undefined> {
  const until = performance.now() + ms;
  while (!isOver(socket)) {
    const chunk: Buffer | null = socket.read(count);
    if (chunk !== null) return chunk.length === count ? chunk : undefined;
    if (isOver(socket)) break;
    if (!(await moreToRead(socket, Math.max(0, until - performance.now())))) return undefined;
  }
  return undefined;
}

/**
 * The messages that a client sends over TCP (RFC 1035 section 4.2.2), one after another, until it ends or lets a time pass. What
 * is not asked for yet stays with the kernel.
 */
export async function* messagesOf(socket: Socket, { idleMs, messageMs }: Times): AsyncGenerator<Buffer> {
  for (;;) {
    const head = await read(socket, 2, idleMs);
    if (head === undefined) return;
    const length = head.readUInt16BE(0);
    if (length === 0) return;
    const message = await read(socket, length, messageMs);
    if (message === undefined) return;
    yield message;
  }
}
