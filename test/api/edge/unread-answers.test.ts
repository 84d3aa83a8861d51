import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

/** The file names the owner of each record in full: many times the size of the zone. */
const RECORDSETS = runs(30, 18);
const RECORDS = 4000;

let service: TestService;
let token: string;
let path: string;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_RECORDSET_RECORDS: '-1',
    // Long enough that the slots are still taken when the next request arrives.
    ZONEWARDEN_SERVICE_API__SEND_TIMEOUT: '5',
  });
  token = await service.token('shop', 'member');
  path = await exportPath('large.example.', token);
});
afterAll(() => service.remove());

/** Imports a zone whose export is larger than what the system takes for a client that does not read. */
async function exportPath(name: string, owner: string): Promise<string> {
  const label = 'a'.repeat(63);
  const lines = Array.from({ length: RECORDSETS * RECORDS }, (_, at) => {
    const isFirst = at % RECORDS === 0;
    const host = isFirst ? `h${at / RECORDS}.${label}.${label}.${label}` : '';
    return `${host} 60 A 192.0.${(at >> 8) & 15}.${at & 255}`;
  });
  const { json } = await importFile(service, owner, zoneFile(name, lines.join('\n')));
  const begun = await service.request('POST', `/v2/zones/${json.zone_id}/tasks/export`, { token: owner });
  return `/v2/zones/tasks/exports/${begun.json.id}/export`;
}

/** Asks for something and reads nothing beyond the head of the answer. */
async function askWithoutReading(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: ${token}\r\n\r\n`);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  expect(bytes.toString()).toMatch(/^HTTP\/1\.1 200 /);
  return socket;
}

/** Reads the rest of what was sent, and returns its size when the connection is closed. */
async function rest(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  return bytes;
}

it('a client that reads gets all of a large export', async () => {
  const { status, text } = await service.request('GET', path, { token });
  expect(status).toBe(200);
  expect(text.split('\n').length).toBe(RECORDSETS * RECORDS + 5);
});

it('a client that does not read is cut off, and its slot is free again', async () => {
  const whole = (await service.request('GET', path, { token })).text.length;
  const sockets = await Promise.all([askWithoutReading(), askWithoutReading()]);
  const third = await service.request('GET', path, { token });
  expect(third.status).toBe(503);
  expect(third.json.message).toContain('Other exports are being sent');
  expect(third.headers.get('retry-after')).not.toBeNull();
  // The service closes the connections while nothing is read.
  for (;;) if ((await service.request('GET', path, { token })).status === 200) break;
  for (const socket of sockets) expect(await rest(socket)).toBeLessThan(whole);
});

it('a malformed request is told so while all slots of its project are taken', async () => {
  const sockets = await Promise.all([askWithoutReading(), askWithoutReading()]);
  const malformed = await service.request('GET', '/v2/zones/tasks/exports/null/export', { token });
  expect(malformed.json).toMatchObject({ code: 400, type: 'invalid_uuid' });
  for (const socket of sockets) {
    socket.destroy();
    await once(socket, 'close');
  }
  for (;;) if ((await service.request('GET', path, { token })).status === 200) break;
});

it('a project that takes all its slots takes none of another', async () => {
  const other = await service.token('other', 'member');
  const own = await exportPath('other.example.', other);
  const sockets = await Promise.all([askWithoutReading(), askWithoutReading()]);
  expect((await service.request('GET', own, { token: other })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
