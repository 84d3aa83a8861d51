/** Very many blacklists as lines of JSON, for a client that reads slowly or not at all. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, isOnPostgres, storeOptions } from '../../support/store.ts';

const ENTRIES = 100_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_SERVICE_API__SEND_TIMEOUT: '3600' });
  const file = join(service.dataDir, 'patterns');
  writeFileSync(file, Array.from({ length: ENTRIES }, (_, n) => `^n${n}\\.example\\.$\n`).join(''));
  const imported = await runHere(['blacklist', 'import', file], storeOptions(service.dataDir));
  expect(imported).toMatchObject({ status: 0 });
}, 600_000);
afterAll(() => service.remove());

/** Asks for all entries, and reads the head of the answer. */
async function ask(): Promise<{ readonly socket: Socket; readonly begun: string }> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const head = ['GET /v2/blacklists HTTP/1.1', 'Host: localhost', `X-Auth-Token: ${service.admin}`];
  socket.write(`${[...head, 'Accept: application/jsonl', 'Connection: close'].join('\r\n')}\r\n\r\n`);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, begun: bytes.toString() };
}

/** How many sessions of the server are in a transaction, apart from the one that asks. */
const OPEN_TRANSACTIONS = `select count(*) as total from pg_stat_activity
  where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;

it('all of them are sent, though the client pauses and the list changes, and nothing is held open meanwhile', async () => {
  const { socket, begun } = await ask();
  let text = begun;
  // Nothing is read, and everything else goes on: writes, reads, and what a transaction would hold back.
  const made = await service.request('POST', '/v2/blacklists', {
    token: service.admin,
    body: { pattern: '^made-meanwhile\\.$' },
  });
  expect(made.status).toBe(201);
  await eventually(async () => {
    if (!isOnPostgres()) {
      const [row] = await inStoreOf(service.dataDir, 'pragma wal_checkpoint(truncate)');
      return row?.busy === 0 ? true : undefined;
    }
    const [row] = await inStoreOf(service.dataDir, OPEN_TRANSACTIONS);
    return Number(row?.total) === 0 ? true : undefined;
  });
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.resume();
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 200 .*content-type: application\/jsonl/is);
  const lines = new Set(text.match(/\^n\d+(?=\\\\)/g));
  expect(lines.size).toBe(ENTRIES);
}, 600_000);

it('clients that do not read take no memory for what they do not read', async () => {
  const before = process.memoryUsage();
  const held = await Promise.all(Array.from({ length: 20 }, ask));
  // Each of them has been read for as far as it goes once a read of the whole has come to its end beside them.
  const whole = await service.request('GET', '/v2/blacklists?limit=1', { token: service.admin });
  expect(whole.status).toBe(200);
  globalThis.gc?.();
  const after = process.memoryUsage();
  // Twenty answers are 20 times 20 MB and more.
  expect(after.rss - before.rss).toBeLessThan(200 * 2 ** 20);
  for (const { socket } of held) socket.destroy();
}, 600_000);
