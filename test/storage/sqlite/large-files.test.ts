/** A database that is too large to be checked before the service answers. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commandReads } from '../../../src/storage/sqlite/command-reads.ts';
import { connect } from '../../../src/storage/sqlite/connect.ts';
import { SqliteConnection } from '../../../src/storage/sqlite/connection.ts';
import { databaseOver } from '../../../src/storage/sqlite/open.ts';
import { Soundness } from '../../../src/storage/sqlite/soundness.ts';
import { basic, DYNDNS_ON } from '../../support/dyndns.ts';
import { eventually, until } from '../../support/eventually.ts';
import {
  commandsOn,
  logLines,
  type ServiceProcess,
  startProcess,
  temporaryFolder,
} from '../../support/process.ts';

const NOT_CLOSED = 'the database was not closed cleanly: writes wait until it is checked';
const SOUND = 'checked the database: it is sound';
let folder: ReturnType<typeof temporaryFolder>;
let file: string;
const running: ServiceProcess[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'zonewarden.db');
  const first = await start();
  expect((await first.create('first.example.')).status).toBe(202);
  await first.end();
  // As a command of the program does it, which leaves no log behind.
  const connection = new SqliteConnection(connect(file));
  connection.exec('create table ballast (bytes); insert into ballast values (zeroblob(70000000))');
  connection.close();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.end('SIGKILL')));
  folder.remove();
});

async function start(): Promise<ServiceProcess> {
  const service = await startProcess({ dataDir: folder.path, env: DYNDNS_ON });
  running.push(service);
  return service;
}

const messagesOf = (text: string) => logLines(text).map(({ msg }) => msg);

/** Tries a create until it is answered by something else than 503. */
const created = (service: ServiceProcess, name: string) =>
  eventually(async () => {
    const answer = await service.create(name);
    if (answer.status !== 503) return answer;
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]/);
    return undefined;
  });

it('is checked beside the service after a clean stop, and changes do not wait', async () => {
  const service = await start();
  expect((await service.create('second.example.')).status).toBe(202);
  await eventually(async () => (service.log.some(({ msg }) => msg === SOUND) ? true : undefined));
  const { err } = await service.end();
  expect(messagesOf(err)).not.toContain(NOT_CLOSED);
});

it('is checked after kill -9 before anything is changed, and knows that until it was stopped cleanly', async () => {
  await (await start()).end('SIGKILL');
  const second = await start();
  expect((await created(second, 'second.example.')).status).toBe(202);
  const { err } = await second.end();
  expect(messagesOf(err).filter((message) => message === NOT_CLOSED || message === SOUND)).toEqual([
    NOT_CLOSED,
    SOUND,
  ]);
  const third = await start();
  expect((await third.create('third.example.')).status).toBe(202);
  expect(messagesOf((await third.end()).err)).not.toContain(NOT_CLOSED);
});

it('that is damaged is read and not changed any more, and one line says so', async () => {
  const descriptor = openSync(file, 'r+');
  // Among the pages of the ballast: each begins with the number of the next.
  writeSync(descriptor, Buffer.alloc(4, 0xa5), 0, 4, Math.floor(statSync(file).size / 2 / 4096) * 4096);
  closeSync(descriptor);
  const service = await start();
  let tried = 0;
  // Before the check ends, a create can be refused for another reason.
  await until(async () => {
    const { json } = await service.create(`z${++tried}.example.`);
    expect(json).toMatchObject({
      code: 503,
      type: 'storage_unavailable',
      message: expect.stringContaining('damaged'),
    });
  });
  expect(
    (await service.request('GET', '/v2/zones?name=first.example.', { token: service.admin })).json.zones,
  ).toHaveLength(1);
  const asked = { token: service.admin, body: { name: 'asked.example.' } };
  expect((await service.request('POST', '/v2/zones/check', asked)).status).toBe(200);
  const names = { token: service.admin, body: { names: ['asked.example.'] } };
  expect((await service.request('POST', '/v2/blacklists/check', names)).status).toBe(200);
  // A GET that changes something.
  const update = { headers: basic(service.admin) };
  expect(await service.request('GET', '/nic/update?hostname=a.first.example', update)).toMatchObject({
    status: 503,
    json: 911,
  });
  const { err } = await service.end();
  const errors = logLines(err).filter(({ msg }) => String(msg).includes('the database is damaged'));
  expect(errors).toMatchObject([{ level: 50, file, msg: expect.stringContaining('restore a backup') }]);
  const verified = await commandsOn(folder.path)(['verify']);
  expect(verified.status).toBe(1);
  expect(verified.out).toMatch(/^database file: .+\n/);
});

function openUnchecked() {
  const open = () => new SqliteConnection(connect(file));
  const writer = open();
  const told: string[] = [];
  const log = { info: (_: object, text: string) => void told.push(text), error: () => {} };
  const soundness = new Soundness(file, { log });
  soundness.begin(writer, true);
  const database = databaseOver(
    { file, reader: open(), writer, open, long: commandReads(file, 5000), soundness },
    { busyTimeoutMs: 1000 },
  );
  const change = () =>
    database.transaction(async ({ now }) => {
      told.push('changed');
      await now.selectFrom('schema_version').selectAll().execute();
    });
  return { database, told, change };
}

it('that was left open makes every change wait until the check has ended', async () => {
  await (await start()).end('SIGKILL');
  const { database, told, change } = openUnchecked();
  expect(database.writeState()).toBe('checking');
  await change();
  expect(database.writeState()).toBe('open');
  await database.close();
  expect(told).toEqual([NOT_CLOSED, SOUND, 'changed']);
});

it('ends the check when it is stopped: changes that wait fail, and the next start checks the file again', async () => {
  await (await start()).end('SIGKILL');
  const { database, told, change } = openUnchecked();
  const waiting = expect(change()).rejects.toMatchObject({ kind: 'storage_unavailable' });
  database.endCheck();
  await waiting;
  await database.close();
  expect(told).toEqual([NOT_CLOSED]);
  const next = await start();
  expect((await created(next, 'second.example.')).status).toBe(202);
  expect(messagesOf((await next.end()).err)).toContain(NOT_CLOSED);
});

it('stops at once while it is checked', async () => {
  await (await start()).end('SIGKILL');
  const { err, status } = await (await start()).end();
  expect(status).toBe(0);
  expect(err).not.toContain('damaged');
});
