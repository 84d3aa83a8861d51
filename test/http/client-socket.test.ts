import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { text as allOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientSocket } from '../../src/http/edge/client-socket.ts';
import { until } from '../support/eventually.ts';

let server: Server;
beforeEach(async () => {
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
});

interface Ends {
  readonly client: Socket;
  readonly socket: ClientSocket;
}

/** Both ends of a new connection. */
async function open(): Promise<Ends> {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [accepted] = (await once(server, 'connection')) as [Socket];
  return { client, socket: new ClientSocket(accepted) };
}

it('reads one piece at most once it is held, and the rest in order when it is released', async () => {
  const { client, socket } = await open();
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    socket.hold();
    // As Node's parser does at the end of each request.
    socket.resume();
  });
  client.end(sent);
  await until(() => expect(socket.bytesRead).toBeGreaterThanOrEqual(65_536));
  expect(pieces).toHaveLength(1);
  const ended = once(socket, 'end');
  let read = 0;
  while (read < sent.length) {
    await until(() => expect(pieces.length).toBeGreaterThan(0));
    expect(pieces).toHaveLength(1);
    const [piece] = pieces.splice(0);
    expect(piece!.length).toBeLessThanOrEqual(4096);
    expect(piece!.equals(sent.subarray(read, read + piece!.length))).toBe(true);
    read += piece!.length;
    socket.release();
  }
  await ended;
  socket.destroy();
  client.destroy();
});

type Step = (ends: Ends) => unknown;

const STEPS = {
  hold: ({ socket }) => socket.hold(),
  release: ({ socket }) => socket.release(),
  pause: ({ socket }) => socket.pause(),
  resume: ({ socket }) => socket.resume(),
  wait: () => new Promise(setImmediate),
} satisfies Readonly<Record<string, Step>>;

const text = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 30_000 }))
  .map(([letter, size]) => letter.repeat(size));
const step = fc.oneof(
  fc.record({ send: text }),
  fc.record({ answer: text }),
  fc.constantFrom(...Object.values(STEPS)),
);

it('passes on what is sent in both directions, whenever it is held, paused or half closed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const ends = await open();
      const { client, socket } = ends;
      const answers = allOf(client);
      let received = '';
      socket.setEncoding('latin1').on('data', (piece: string) => {
        received += piece;
      });
      const ended = once(socket, 'end');
      for (const one of steps) {
        if (typeof one === 'function') await one(ends);
        else if ('send' in one) client.write(one.send);
        else socket.write(one.answer);
      }
      client.end();
      socket.release();
      socket.resume();
      await ended;
      expect(received).toBe(textOf(steps, 'send'));
      socket.end();
      expect(await answers).toBe(textOf(steps, 'answer'));
    }),
    { numRuns: 30 },
  );
});

/** What all steps of the kind send. */
function textOf(steps: readonly object[], kind: string): string {
  return steps.map((one) => (one as Readonly<Record<string, string>>)[kind] ?? '').join('');
}

it('closes when the client has gone, or when it is destroyed, and tells errors and time-outs', async () => {
  const gone = await open();
  const error = once(gone.socket.resume(), 'error');
  gone.client.resetAndDestroy();
  expect(await error).toMatchObject([{ code: 'ECONNRESET' }]);
  const late = await open();
  const timeout = once(late.socket, 'timeout');
  late.socket.setTimeout(1);
  await timeout;
  const ended = once(late.client.resume(), 'close');
  late.socket.destroySoon();
  await ended;
  expect(late.socket.destroyed).toBe(true);
});
