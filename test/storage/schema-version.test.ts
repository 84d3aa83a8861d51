import { afterEach, beforeEach, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/storage/migrate.ts';
import { openStore } from '../../src/storage/open.ts';
import {
  WITHOUT_DELETED_ZONES,
  WITHOUT_EXPIRY,
  WITHOUT_GUARDRAILS,
  WITHOUT_HISTORY,
  WITHOUT_KEY_SPELLINGS,
  WITHOUT_PROTECTION,
  WITHOUT_SHARE_SCOPES,
  WITHOUT_TENANTS_KEYS,
  WITHOUT_TOKEN_SCOPES,
  WITHOUT_UPDATES,
} from '../support/earlier-schema.ts';
import { commandsOn, spawnService, startProcess, temporaryFolder } from '../support/process.ts';
import { inStoreOf, isOnPostgres, storeSettings } from '../support/store.ts';

const EVENT_TABLES = ['event_queue', 'events', 'event_head', 'refusals'];
const PUBLICATION_TABLES = [
  'pools',
  'tsig_keys',
  'publications',
  'catalog_members',
  'zone_journal',
  'former_zones',
  'transferred_serials',
];

const BLACKLIST_COLUMNS = [
  'mode',
  'expires_at',
  'exceptions',
  'ended',
  'hits_refused',
  'hits_warned',
  'hits_audited',
  'hits_at',
  'arrives',
  'leaves',
  'by_hand',
  'event_id',
];
const NAME_SEARCH = [
  'trigger zone_names_added',
  'trigger zone_names_removed',
  'trigger zone_names_renamed',
  'table zone_names',
  'table zone_names_changed',
  'table zone_search',
];
const LIST_TABLES = ['blacklist_lists', 'blacklist_holders', 'blacklist_tasks'];

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await (await openStore(storeSettings(folder.path), true)).close();
});
afterEach(() => folder.remove());

it('has one migration for each version, wherever it stands', () => {
  const versions = MIGRATIONS.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, place) => place + 1));
});

it('does not start on a newer schema that declares itself unreadable for this version, and says so in one line', async () => {
  await inStoreOf(folder.path, 'update schema_version set version = 77, oldest_reader = 55');
  const { status, out, err } = await spawnService({ dataDir: folder.path }).ended;
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^zonewarden: [^\n]*schema version 77[^\n]*needs a newer zonewarden[^\n]*\n$/);
  expect(await commandsOn(folder.path)(['token', 'list'])).toMatchObject({ status: 2, out: '', err });
});

it('works on a newer schema that declares itself readable, and leaves its version as it is', async () => {
  await inStoreOf(folder.path, 'update schema_version set version = 77, oldest_reader = 1');
  const service = await startProcess({ dataDir: folder.path });
  expect((await service.create('free.example.')).status).toBe(202);
  await service.end();
  const version = await inStoreOf(folder.path, 'select version, oldest_reader from schema_version');
  expect(version).toEqual([{ version: 77, oldest_reader: 1 }]);
});

it('keeps one row of each kind of bookkeeping, however often it is opened', async () => {
  for (let time = 0; time < 3; time++) await (await openStore(storeSettings(folder.path), true)).close();
  expect(await inStoreOf(folder.path, 'select * from schema_version')).toHaveLength(1);
  const [row, ...more] = await inStoreOf(folder.path, 'select revision from blacklist_revision');
  expect([Number(row!.revision), more]).toEqual([0, []]);
});

it('measures the zones of a store of an earlier version', async () => {
  const service = await startProcess({ dataDir: folder.path });
  const { json: zone } = await service.create('measured.example.');
  const path = `/v2/zones/${zone.id}/recordsets`;
  for (const [type, record] of [
    ['AAAA', '::'],
    ['TXT', '"some text"'],
  ] as const) {
    const body = { name: 'a.measured.example.', type, records: [record] };
    await service.request('POST', path, { token: service.admin, body });
  }
  await service.end();
  const sizes = 'select bytes from zones union all select bytes from recordsets order by 1';
  const before = await inStoreOf(folder.path, sizes);
  await inStoreOf(
    folder.path,
    ...(isOnPostgres() ? [] : NAME_SEARCH.map((what) => `drop ${what}`)),
    ...WITHOUT_SHARE_SCOPES,
    ...WITHOUT_TENANTS_KEYS,
    ...WITHOUT_TOKEN_SCOPES,
    ...WITHOUT_UPDATES,
    ...WITHOUT_DELETED_ZONES,
    ...WITHOUT_KEY_SPELLINGS,
    ...WITHOUT_HISTORY,
    ...WITHOUT_EXPIRY,
    ...WITHOUT_PROTECTION,
    'drop index idempotency_keys_numbered',
    ...['project_id', 'number', 'bytes_before', 'resource_id'].map(
      (column) => `alter table idempotency_keys drop column ${column}`,
    ),
    'drop table idempotency_projects',
    'drop index zones_of_project_bytes',
    'alter table zones drop column bytes',
    'alter table zones drop column soa',
    ...WITHOUT_GUARDRAILS,
    'alter table recordsets drop column bytes',
    'alter table recordsets drop column spellings',
    ...PUBLICATION_TABLES.map((table) => `drop table ${table}`),
    'drop table service_statuses',
    'drop table tlds',
    'alter table api_tokens drop column description',
    'drop table zone_shares',
    'drop table leases',
    'drop index blacklists_expiring',
    'drop index blacklists_leaving',
    ...LIST_TABLES.map((table) => `drop table ${table}`),
    ...BLACKLIST_COLUMNS.map((column) => `alter table blacklists drop column ${column}`),
    'alter table blacklist_removals drop column enforced',
    'alter table blacklist_removals drop column conditional',
    ...EVENT_TABLES.map((table) => `drop table ${table}`),
    'drop table webhooks',
    'alter table zones drop column told',
    'alter table projects drop column told_zones',
    'alter table projects drop column told_zones_limit',
    'drop table project_usage',
    'drop table usage_passes',
    'drop table previews',
    'drop table preview_zones',
    'drop table secondaries',
    'drop index zones_pool',
    'drop index zones_leaving',
    'alter table zones drop column pool_id',
    'alter table recordsets drop column serial',
    'update schema_version set version = 4, oldest_reader = 1',
  );
  const commands = commandsOn(folder.path);
  expect(await commands(['verify'])).toMatchObject({ status: 0 });
  expect(await inStoreOf(folder.path, sizes)).toEqual(before);
});
