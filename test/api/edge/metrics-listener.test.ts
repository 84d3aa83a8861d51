/** /metrics on a port of its own. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { valueIn } from '../../support/exposition.ts';
import { freePort } from '../../support/free-port.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { holdWriteLock } from '../../support/write-lock.ts';

let service: TestService;
let port: number;
let url: string;
beforeEach(async () => {
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  service = await startTestService({
    ZONEWARDEN_METRICS__LISTEN: String(port),
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '1',
    ZONEWARDEN_SERVICE_API__SEND_TIMEOUT: '1',
  });
});
afterEach(() => service.remove());

const scrape = async (): Promise<string> => {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
};

it('is answered without credentials there, and not by the API any more', async () => {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(valueIn(await answer.text(), 'zonewarden_blacklist_index_revision')).toBe(0);
  expect(await (await fetch(`${url}/metrics`, { method: 'HEAD' })).text()).toBe('');
  const elsewhere = await service.request('GET', '/metrics', { token: service.admin });
  expect(elsewhere).toMatchObject({ status: 404, json: { type: 'not_found' } });
});

it('answers nothing else there', async () => {
  for (const path of ['/', '/v2', '/v2/zones', '/livez', '/metrics/all', '//metrics']) {
    const answer = await fetch(`${url}${path}`, { headers: { 'x-auth-token': service.admin } });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.json()).toMatchObject({ code: 404, type: 'not_found' });
  }
  const posted = await fetch(`${url}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(posted.status).toBe(405);
  expect(posted.headers.get('allow')).toBe('GET, HEAD');
});

it('tells of a store that fails', async () => {
  const token = await service.token('shop', 'member');
  const failed = async () =>
    valueIn(await scrape(), 'zonewarden_transaction_duration_seconds_count', { outcome: 'failed' });
  expect(await failed()).toBe(0);
  const lock = await holdWriteLock(service.dataDir);
  try {
    const body = { name: 'late.example.', email: 'a@example.org' };
    expect((await service.request('POST', '/v2/zones', { token, body })).status).toBe(503);
    await until(async () => expect(await failed()).toBeGreaterThanOrEqual(1));
    const refused = { kind: 'storage_unavailable' };
    expect(valueIn(await scrape(), 'zonewarden_http_refusals_total', refused)).toBe(1);
  } finally {
    await lock.release();
  }
});

async function opened(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

it('has a bound for connections, and closes those of clients that do not read', async () => {
  const sockets = await Promise.all(Array.from({ length: 80 }, opened));
  const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;
  try {
    for (const socket of sockets) socket.resume();
    await until(() => expect(sockets.filter(isOpen).length).toBeLessThanOrEqual(64));
    for (const socket of sockets) socket.destroy();
    await until(scrape);
    const greedy = await opened();
    greedy.pause();
    // More than the system holds for a client that reads nothing.
    greedy.write('GET /metrics HTTP/1.1\r\nHost: figures\r\n\r\n'.repeat(3000));
    await until(() => {
      // Who does not read learns by writing that the connection has gone.
      if (!greedy.destroyed) greedy.write('\r\n');
      expect(greedy.destroyed).toBe(true);
    });
    expect(valueIn(await scrape(), 'process_start_time_seconds')).toBeGreaterThan(0);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

it('keeps the service from starting where its address cannot be had', async () => {
  const other = { ZONEWARDEN_METRICS__LISTEN: new URL(service.url).host };
  await expect(startTestService(other)).rejects.toThrow(/\[metrics\] listen: cannot listen on the address/);
});
