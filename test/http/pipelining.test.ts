import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenServer, openServer } from '../../src/http/server.ts';

const COUNT = 500;

let server: OpenServer;
beforeEach(async () => {
  server = await openServer({
    host: '127.0.0.1',
    port: 0,
    maxHeaderSize: 16_384,
    maxConnections: 10,
    requestTimeout: 60_000,
    sendTimeout: 60_000,
    keepAliveTimeout: 60_000,
  });
});
afterEach(() => server.drain());

it('handles the requests of one connection one after another, and answers all of them in their order', async () => {
  let handled = 0;
  let most = 0;
  server.serve((request, response) => {
    handled += 1;
    most = Math.max(most, handled);
    request.resume();
    request.once('end', () => {
      setImmediate(() => {
        handled -= 1;
        response.end(`<${request.url}>`);
      });
    });
  });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const requests = Array.from({ length: COUNT }, (_, at) =>
    at % 3 === 0
      ? `POST /${at} HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`
      : `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`,
  );
  socket.write(requests.join(''));
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  while (!text.includes(`</${COUNT - 1}>`)) await once(socket, 'data');
  expect([...text.matchAll(/<\/(\d+)>/g)].map(([, at]) => Number(at))).toEqual(
    Array.from({ length: COUNT }, (_, at) => at),
  );
  expect(most).toBe(1);
  socket.destroy();
});

it('handles nothing more of a connection that has gone away', async () => {
  let handled = 0;
  const first = new Promise<void>((resolve) => {
    server.serve((_request, response) => {
      handled += 1;
      response.once('close', resolve);
    });
  });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10));
  await once(socket, 'ready').catch(() => {});
  const other = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(other, 'connect');
  while (handled === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.resetAndDestroy();
  await first;
  expect(handled).toBe(1);
  other.destroy();
});
