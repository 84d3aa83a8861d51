import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logLines, type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';
import { holdWriteLock, PATIENT } from '../support/write-lock.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const BODY = JSON.stringify({ name: 'half.example.', email: 'a@example.org' });

async function openSocket(service: ServiceProcess): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends the head of a create and half of its body, and returns when the service has the head. */
async function sendHalf(service: ServiceProcess) {
  const headers = {
    'x-auth-token': service.admin,
    'content-type': 'application/json',
    'content-length': BODY.length,
    expect: '100-continue',
  };
  const half = httpRequest(`${service.url}/v2/zones`, { method: 'POST', headers });
  half.on('error', () => {});
  half.flushHeaders();
  await once(half, 'continue');
  half.write(BODY.slice(0, BODY.length / 2));
  return half;
}

it('SIGTERM: a request whose head is not complete is not waited for', async () => {
  const service = await startProcess({
    dataDir: folder.path,
    env: { ZONEWARDEN_SERVICE_API__REQUEST_TIMEOUT: '3600' },
  });
  const socket = await openSocket(service);
  socket.write('GET /v2/zones HTTP/1.1\r\nHost: localhost\r\nX-Auth-');
  await service.request('GET', '/healthcheck');
  expect(await service.end()).toMatchObject({ status: 0, signal: null });
});

it('SIGTERM: half a body is waited for as long as any request may take, then given up; nothing of it is stored', async () => {
  const env = { ZONEWARDEN_SERVICE_API__REQUEST_TIMEOUT: '1' };
  const service = await startProcess({ dataDir: folder.path, env });
  await sendHalf(service);
  expect(await service.end()).toMatchObject({ status: 0, signal: null });
  const next = await startProcess({ dataDir: folder.path });
  expect((await next.create('half.example.')).status).toBe(202);
  await next.end('SIGKILL');
});

it('SIGTERM: a client that goes away in the middle of its body is not waited for', async () => {
  const env = { ZONEWARDEN_SERVICE_API__REQUEST_TIMEOUT: '3600' };
  const service = await startProcess({ dataDir: folder.path, env });
  const half = await sendHalf(service);
  service.child.kill('SIGTERM');
  while (!service.output.err.includes('stopping')) await once(service.child.stderr!, 'data');
  half.destroy();
  expect(await service.ended).toMatchObject({ status: 0, signal: null });
});

it('SIGTERM: requests that a client sent one behind the other, without waiting, are all answered', async () => {
  const service = await startProcess({ dataDir: folder.path, env: PATIENT });
  const lock = await holdWriteLock(folder.path);
  const socket = await openSocket(service);
  let answers = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answers += text;
  });
  const head = `Host: localhost\r\nX-Auth-Token: ${service.admin}\r\nContent-Type: application/json\r\n`;
  // The first is answered at once, the second when the lock is free.
  socket.write(`GET /v2/zones HTTP/1.1\r\n${head}\r\n`);
  socket.write(`POST /v2/zones HTTP/1.1\r\n${head}Content-Length: ${BODY.length}\r\n\r\n${BODY}`);
  while (!answers.includes('"total_count"')) await once(socket, 'data');
  service.child.kill('SIGTERM');
  while (!service.output.err.includes('stopping')) await once(service.child.stderr!, 'data');
  await lock.release();
  expect(await service.ended).toMatchObject({ status: 0 });
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 202']);
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'a second %s does not cut short what the first one finishes',
  async (signal) => {
    const service = await startProcess({ dataDir: folder.path });
    const half = await sendHalf(service);
    service.child.kill(signal);
    while (!service.output.err.includes('stopping')) await once(service.child.stderr!, 'data');
    service.child.kill(signal);
    half.end(BODY.slice(BODY.length / 2));
    const [response] = await once(half, 'response');
    response.resume();
    expect(response.statusCode).toBe(202);
    expect(await service.ended).toMatchObject({ status: 0, signal: null });
  },
);

it('the last lines of the log are those of the end, in their order, in a file too', async () => {
  const file = join(folder.path, 'log');
  const through = ['sh', '-c', 'exec "$@" 2>"$0"', file];
  const service = await startProcess({ dataDir: join(folder.path, 'data'), through });
  await service.end();
  const messages = logLines(readFileSync(file, 'utf8')).map(({ msg }) => msg);
  expect(messages.slice(-3)).toEqual(['listening', 'stopping', 'stopped']);
});
