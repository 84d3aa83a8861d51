/** Name servers that have later serials than a store that was restored from a backup. */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { answeredAt, rdataAt, serialAt } from '../support/name-servers/dig.ts';
import { type Pool, type ShownZone, startPool } from '../support/name-servers/publishing.ts';
import { commandsOn } from '../support/process.ts';

const [KEPT, DELETED, LOST] = ['kept.example.org.', 'deleted.example.org.', 'lost.example.org.'];
const WWW = `www.${KEPT}`;

let pool: Pool;
beforeAll(async () => {
  pool = await startPool(['BIND', 'Knot']);
});
afterAll(() => pool?.remove());

async function run(...args: readonly string[]): Promise<void> {
  expect(await commandsOn(pool.dataDir)(args)).toMatchObject({ status: 0 });
}

async function activeZone(name: string): Promise<ShownZone> {
  return pool.zoneIs((await pool.makeZone(name)).id, 'ACTIVE');
}

it('follow the restored store at once after "zonewarden publication restored"', async () => {
  // Servers that would look by themselves only after an hour.
  await pool.applyPool(pool.servers, (yaml) => yaml.replace(/refresh: \d+/, 'refresh: 3600'));
  const [kept, deleted] = [await activeZone(KEPT), await activeZone(DELETED)];
  const www = await pool.addRecordset(kept.id, { name: WWW, type: 'A', records: ['192.0.2.1'] });
  await pool.zoneIs(kept.id, 'ACTIVE');
  const backup = join(pool.dataDir, '..', 'backup.db');
  await run('db', 'backup', backup);

  const path = `/v2/zones/${kept.id}/recordsets/${www.json.id}`;
  expect((await pool.ask('PUT', path, { records: ['192.0.2.2'] })).status).toBe(202);
  const { serial } = await pool.zoneIs(kept.id, 'ACTIVE');
  await pool.ask('DELETE', `/v2/zones/${deleted.id}`);
  await pool.zoneIsGone(deleted.id);
  await activeZone(LOST);

  await pool.service.end();
  const store = join(pool.dataDir, 'zonewarden.db');
  for (const suffix of ['-wal', '-shm']) rmSync(`${store}${suffix}`, { force: true });
  copyFileSync(backup, store);
  await pool.restart();
  await run('publication', 'restored');

  for (const server of pool.servers) {
    await until(async () => {
      expect(await rdataAt(server, WWW, 'A')).toEqual(['192.0.2.1']);
      expect(await answeredAt(server, [KEPT, DELETED, LOST])).toEqual(new Set([KEPT, DELETED]));
    });
    expect(await serialAt(server, KEPT)).toBeGreaterThan(serial);
  }
  for (const { id } of [kept, deleted]) await pool.zoneIs(id, 'ACTIVE');
});
