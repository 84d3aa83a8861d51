/** Zones that are created together, where others hold what some of them need, or one of them cannot be written. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions, storeSettings } from '../../support/store.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let database: pg.Client;
let one: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'fatal',
  });
  database = new pg.Client(storeSettings(service.dataDir).postgres!.connection);
  await database.connect();
  [one, other] = await Promise.all([tenantOf(service, 'one'), tenantOf(service, 'other')]);
  // Projects have rows from here on.
  for (const tenant of [one, other]) await tenant.makeZone(`first.${tenant.projectId}.example.`);
});
afterAll(async () => {
  await database.end();
  await service.remove();
});

const create = (tenant: Tenant, name: string) =>
  tenant.ask('POST', '/v2/zones', { name, email: 'hostmaster@example.org' });

/** Names below one domain of the tenant, which are locked together; those of two tenants share no lock. */
const several = (tenant: Tenant, prefix: string) =>
  Array.from({ length: 8 }, (_, number) => create(tenant, `${prefix}${number}.${tenant.projectId}.example.`));

const statuses = async (answers: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

it('goes on for others while the project of some is locked, and then for these', async () => {
  await database.query('begin');
  await database.query(`select 1 from projects where project_id = 'one' for update`);
  const held = several(one, 'held');
  expect(await statuses(several(other, 'free'))).toEqual(Array(8).fill(202));
  await database.query('commit');
  expect(await statuses(held)).toEqual(Array(8).fill(202));
});

it('goes on for others while all names of some are locked, and then for these', async () => {
  const names = await database.query(`select count(*) as gates from name_gates`);
  expect(Number(names.rows[0].gates)).toBeGreaterThan(1);
  await database.query('begin');
  // Half of the names.
  await database.query('select 1 from name_gates where gate % 2 = 0 for update');
  const all = Array.from({ length: 32 }, (_, number) => create(one, `www.gate${number}.example.`));
  const ended = await Promise.race(all.map(async (answer, place) => (await answer) && place));
  expect(ended).toBeGreaterThanOrEqual(0);
  await database.query('commit');
  expect(await statuses(all)).toEqual(Array(32).fill(202));
});

it('fails only the one that cannot be written, and writes the others', async () => {
  await database.query(`create function refuse() returns trigger language plpgsql as $$ begin
    if new.name like 'broken%' then raise exception 'This row cannot be written.'; end if; return new; end $$`);
  await database.query('create trigger refuse before insert on zones for each row execute function refuse()');
  const answers = [...several(one, 'whole'), create(one, 'broken.example.'), ...several(other, 'whole')];
  const [first, second] = [Array(8).fill(202), Array(8).fill(202)];
  expect(await statuses(answers)).toEqual([...first, 500, ...second]);
  await database.query('drop trigger refuse on zones');
});

it('fails only the recordset that cannot be written, and writes the others', async () => {
  await database.query(`create function refuse_record() returns trigger language plpgsql as $$ begin
    if new.name like 'broken%' then raise exception 'This row cannot be written.'; end if; return new; end $$`);
  await database.query(
    'create trigger refuse before insert on recordsets for each row execute function refuse_record()',
  );
  const zone = await one.makeZone();
  const names = ['a', 'b', 'broken', 'c', 'd'].map((label) => `${label}.${zone.name}`);
  const answers = names.map((name) => one.create(zone, { name, type: 'A', records: ['192.0.2.1'] }));
  expect(await statuses(answers)).toEqual([202, 202, 500, 202, 202]);
  expect((await one.look(zone)).version - zone.version).toBe(4);
  await database.query('drop trigger refuse on recordsets');
});

it('leaves a store that verifies', async () => {
  const verified = await runHere(['verify'], storeOptions(service.dataDir));
  expect(verified).toMatchObject({ status: 0, err: '' });
});
