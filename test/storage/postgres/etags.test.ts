/** What `If-Match` is compared with: the state that the lock of PostgreSQL was waited for, not the one before. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeSettings } from '../../support/store.ts';
import { etagIn } from '../../support/tagged-resources.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let shop: Tenant;
let admin: Tenant;
let database: pg.Client;
let watcher: pg.Client;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  shop = await tenantOf(service, 'shop');
  admin = await tenantOf(service, 'admin', 'admin');
});
afterAll(() => service.remove());
beforeEach(async () => {
  const { connection } = storeSettings(service.dataDir).postgres!;
  [database, watcher] = [connection, connection].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client];
  await Promise.all([database.connect(), watcher.connect()]);
});
afterEach(() => Promise.all([database.end(), watcher.end()]));

/** Waits until some session waits for a lock. */
async function someoneWaits(): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await watcher.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount! > 0 ? true : undefined;
  });
}

/** Runs statements in another transaction, which ends only when the request waits for it. */
async function meanwhile(statements: readonly string[], request: () => Promise<Answer>): Promise<Answer> {
  await database.query('begin');
  for (const statement of statements) await database.query(statement);
  const asked = request();
  await someoneWaits();
  await database.query('commit');
  return asked;
}

const lockOf = ({ id }: TestZone) => `select 1 from zones where id = '${id}' for update`;
const FAILED = [412, 'precondition_failed'];
const typeOf = ({ status, json }: Answer) => [status, json?.type];

describe('a request that waits for the lock of a zone', () => {
  it('is refused if the zone was shared meanwhile', async () => {
    const zone = await shop.makeZone();
    const path = `/v2/zones/${zone.id}`;
    const condition = { 'if-match': etagIn(await shop.ask('GET', path)) };
    const shared = `insert into zone_shares (id, zone_id, project_id, target_project_id, recordsets, created_at, updated_at)
      values ('${randomUUID()}', '${zone.id}', 'shop', 'guest', 0, '2026-01-01T00:00:00.000000', '')`;
    const change = () => shop.ask('PATCH', path, { ttl: 60 }, condition);
    expect(typeOf(await meanwhile([lockOf(zone), shared], change))).toEqual(FAILED);
    expect((await shop.ask('GET', path)).json).toMatchObject({ shared: true, ttl: 3600 });
  });

  it('is refused if its recordset was changed meanwhile, and served if another zone was', async () => {
    const zone = await shop.makeZone();
    const { json } = await shop.create(zone, { name: zone.name, type: 'A', records: ['192.0.2.1'] });
    const path = `/v2/zones/${zone.id}/recordsets/${json.id}`;
    const condition = { 'if-match': etagIn(await shop.ask('GET', path)) };
    const change = () => shop.ask('PUT', path, { ttl: 60 }, condition);
    const described = `update recordsets set description = 'other', version = version + 1 where id = '${json.id}'`;
    expect(typeOf(await meanwhile([lockOf(zone), described], change))).toEqual(FAILED);
    condition['if-match'] = etagIn(await shop.ask('GET', path));
    const other = await shop.makeZone();
    const elsewhere = `update zones set description = 'x' where id = '${other.id}'`;
    expect((await meanwhile([lockOf(zone), elsewhere], change)).status).toBe(202);
  });
});

it('a request that waits for the lock of quotas that were never set is refused if they were set meanwhile', async () => {
  const path = '/v2/quotas/somebody';
  const condition = { 'if-match': etagIn(await admin.ask('GET', path)) };
  const set = `insert into projects (project_id, zones, recordsets, quota_zones) values ('somebody', 0, 0, 5)`;
  const change = () => admin.ask('PATCH', path, { zones: 6 }, condition);
  expect(typeOf(await meanwhile([set], change))).toEqual(FAILED);
  expect((await admin.ask('GET', path)).json.zones).toBe(5);
});
