import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { Sender } from '../../src/webhooks/sender.ts';
import { certificateFor } from '../support/certificate.ts';
import { receiverAt, SECRET } from '../support/deliveries.ts';
import { until } from '../support/eventually.ts';
import { answering, startReceiver, type TestReceiver } from '../support/receiver.ts';

const MESSAGE = { id: 'one', body: '{"specversion":"1.0","type":"org.zonewarden.zone.created","data":{}}' };
const never = new AbortController().signal;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function receiving(tls?: { key: string; cert: string }): Promise<TestReceiver> {
  const receiver = await startReceiver(tls);
  ends.push(() => receiver.kill());
  return receiver;
}

function senderTo(url: string, more: Parameters<typeof receiverAt>[1] = {}): Sender {
  const sender = new Sender(receiverAt(url, more));
  ends.push(() => sender.close());
  return sender;
}

/** A server that says what it is told to say, and what it hears. */
async function rawServer(answer: (socket: Socket) => void): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, sockets };
}

describe('a request', () => {
  it('is a signed CloudEvent in structured mode, and the connection is kept for the next one', async () => {
    const receiver = await receiving();
    const ports = new Set<number | undefined>();
    receiver.manner = (response, _heard, request) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200).end('thank you');
    };
    const sender = senderTo(receiver.url);
    for (const id of ['one', 'two', 'three'])
      expect(await sender.send({ ...MESSAGE, id }, never)).toEqual({ kind: 'taken' });
    expect(ports.size).toBe(1);
    for (const { id, headers, body } of receiver.heard) {
      expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
      expect(headers.host).toBe(`127.0.0.1:${receiver.port}`);
      expect(headers['webhook-id']).toBe(id);
      new Webhook(SECRET).verify(body, headers as Record<string, string>);
    }
  });

  it.each([200, 201, 204, 299])('is taken with %i', async (status) => {
    const receiver = await receiving();
    receiver.manner = answering(status);
    expect(await senderTo(receiver.url).send(MESSAGE, never)).toEqual({ kind: 'taken' });
  });

  it.each([301, 302, 307, 308])('that is answered %i has failed: nothing is followed', async (status) => {
    const other = await receiving();
    const receiver = await receiving();
    receiver.manner = answering(status, { location: other.url });
    const outcome = await senderTo(receiver.url).send(MESSAGE, never);
    expect(outcome).toEqual({ kind: 'failed', reason: `the receiver answered ${status}`, retryAfterMs: 0 });
    expect(other.heard).toEqual([]);
  });

  it.each([400, 401, 404, 429, 500, 503])('that is answered %i has failed', async (status) => {
    const receiver = await receiving();
    receiver.manner = answering(status, { 'retry-after': '7' });
    const outcome = await senderTo(receiver.url).send(MESSAGE, never);
    expect(outcome).toEqual({
      kind: 'failed',
      reason: `the receiver answered ${status}`,
      retryAfterMs: 7000,
    });
  });

  it('is told by a date, too, how long to wait, and by nothing else', async () => {
    const receiver = await receiving();
    const sender = senderTo(receiver.url);
    const waits = [];
    for (const text of [
      new Date(Date.now() + 60_000).toUTCString(),
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'soon',
      '-1',
    ]) {
      receiver.manner = answering(503, { 'retry-after': text });
      const outcome = await sender.send(MESSAGE, never);
      waits.push(outcome.kind === 'failed' && outcome.retryAfterMs);
    }
    expect(waits.slice(1)).toEqual([0, 0, 0]);
    expect(waits[0]).toBeGreaterThan(1000);
    expect(waits[0]).toBeLessThanOrEqual(60_000);
  });

  it('that is answered 410 is the last one', async () => {
    const receiver = await receiving();
    receiver.manner = answering(410);
    expect(await senderTo(receiver.url).send(MESSAGE, never)).toEqual({
      kind: 'gone',
      reason: 'the receiver answered 410',
    });
  });

  it('fails where nobody listens, and where a name does not exist', async () => {
    const receiver = await receiving();
    await receiver.kill();
    expect(await senderTo(receiver.url).send(MESSAGE, never)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await senderTo('https://nobody.invalid/').send(MESSAGE, never)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('nobody.invalid'),
    });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['never answers', () => {}],
    ['stops within the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: ')],
    ['stops within the body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')],
    [
      'sends its answer byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n');
        const timer = setInterval(() => socket.write('a'), 5);
        socket.once('close', () => clearInterval(timer));
      },
    ],
  ])('ends after its time where a receiver %s, with its connection', async (_what, answer) => {
    const { port, sockets } = await rawServer(answer);
    const sender = senderTo(`http://127.0.0.1:${port}/`, { timeoutMs: 300 });
    expect(await sender.send(MESSAGE, never)).toEqual({
      kind: 'failed',
      reason: 'no complete response within 0.3 s',
      retryAfterMs: 0,
    });
    await until(() => expect(sockets.size).toBe(0));
  });

  it('fails where the connection is cut before the answer, or within it', async () => {
    for (const part of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc']) {
      const { port } = await rawServer((socket) => socket.end(part));
      const outcome = await senderTo(`http://127.0.0.1:${port}/`).send(MESSAGE, never);
      expect(outcome).toMatchObject({ kind: 'failed', retryAfterMs: 0 });
    }
  });

  it('reads no more than 64 KiB of an answer, and counts its status', async () => {
    let written = 0;
    const { port, sockets } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) written += 0x4000;
      };
      socket.on('drain', more);
      more();
    });
    expect(await senderTo(`http://127.0.0.1:${port}/`).send(MESSAGE, never)).toEqual({ kind: 'taken' });
    await until(() => expect(sockets.size).toBe(0));
    // What lay in the buffers of the system was written, too.
    expect(written).toBeLessThan(64 * 2 ** 20);
  });

  it.each<[string, string, string | RegExp]>([
    ['an answer of HTTP/1.0 as any other', 'HTTP/1.0 204 No Content\r\n\r\n', 'taken'],
    ['an answer without a length that ends with the connection', 'HTTP/1.0 200 OK\r\n\r\nthank you', 'taken'],
    [
      'what comes before the answer as nothing',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      'taken',
    ],
    [
      'another protocol as a failure',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'the server switched to another protocol',
    ],
    [
      'headers of 64 KiB as a failure',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`,
      /Header overflow/,
    ],
    [
      'ten thousand headers as a failure',
      `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}\r\n`,
      /Header overflow/,
    ],
    ['what is no HTTP as a failure', 'SSH-2.0-OpenSSH_9.2\r\n', /Parse Error/],
    [
      'a status of its own as a failure',
      'HTTP/1.1 999 Own\r\nContent-Length: 0\r\n\r\n',
      'the receiver answered 999',
    ],
    [
      'two lengths as a failure',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      /Parse Error/,
    ],
  ])('takes %s', async (_what, answer, expected) => {
    const { port, sockets } = await rawServer((socket) => socket.end(answer));
    const outcome = await senderTo(`http://127.0.0.1:${port}/`).send(MESSAGE, never);
    if (expected === 'taken') expect(outcome).toEqual({ kind: 'taken' });
    else
      expect(outcome).toEqual({
        kind: 'failed',
        reason: typeof expected === 'string' ? expected : expect.stringMatching(expected),
        retryAfterMs: 0,
      });
    await until(() => expect(sockets.size).toBe(0));
  });

  it('ends after its time where a receiver says again and again that it goes on', async () => {
    const { port, sockets } = await rawServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)), 1);
      socket.once('close', () => clearInterval(timer));
    });
    const outcome = await senderTo(`http://127.0.0.1:${port}/`, { timeoutMs: 300 }).send(MESSAGE, never);
    expect(outcome).toMatchObject({ reason: 'no complete response within 0.3 s' });
    await until(() => expect(sockets.size).toBe(0));
  });

  it('is sent again at once where the receiver has closed the connection that was kept', async () => {
    const receiver = await receiving();
    const sender = senderTo(receiver.url);
    expect(await sender.send(MESSAGE, never)).toEqual({ kind: 'taken' });
    let cuts = 1;
    receiver.manner = (response, _heard, request) => {
      if (cuts-- > 0) request.socket.destroy();
      else response.writeHead(204).end();
    };
    expect(await sender.send(MESSAGE, never)).toEqual({ kind: 'taken' });
  });
});

describe('the address that is connected to', () => {
  it('is none of this machine, a private network or a link, by address or by name', async () => {
    const receiver = await receiving();
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
      const sender = senderTo(`http://${host}:${receiver.port}/`, { allowPrivate: false });
      expect(await sender.send(MESSAGE, never)).toMatchObject({
        kind: 'failed',
        reason: expect.stringContaining('is not a public address: set allow_private'),
      });
    }
    expect(receiver.heard).toEqual([]);
  });

  it('is found by name where it is allowed, with the name in Host', async () => {
    const receiver = await receiving();
    const url = `http://localhost:${receiver.port}/hook`;
    expect(await senderTo(url).send(MESSAGE, never)).toEqual({ kind: 'taken' });
    expect(receiver.heard[0]!.headers.host).toBe(`localhost:${receiver.port}`);
  });
});

describe('TLS', () => {
  it('needs a certificate for the name of the receiver, by an authority that is known', async () => {
    const known = certificateFor('localhost');
    const receiver = await receiving(known);
    const url = `https://localhost:${receiver.port}/hook`;
    expect(await senderTo(url, { ca: known.cert }).send(MESSAGE, never)).toEqual({ kind: 'taken' });
    const unknown = await senderTo(url).send(MESSAGE, never);
    expect(unknown).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/self.signed/) });
    const address = await senderTo(receiver.url, { ca: known.cert }).send(MESSAGE, never);
    expect(address).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining("not in the cert's list"),
    });
    expect(receiver.heard).toHaveLength(1);
  });
});

it('ends a request when it is told to', async () => {
  const { port } = await rawServer(() => {});
  const stop = new AbortController();
  const sent = senderTo(`http://127.0.0.1:${port}/`).send(
    { id: 'x', body: randomBytes(9).toString('hex') },
    stop.signal,
  );
  stop.abort();
  expect(await sent).toMatchObject({ kind: 'failed' });
});
