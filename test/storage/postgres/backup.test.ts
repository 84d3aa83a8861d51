import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createZones } from '../../support/create-zones.ts';
import { giveEventKey } from '../../support/event-key.ts';
import { until } from '../../support/eventually.ts';
import { findPostgres } from '../../support/postgres/binaries.ts';
import { commandsOn, run, startProcess, temporaryFolder } from '../../support/process.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const connectionOf = (dataDir: string) => storeOptions(dataDir).ZONEWARDEN_STORAGE__CONNECTION!;

/** Runs one of PostgreSQL's programs as the operator's document says. */
async function postgres(name: string, ...args: readonly string[]): Promise<void> {
  expect(await run([join(findPostgres()!.folder, name), ...args])).toMatchObject({ status: 0, err: '' });
}

it('pg_dump under a constant write load holds all that was acknowledged before, and pg_restore makes a store of it', async () => {
  const dataDir = join(folder.path, 'data');
  const file = join(folder.path, 'backup.dump');
  const env = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
  const service = await startProcess({ dataDir, env });
  const body = { pattern: '^evil\\.example\\.$' };
  expect((await service.request('POST', '/v2/blacklists', { token: service.admin, body })).status).toBe(201);
  const clients = ['a', 'b', 'c', 'd'].map((prefix) => createZones(service, prefix));
  const acknowledged = () => clients.flatMap((client) => client.acknowledged);
  await until(() => expect(acknowledged().length).toBeGreaterThan(100));
  const before = acknowledged();
  await postgres('pg_dump', '--format=custom', `--file=${file}`, connectionOf(dataDir));
  await Promise.all(clients.map((client) => client.stop()));
  await service.end('SIGKILL');

  const restored = join(folder.path, 'restored');
  await postgres(
    'pg_restore',
    '--no-owner',
    '--single-transaction',
    `--dbname=${connectionOf(restored)}`,
    file,
  );
  copyFileSync(join(dataDir, 'events.key'), giveEventKey(restored));
  expect(await commandsOn(restored)(['verify'], { env })).toMatchObject({ status: 0, err: '' });
  const kept = new Set((await inStoreOf(restored, 'select name from zones')).map(({ name }) => name));
  expect(before.filter((name) => !kept.has(name))).toEqual([]);
  const other = await startProcess({ dataDir: restored, env });
  expect((await other.create(before[0]!, service.admin)).status).toBe(409);
  expect((await other.create('evil.example.', service.admin)).status).toBe(400);
  expect((await other.create('new.example.', service.admin)).status).toBe(202);
  await other.end('SIGKILL');
});
