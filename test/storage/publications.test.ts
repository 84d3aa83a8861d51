import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName, type Fqdn, type OwnerName } from '../../src/dns/names.ts';
import { newRecordset } from '../../src/domain/recordsets/new-recordset.ts';
import { lockOwners, type ZoneChanges, zoneChanges } from '../../src/domain/zones/zone-changes.ts';
import { contentsOf, NO_CONTENTS } from '../../src/model/changes/contents.ts';
import type { ZoneChange } from '../../src/model/changes/zone-change.ts';
import { earlier, systemClock } from '../../src/model/clock.ts';
import { DEFAULT_POOL_ID, type ZonePool } from '../../src/model/pools/pool.ts';
import type { Order, OrderOutcome } from '../../src/model/publication/publication.ts';
import type { Store, Transaction } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { inStoreOf, storeSettings } from '../support/store.ts';
import { emptyZone } from '../support/zone.ts';

const clock = systemClock();
const catalogName = canonicalName<Fqdn>('catalog.invalid.');
const pool: ZonePool = { id: DEFAULT_POOL_ID, nameServers: null, publishes: true };
let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let changes: ZoneChanges;

beforeAll(async () => {
  folder = temporaryFolder();
  store = await openStore(storeSettings(folder.path));
  const limits = { ZONEWARDEN_SERVICE_WORKER__JOURNAL_CHANGES: '3', ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
  changes = zoneChanges({ clock, ...domainSettings(loadConfig(undefined, limits)) });
  await inStoreOf(
    folder.path,
    `update pools set publishes = 1, catalog_fqdn = '${catalogName}', nameservers = '[{"host":"127.0.0.1","port":53}]'`,
  );
});
afterAll(async () => {
  await store.close();
  folder.remove();
});
beforeEach(async () => {
  await inStoreOf(folder.path, `update publications set due_at = ''`);
});

let drawn = 0;

const newZone = (name = `z${++drawn}.example.`, serial = 100): Zone =>
  emptyZone(name, { pool, serial, createdAt: clock.now() });

async function apply(change: ZoneChange): Promise<Zone> {
  const applied = await store.transaction(async (tx) =>
    changes.apply(tx, change, await lockOwners(tx, 'shop')),
  );
  return applied.after ?? change.zone;
}

const create = (zone: Zone): Promise<Zone> => apply({ kind: 'creation', zone, contents: NO_CONTENTS });

const found = (zone: Zone): Promise<Zone | undefined> => store.zones.find(zone.id, 'all projects');

function address(zone: Zone, record: string) {
  const name = canonicalName<OwnerName>(`www-${record.replaceAll('.', '-')}.${zone.name}`);
  const size = { wire: 4, counted: 10 };
  const draft = { name, type: 'A', records: [record], spellings: {}, size } as const;
  return newRecordset(draft, zone, clock);
}

async function add(zone: Zone, record: string): Promise<Zone> {
  const contents = contentsOf({ kind: 'added', recordset: address(zone, record) });
  return apply({ kind: 'update', zone, properties: {}, contents });
}

const moveCatalog = (): Promise<number | undefined> =>
  store.transaction((tx) => tx.publications.moveCatalog(DEFAULT_POOL_ID, 0, 1000));

async function claim(until = '9'): Promise<Order> {
  const [order] = await store.transaction((tx) => tx.publications.claim(clock.now(), until, 10));
  return order!;
}

const settle = (outcome: OrderOutcome): Promise<void> =>
  store.transaction((tx) => tx.publications.settle([outcome]));

const done = (order: Order, publishedSerial: number | null): OrderOutcome => ({
  orderId: order.id,
  poolId: order.poolId,
  claimedUntil: order.dueAt,
  publishedSerial,
  isDone: true,
  dueAt: '',
  error: '',
  servers: [],
});

async function publish(): Promise<void> {
  const order = await claim();
  await settle(done(order, order.serial));
}

describe('a status', () => {
  it('is PENDING until the serial is published, for the zone and the recordsets that changed', async () => {
    let zone = await create(newZone());
    expect(await found(zone)).toMatchObject({ status: 'PENDING', action: 'CREATE' });
    await publish();
    expect(await found(zone)).toMatchObject({ status: 'ACTIVE', action: 'NONE' });
    zone = await add(zone, '192.0.2.1');
    expect(await found(zone)).toMatchObject({ status: 'PENDING', action: 'UPDATE' });
    const list = await store.recordsets.list(
      { filters: { status: 'PENDING' }, sortKey: 'created_at', sortDir: 'asc', limit: 10 },
      { zoneId: zone.id },
      'shop',
    );
    expect(list.items.map(({ type, status, action }) => [type, status, action])).toEqual([
      ['SOA', 'PENDING', 'UPDATE'],
      ['A', 'PENDING', 'CREATE'],
    ]);
    await publish();
    const all = { filters: {}, sortKey: 'name', sortDir: 'asc', limit: 10 } as const;
    const { items } = await store.recordsets.list(all, { zoneId: zone.id }, 'shop');
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['ACTIVE']));
  });

  it('is ERROR with the reason that the order has, and can be filtered and sorted by', async () => {
    const zone = await create(newZone());
    const order = await claim();
    await settle({ ...done(order, null), isDone: false, dueAt: '9', error: 'Nobody answers.' });
    expect(await found(zone)).toMatchObject({ status: 'ERROR', action: 'CREATE' });
    const query = { filters: { status: 'ERROR' }, sortKey: 'status', sortDir: 'desc', limit: 100 } as const;
    const { items } = await store.zones.list(query, 'all projects', 'shop');
    expect(items.map(({ id }) => id)).toEqual([zone.id]);
    const large = { filters: {}, sortKey: 'status', sortDir: 'asc', limit: 1000 } as const;
    const statuses = (await store.zones.list(large, 'all projects', 'shop')).items.map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([...statuses].sort());
    expect(statuses.length).toBeGreaterThan(1);
  });
});

describe('an order', () => {
  it('stays due when the zone changed while it was looked after', async () => {
    let zone = await create(newZone());
    await moveCatalog();
    const order = await claim();
    zone = await add(zone, '192.0.2.1');
    await settle(done(order, order.serial));
    expect(await found(zone)).toMatchObject({ status: 'PENDING', action: 'UPDATE' });
    expect(await claim()).toMatchObject({ zoneId: zone.id, serial: zone.serial });
  });

  it.each([
    ['of another pool', `update publications set pool_id = 'another', published_serial = null`],
    ['to get a new label', 'update publications set joining = 1, published_serial = null'],
  ])(
    'that has become one %s meanwhile is not published by what its former servers have',
    async (_, change) => {
      let zone = await create(newZone());
      await moveCatalog();
      const order = await claim();
      zone = await add(zone, '192.0.2.1');
      await inStoreOf(folder.path, change);
      await settle(done(order, order.serial));
      expect(await found(zone)).toMatchObject({ status: 'PENDING', action: 'CREATE' });
    },
  );

  it('is claimed by one until the lease is over', async () => {
    await create(newZone());
    const until = earlier(clock.now(), -3_600_000);
    const order = await claim(until);
    expect(await claim()).toBeUndefined();
    const later = await store.transaction((tx) =>
      tx.publications.claim(earlier(clock.now(), -7_200_000), '9', 10),
    );
    expect(later.map(({ zoneId }) => zoneId)).toContain(order.zoneId);
  });

  it('is made for zones of a pool that begins to publish, and taken where it ceases', async () => {
    const zone = await create({ ...newZone(), pool: { ...pool, publishes: false } });
    expect(await found(zone)).toMatchObject({ status: 'ACTIVE' });
    const reconcile = () => store.transaction((tx) => tx.publications.reconcile(1000, clock.now()));
    expect(await reconcile()).toMatchObject({ changed: 1, gone: [] });
    expect(await found(zone)).toMatchObject({ status: 'PENDING', action: 'CREATE' });
    await moveCatalog();
    await apply({ kind: 'deletion', zone, waits: true });
    await inStoreOf(folder.path, 'update pools set publishes = 0');
    const { gone } = await reconcile();
    expect(gone).toEqual([zone.id]);
    await inStoreOf(folder.path, 'update pools set publishes = 1');
    await apply({ kind: 'deletion', zone: (await found(zone))!, waits: false });
    await reconcile();
  });

  it('is made a stretch of zones at a time, by any number of processes, and again after each change of the pool', async () => {
    const reconcile = () => store.transaction((tx) => tx.publications.reconcile(2, clock.now()));
    const untilDone = async () => {
      let changed = 0;
      for (;;) {
        const both = await Promise.all([reconcile(), reconcile()]);
        changed += both[0].changed + both[1].changed;
        if (!both.some(({ isMore }) => isMore)) return changed;
      }
    };
    await untilDone();
    const zones: Zone[] = [];
    for (let made = 0; made < 5; made++) {
      zones.push(await create({ ...newZone(), pool: { ...pool, publishes: false } }));
    }
    expect(await untilDone()).toBe(0);
    await inStoreOf(folder.path, `update pools set updated_at = '2030-01-01T00:00:00.000000'`);
    expect((await reconcile()).isMore).toBe(true);
    await inStoreOf(folder.path, `update pools set updated_at = '2030-01-02T00:00:00.000000'`);
    await untilDone();
    for (const zone of zones) expect(await found(zone)).toMatchObject({ status: 'PENDING' });
    expect(await untilDone()).toBe(0);
  });

  it('that is gone with its pool leaves no zone in removal behind, though the process that took it is gone, too', async () => {
    const reconcile = () => store.transaction((tx) => tx.publications.reconcile(1000, clock.now()));
    const zone = await create(newZone());
    await apply({ kind: 'deletion', zone, waits: true });
    await inStoreOf(folder.path, 'update pools set publishes = 0');
    expect((await reconcile()).gone).toEqual([zone.id]);
    for (let times = 0; times < 3; times++) expect((await reconcile()).gone).toEqual([zone.id]);
    await apply({ kind: 'deletion', zone: (await found(zone))!, waits: false });
    await reconcile();
    expect(await reconcile()).toEqual({ changed: 0, gone: [], isMore: false });
    await inStoreOf(folder.path, 'update pools set publishes = 1');
  });
});

describe('the journal', () => {
  const journalOf = (zone: Zone, from: number) =>
    store.publications.atOneState(async (reads) => reads.journal((await reads.served(zone.name))!, from));

  it('holds the newest changes without a gap, and no more than its bounds', async () => {
    let zone = await create(newZone());
    const first = zone.serial;
    for (const record of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) zone = await add(zone, record);
    const entries = await journalOf(zone, first);
    expect(entries).toHaveLength(3);
    expect(entries![0]).toMatchObject({ fromSerial: first, removed: [] });
    expect(entries![0]!.added).toEqual([[`www-192-0-2-1.${zone.name}`, 'A', 60, '192.0.2.1']]);
    expect(entries!.at(-1)!.soa[1]).toContain(` ${zone.serial} `);
    expect(entries![1]!.soa[0]).toBe(entries![0]!.soa[1]);
    await add(zone, '192.0.2.4');
    expect(await journalOf(zone, first)).toBeUndefined();
  });

  it('has a gap where the TTL of the zone changes', async () => {
    let zone = await create(newZone());
    const { serial } = zone;
    zone = await apply({ kind: 'update', zone, properties: { ttl: 61 }, contents: NO_CONTENTS });
    expect(await journalOf(zone, serial)).toBeUndefined();
  });
});

describe('a catalog', () => {
  const members = async (from?: number) =>
    store.publications.atOneState(async (reads) => {
      const catalog = (await reads.catalog(catalogName))!;
      const names = async (page: Promise<readonly { name: string }[]>) =>
        (await page).map(({ name }) => name);
      return {
        all: await names(reads.members(catalog, '')),
        left: await names(reads.left(catalog, from ?? catalog.serial, '')),
        joined: await names(reads.joined(catalog, from ?? catalog.serial, '')),
        serial: catalog.serial,
      };
    });

  it('takes zones in and out in batches, each one step of its serial', async () => {
    await moveCatalog();
    const before = (await members()).serial;
    expect(await moveCatalog()).toBeUndefined();
    const one = await create(newZone());
    await create(newZone());
    const joinedAt = await moveCatalog();
    expect(joinedAt).toBe(before + 1);
    expect((await members(before)).joined).toHaveLength(2);
    await apply({ kind: 'deletion', zone: one, waits: true });
    expect((await members()).all).toContain(one.name);
    await moveCatalog();
    const after = await members(joinedAt);
    expect(after.all).not.toContain(one.name);
    expect(after.left).toEqual([one.name]);
    expect((await members(before)).left).toEqual([]);
  });

  it('keeps the member of an abandoned zone until one of its name joins, and has the name never twice', async () => {
    const zone = await create(newZone());
    await moveCatalog();
    await apply({ kind: 'abandonment', zone });
    expect(await store.publications.formerZones('', '', 1000)).not.toContainEqual(
      expect.objectContaining({ name: zone.name }),
    );
    expect(await found(zone)).toBeUndefined();
    expect(await store.publications.served(zone.name)).toBeUndefined();
    await create(newZone());
    const before = (await moveCatalog())!;
    expect((await members()).all).toContain(zone.name);
    const again = await create(newZone(zone.name, 50));
    const times = async () => (await members()).all.filter((name) => name === zone.name).length;
    expect(await times()).toBe(1);
    await moveCatalog();
    expect(await times()).toBe(1);
    const { left, joined } = await members(before);
    expect([left, joined]).toEqual([[zone.name], [zone.name]]);
    await apply({ kind: 'deletion', zone: again, waits: true });
    await moveCatalog();
    expect(await times()).toBe(0);
  });

  it('never uses a label again', async () => {
    const zone = await create(newZone());
    await moveCatalog();
    await apply({ kind: 'deletion', zone, waits: true });
    await apply({ kind: 'deletion', zone: (await found(zone))!, waits: false });
    await create(newZone(zone.name, 200));
    await moveCatalog();
    const rows = await inStoreOf(
      folder.path,
      `select label, to_serial from catalog_members where name = '${zone.name}' order by from_serial`,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]!.label).not.toBe(rows[1]!.label);
    expect(rows.map(({ to_serial }) => Number(to_serial) === 0)).toEqual([false, true]);
  });
});

describe('a deleted zone', () => {
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => store.transaction(work);

  it('is gone at once while no server can know it', async () => {
    const zone = await create(newZone());
    expect(await inTransaction((tx) => tx.publications.forgetUnseen(zone.id))).toBe(true);
    const other = await create(newZone());
    await moveCatalog();
    expect(await inTransaction((tx) => tx.publications.forgetUnseen(other.id))).toBe(false);
  });

  it('keeps its name until it is dropped, answers nothing, and leaves its last serial behind', async () => {
    const zone = await create(newZone());
    await moveCatalog();
    const usage = (await store.projects.state('shop')).zones;
    const left = await apply({ kind: 'deletion', zone, waits: true });
    expect(left).toMatchObject({ status: 'PENDING', action: 'DELETE' });
    expect(await found(zone)).toMatchObject({ status: 'PENDING', action: 'DELETE', recordsets: 0 });
    expect(await store.publications.served(zone.name)).toBeUndefined();
    expect((await store.projects.state('shop')).zones).toBe(usage);
    await apply({ kind: 'deletion', zone: left, waits: false });
    expect(await found(zone)).toBeUndefined();
    expect((await store.projects.state('shop')).zones).toBe(usage - 1);
    const formerSerials = await inTransaction((tx) => tx.publications.formerSerials([zone.name]));
    expect(formerSerials).toEqual(new Map([[zone.name, zone.serial]]));
  });
});
