import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenServer, openServer } from '../../src/http/edge/server.ts';
import { until } from '../support/eventually.ts';
import { SERVER_SETTINGS } from '../support/server-settings.ts';

const COUNT = 500;

let server: OpenServer;
beforeEach(async () => {
  server = await openServer(SERVER_SETTINGS);
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

/** Opens a connection, sends a text, and gathers what comes. */
function open(text: string) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const received = { text: '' };
  socket.setEncoding('utf8').on('data', (part: string) => {
    received.text += part;
  });
  socket.write(text);
  return { socket, received };
}

/** Answers with the path, `/held` only when the function that is returned is called. */
function serveHeld(): () => void {
  let release = () => {};
  server.serve((request, response) => {
    request.resume();
    if (request.url === '/held') release = () => response.end('held');
    else request.once('end', () => response.end(`<${request.url}>`));
  });
  return () => release();
}

/** Waits until the service has read whatever was sent to it before. */
async function settled(): Promise<void> {
  const later = open('GET /later HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(() => expect(later.received.text).toContain('</later>'));
}

it('serves a head that came late while the connection waited for an answer, and refuses it once it is idle', async () => {
  await server.drain();
  server = await openServer({ ...SERVER_SETTINGS, headerTimeout: 500 });
  const release = serveHeld();
  const held = open('GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /late HTTP/1.1\r\n');
  // Its head is late after that of the other one.
  const witness = open('GET /half HTTP/1.1\r\n');
  await once(witness.socket, 'close');
  expect(witness.received.text).toContain('408');
  held.socket.write('Host: a\r\n\r\n');
  await settled();
  release();
  await until(() => expect(held.received.text).toContain('</late>'));
  expect(held.received.text).not.toContain('408');
  held.socket.write('GET /half HTTP/1.1\r\n');
  await once(held.socket, 'close');
  expect(held.received.text).toContain('408');
});

it('gives a body its time from when it is its turn', async () => {
  await server.drain();
  server = await openServer({ ...SERVER_SETTINGS, requestTimeout: 500 });
  const release = serveHeld();
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n`;
  const held = open(`GET /held HTTP/1.1\r\nHost: a\r\n\r\n${head('/behind')}`);
  await settled();
  const witness = open(head('/late'));
  await once(witness.socket, 'close');
  expect(witness.received.text).toContain('408');
  held.socket.write('body');
  await settled();
  release();
  await until(() => expect(held.received.text).toContain('</behind>'));
  expect(held.received.text).not.toContain('408');
});
