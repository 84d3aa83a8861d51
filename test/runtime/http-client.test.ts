/** The client for Keystone, Designate and the receivers of webhooks, against real servers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient, type HttpClientSettings, type HttpRequest } from '../../src/runtime/http-client.ts';
import { certificateFor } from '../support/certificate.ts';

const servers: Server[] = [];
const clients: HttpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const LOCAL: HttpClientSettings['lookup'] = (_host, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function serve(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(answer))}/`;
}

function send(url: string, given: Partial<HttpRequest> = {}, settings: Partial<HttpClientSettings> = {}) {
  const client = new HttpClient({ keepAlive: false, ...settings });
  clients.push(client);
  const signal = AbortSignal.timeout(60_000);
  return client.send({ method: 'GET', url, headers: {}, signal, ...given });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

describe('a request', () => {
  it('is sent with its method, headers and body, and its response is read', async () => {
    const url = await serve(async (request, response) => {
      const { method, headers } = request;
      const seen = { method, type: headers['content-type'], length: headers['content-length'] };
      response
        .writeHead(201, { 'x-seen': 'yes' })
        .end(JSON.stringify({ ...seen, body: await textOf(request) }));
    });
    const response = await send(url, { method: 'POST', headers: { 'content-type': 'a/b' }, body: 'ä' });
    expect([response.status, response.headers['x-seen']]).toEqual([201, 'yes']);
    expect(JSON.parse(await response.text(1000))).toEqual({
      method: 'POST',
      type: 'a/b',
      length: '2',
      body: 'ä',
    });
  });

  it('fails if nothing listens', async () => {
    const server = createServer();
    const port = await listening(server);
    server.close();
    await once(server, 'close');
    await expect(send(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends with its signal, before the head of a response and within its body', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/head') response.write('begun');
    });
    const ending = new AbortController();
    const silent = send(url, { signal: ending.signal });
    const begun = await send(`${url}head`, { signal: ending.signal });
    const text = begun.text(1000);
    ending.abort();
    await expect(silent).rejects.toThrow();
    await expect(text).rejects.toThrow();
  });

  it('does not follow a redirect', async () => {
    const url = await serve((_, response) => void response.writeHead(302, { location: '/other' }).end());
    const response = await send(url);
    expect([response.status, response.headers.location]).toEqual([302, '/other']);
    await response.discard(0);
  });

  it('fails if the server switches to another protocol', async () => {
    const url = await serve(() => {});
    servers
      .at(-1)!
      .on('request', ({ socket }: IncomingMessage) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
      );
    await expect(send(url)).rejects.toMatchObject({ name: 'OtherProtocol' });
  });

  it('goes only where its lookup leads', async () => {
    const url = await serve((_, response) => void response.end('here'));
    const named = url.replace('127.0.0.1', 'receiver.example');
    expect(await (await send(named, {}, { lookup: LOCAL })).text(10)).toBe('here');
    const nowhere: HttpClientSettings['lookup'] = (_host, _options, callback) =>
      callback(new Error('this address is not allowed'), '', 0);
    await expect(send(named, {}, { lookup: nowhere })).rejects.toThrow('this address is not allowed');
  });
});

describe('a response', () => {
  it('that is larger than its bound is not read to its end', async () => {
    let isClosed = false;
    const url = await serve((request, response) => {
      request.socket.once('close', () => {
        isClosed = true;
      });
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(write));
      };
      write();
    });
    await expect((await send(url)).text(100_000)).rejects.toMatchObject({ name: 'ResponseTooLarge' });
    await expect.poll(() => isClosed).toBe(true);
    await (await send(url)).discard(100_000);
  });

  it('without a length is an error if its connection fails, or its signal ends it', async () => {
    const sockets: Socket[] = [];
    const url = await serve(({ socket }) => {
      sockets.push(socket);
      socket.write('HTTP/1.1 200 OK\r\n\r\n{}');
    });
    const cut = await send(url);
    const cutText = cut.text(1000);
    sockets[0]!.resetAndDestroy();
    await expect(cutText).rejects.toMatchObject({ code: 'ECONNRESET' });
    const ending = new AbortController();
    const ended = await send(url, { signal: ending.signal });
    const endedText = ended.text(1000);
    ending.abort();
    await expect(endedText).rejects.toMatchObject({ name: 'AbortError' });
    const whole = await send(url);
    sockets[2]!.end();
    expect(await whole.text(1000)).toBe('{}');
  });

  it('that is not HTTP within its body is an error that says so', async () => {
    const url = await serve(({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    });
    await expect((await send(url)).text(1000)).rejects.toThrow('Parse Error');
  });

  it('that is cut off is an error', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('begun', () => request.socket.destroy());
    });
    await expect((await send(url)).text(10_000)).rejects.toThrow();
    await expect((await send(url)).discard(10_000)).rejects.toThrow();
  });
});

describe('a connection', () => {
  it('is used again, and a request is sent once more if the server has closed it meanwhile', async () => {
    const ports: (number | undefined)[] = [];
    const url = await serve(({ socket, url: path }, response) => {
      ports.push(socket.remotePort);
      if (path === '/close' && ports.length === 2) return void socket.destroy();
      response.end('here');
    });
    const client = new HttpClient({ keepAlive: true, maxSockets: 1 });
    clients.push(client);
    const get = async (path: string) => {
      const signal = AbortSignal.timeout(60_000);
      const response = await client.send({ method: 'GET', url: `${url}${path}`, headers: {}, signal });
      return response.text(100);
    };
    expect([await get(''), await get('close')]).toEqual(['here', 'here']);
    expect(ports).toHaveLength(3);
    expect(ports[1]).toBe(ports[0]);
    expect(ports[2]).not.toBe(ports[0]);
  });

  it('by TLS needs a certificate that the client trusts, unless it is told to take any', async () => {
    const { cert, key } = certificateFor('receiver.example');
    const server = createTlsServer({ cert, key }, (_, response) => void response.end('here'));
    const url = `https://receiver.example:${await listening(server)}/`;
    const lookup = LOCAL;
    await expect(send(url, {}, { lookup })).rejects.toMatchObject({
      code: expect.stringMatching(/CERT|SIGNED/),
    });
    expect(await (await send(url, {}, { lookup, isInsecure: true })).text(10)).toBe('here');
    expect(await (await send(url, {}, { lookup, ca: cert })).text(10)).toBe('here');
  });
});
