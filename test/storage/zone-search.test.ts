/** Zones are found by a part of their name, whatever the index of names has of them. */
import { expect, it } from 'vitest';
import type { ZoneQuery } from '../../src/model/zones/zone.ts';
import { addBulkZones, bulkName } from '../support/bulk-zones.ts';
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
import { eventually } from '../support/eventually.ts';
import { itInFullRun } from '../support/in-full-run.ts';
import { startTestService } from '../support/service.ts';
import { inStoreOf, isOnPostgres } from '../support/store.ts';
import {
  add,
  expectSearches,
  folder,
  indexAll,
  never,
  query,
  remove,
  whileOpen,
  whileOpenIn,
  withStores,
} from '../support/zone-searches.ts';

withStores();

it('finds the same before, while and after zones are indexed, and after they have changed', () =>
  whileOpen(async (store) => {
    await add(0, 500);
    expect(await store.nameIndex.isBehind()).toBe(true);
    await expectSearches(store);
    await store.nameIndex.catchUp(never);
    await expectSearches(store);
    await remove((_, at) => at % 7 === 0);
    await add(500, 20);
    await indexAll(store);
    expect(await store.nameIndex.isBehind()).toBe(false);
    await expectSearches(store);
    // Numbers of rows that are free again.
    await remove((_, at) => at % 5 === 0 || at > 400);
    await add(600, 50);
    await expectSearches(store);
    await indexAll(store);
    await expectSearches(store);
  }));

it('finds zones of a store of the version before', async () => {
  await add(0, 300);
  await inStoreOf(
    folder.path,
    ...(isOnPostgres()
      ? []
      : [
          ...['added', 'removed', 'renamed'].map((what) => `drop trigger zone_names_${what}`),
          ...['zone_names', 'zone_names_changed', 'zone_search'].map((table) => `drop table ${table}`),
        ]),
    ...WITHOUT_GUARDRAILS,
    ...WITHOUT_SHARE_SCOPES,
    ...WITHOUT_TENANTS_KEYS,
    ...WITHOUT_TOKEN_SCOPES,
    ...WITHOUT_UPDATES,
    ...WITHOUT_DELETED_ZONES,
    ...WITHOUT_KEY_SPELLINGS,
    ...WITHOUT_HISTORY,
    ...WITHOUT_EXPIRY,
    ...WITHOUT_PROTECTION,
    'update schema_version set version = 28',
  );
  await whileOpen(async (store) => {
    await expectSearches(store);
    await indexAll(store);
    expect(await store.nameIndex.isBehind()).toBe(false);
    await expectSearches(store);
  });
});

it('goes on with an index that is there, and leaves it alone', () =>
  whileOpen(async (store) => {
    await add(0, 30);
    await indexAll(store);
    expect(await store.nameIndex.isBehind()).toBe(false);
    await whileOpen(async (other) => expect(await other.nameIndex.isBehind()).toBe(false));
  }));

itInFullRun(
  'counts and sorts what a search finds among very many zones, and refuses to sort more than 100,000 without an index',
  async () => {
    await addBulkZones(folder.path, 100_100, { hasApex: false });
    const list = (filters: ZoneQuery['filters'], sortKey: ZoneQuery['sortKey'] = 'created_at') =>
      whileOpen((store) =>
        store.zones.list({ ...query(''), filters, sortKey, limit: 20 }, 'all projects', 'asker'),
      );
    await whileOpen(indexAll);
    expect(await list({ name: '*lk00012*' })).toMatchObject({ more: true, total: 100 });
    expect(await list({ name: '*lk00012*' }, 'serial')).toMatchObject({ more: true, total: 100 });
    const many = await list({ name: '*bulk*' });
    expect([many.items.map(({ name }) => name), many.more, many.total]).toEqual([
      Array.from({ length: 20 }, (_, number) => bulkName(number)),
      true,
      undefined,
    ]);
    for (const filters of [{}, { name: '*bulk*' }, { ttl: '3600' }]) {
      await expect(list(filters, 'serial')).rejects.toMatchObject({
        kind: 'slow_sort_key',
        message: expect.stringContaining('Sort by created_at or name or id'),
      });
      for (const sortKey of ['created_at', 'name', 'id'] as const) {
        expect((await list(filters, sortKey)).items).toHaveLength(20);
      }
    }
    expect((await list({ ttl: '60' }, 'serial')).items).toEqual([]);
  },
);

it('indexes zones beside the service, while others are created, deleted and found', async () => {
  const service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  try {
    await addBulkZones(service.dataDir, 3000, { hasApex: false });
    const namesFor = async (part: string): Promise<readonly string[]> => {
      const { json } = await service.request('GET', `/v2/zones?name=*${part}*`, {
        token: service.admin,
        headers: { 'x-auth-all-projects': 'true' },
      });
      return json.zones.map(({ name }: { readonly name: string }) => name);
    };
    for (let round = 0; round < 20; round++) {
      const name = `beside${round}.test.`;
      const body = { name, email: 'a@example.org' };
      const { json } = await service.request('POST', '/v2/zones', { token: service.admin, body });
      expect(await namesFor(`side${round}.`)).toEqual([name]);
      expect(await namesFor('lk0002999')).toEqual([bulkName(2999)]);
      await service.request('DELETE', `/v2/zones/${json.id}`, { token: service.admin });
      expect(await namesFor(`side${round}.`)).toEqual([]);
    }
    await whileOpenIn(service.dataDir, async ({ nameIndex }) => {
      await eventually(async () => !(await nameIndex.isBehind()) || undefined);
    });
    expect(await namesFor('lk0002999')).toEqual([bulkName(2999)]);
  } finally {
    await service.remove();
  }
});
