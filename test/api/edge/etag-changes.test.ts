/** An ETag stands for one state, and each state has one ETag, whatever changes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../support/random.ts';
import { runHere } from '../../support/run-here.ts';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';
import { etagIn } from '../../support/tagged-resources.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

/** Nobody answers there: what is published is only what the test says. */
const NS_RECORDS = [{ hostname: 'ns1.example.net.', priority: 1 }];
const POOL = [{ name: 'default', ns_records: NS_RECORDS, nameservers: [{ host: '127.0.0.1', port: 9 }] }];

const BY_EACH_CHANGE = ['action', 'description', 'status', 'updated_at', 'version'];

let service: TestService;
let shop: Tenant;
let guest: Tenant;
let admin: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  shop = await tenantOf(service, 'shop');
  guest = await tenantOf(service, 'guest');
  admin = await tenantOf(service, 'admin', 'admin');
});
afterAll(() => service.remove());

/** All the states that were seen, with their ETags. */
class Seen {
  readonly #states = new Map<string, string>();
  readonly #tags = new Map<string, string>();
  readonly #values = new Map<string, Set<string>>();

  /** Fails where two states have one ETag, or one state has two. */
  note(answer: Answer): void {
    expect(answer.status, answer.text).toBeLessThan(300);
    const { links, hits, exhausted, warnings, ...told } = answer.json;
    const tag = etagIn(answer);
    const state = JSON.stringify(told);
    expect(this.#states.get(tag) ?? state).toBe(state);
    expect(this.#tags.get(state) ?? tag).toBe(tag);
    this.#states.set(tag, state);
    this.#tags.set(state, tag);
    for (const [field, value] of Object.entries(told)) {
      const values = this.#values.get(field) ?? new Set();
      this.#values.set(field, values.add(JSON.stringify(value)));
    }
  }

  /** The fields that had several values. */
  get moved(): string[] {
    return [...this.#values].flatMap(([field, values]) => (values.size > 1 ? [field] : [])).sort();
  }

  valuesOf(field: string): unknown[] {
    return [...(this.#values.get(field) ?? [])].map((value) => JSON.parse(value)).sort();
  }
}

interface Walk {
  read(): Promise<Answer>;
  change(body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** A body of some of what can be changed. */
  body(): object;
  /** Other steps: they change the state by other ways than its own. */
  readonly others: readonly (() => Promise<unknown>)[];
}

/**
 * Changes under a condition. What moves by itself may do so in between: then the refusal is right.
 * @param older an ETag from before a change
 */
async function changeIf(
  { read, change, body }: Walk,
  dice: Random,
  older: string | undefined,
): Promise<Answer> {
  for (;;) {
    const before = etagIn(await read());
    if (older !== undefined && older !== before && dice.chance(0.3)) {
      const refused = await change(body(), { 'if-match': older });
      expect([refused.status, refused.json.type]).toEqual([412, 'precondition_failed']);
    }
    const changed = await change(body(), { 'if-match': before });
    if (changed.status !== 412) return changed;
    expect(etagIn(await read())).not.toBe(before);
  }
}

interface Expected {
  /** The fields that change. */
  readonly moved: readonly string[];
  readonly statuses?: readonly string[];
}

const hasAll = (seen: Seen, { moved, statuses }: Expected): boolean =>
  moved.every((field) => seen.moved.includes(field)) &&
  (statuses ?? []).every((status) => seen.valuesOf('status').includes(status));

/** Walks on until everything expected has been seen: the service works on the same rows, so steps can undo each other. */
async function expectOneTagForEachState(walk: Walk, dice: Random, expected: Expected): Promise<void> {
  const seen = new Seen();
  let older: string | undefined;
  for (let step = 0; step < runs(60, 15) || (step < 3000 && !hasAll(seen, expected)); step++) {
    const now = await walk.read();
    seen.note(now);
    if (walk.others.length > 0 && dice.chance(0.5)) await dice.pick(walk.others)();
    else {
      seen.note(await changeIf(walk, dice, older));
      older = etagIn(now);
    }
    seen.note(await walk.read());
  }
  expect(seen.moved).toEqual([...expected.moved].sort());
  if (expected.statuses !== undefined) expect(seen.valuesOf('status')).toEqual(expected.statuses);
}

const inStore = (statement: string) => inStoreOf(service.dataDir, statement);
/** What publication does to the zone in the store. */
const publishing = (zoneId: string, dice: Random) => [
  () =>
    inStore(
      `update publications set published_serial = (select serial from zones where id = '${zoneId}'), error = '' where zone_id = '${zoneId}'`,
    ),
  () =>
    inStore(
      `update publications set published_serial = ${dice.pick(['null', '1'])}, error = '${dice.pick(['', 'refused'])}' where zone_id = '${zoneId}'`,
    ),
];
const some = (dice: Random, values: Readonly<Record<string, readonly unknown[]>>): object =>
  Object.fromEntries(
    Object.entries(values)
      .filter(() => dice.chance(0.5))
      .map(([key, choices]) => [key, dice.pick(choices)]),
  );

function zoneWalk(path: string, id: string, dice: Random): Walk {
  const values = { ttl: [60, 61], email: ['a@example.org', 'b@example.org'], description: [null, 'a', 'b'] };
  const shares = `${path}/shares`;
  return {
    read: () => admin.ask('GET', path, undefined, { 'x-auth-all-projects': 'true' }),
    change: (body, headers) => admin.ask('PATCH', path, body, { 'x-auth-all-projects': 'true', ...headers }),
    body: () => some(dice, values),
    others: [
      ...publishing(id, dice),
      async () => {
        const { json } = await shop.ask('GET', shares);
        const [share] = json.shared_zones ?? [];
        if (share === undefined) await shop.ask('POST', shares, { target_project_id: 'guest' });
        else await shop.ask('DELETE', `${shares}/${share.id}`);
      },
      async () => {
        const { json } = await shop.ask('POST', `${path}/tasks/transfer_requests`, {});
        const accept = { key: json.key, zone_transfer_request_id: json.id };
        await guest.ask('POST', '/v2/zones/tasks/transfer_accepts', accept);
      },
      async () => {
        const { json } = await guest.ask('POST', `${path}/tasks/transfer_requests`, {});
        const accept = { key: json.key, zone_transfer_request_id: json.id };
        await shop.ask('POST', '/v2/zones/tasks/transfer_accepts', accept);
      },
    ],
  };
}

async function makeZoneWalk(dice: Random, name: string): Promise<Walk> {
  const { json } = await shop.ask('POST', '/v2/zones', { name, email: 'a@example.org' });
  return zoneWalk(`/v2/zones/${json.id}`, json.id, dice);
}

async function makeSecondaryWalk(dice: Random, name: string): Promise<Walk> {
  const masters = [['192.0.2.1'], ['192.0.2.2'], ['192.0.2.1', '192.0.2.2'], ['192.0.2.2', '192.0.2.1']];
  const { json } = await shop.ask('POST', '/v2/zones', { name, type: 'SECONDARY', masters: masters[0] });
  const path = `/v2/zones/${json.id}`;
  return {
    read: () => shop.ask('GET', path),
    change: (body, headers) => shop.ask('PATCH', path, body, headers),
    body: () => some(dice, { masters, description: [null, 'a', 'b'] }),
    others: [
      () => inStore(`update secondaries set expired = ${dice.below(2)} where zone_id = '${json.id}'`),
      () => inStore(`update secondaries set transferred = ${dice.below(2)} where zone_id = '${json.id}'`),
    ],
  };
}

async function makeRecordsetWalk(dice: Random, name: string): Promise<Walk> {
  const zone = (await shop.ask('POST', '/v2/zones', { name, email: 'a@example.org' })).json;
  const made = await shop.create(zone, { name, type: 'AAAA', records: ['2001:db8::1'] });
  const path = `/v2/zones/${zone.id}/recordsets/${made.json.id}`;
  const records = [
    ['2001:db8::1'],
    ['2001:DB8::1'],
    ['2001:db8::1', '2001:db8::2'],
    ['2001:db8::2', '2001:db8::1'],
  ];
  return {
    read: () => shop.ask('GET', path),
    change: (body, headers) => shop.ask('PUT', path, body, headers),
    body: () => some(dice, { records, ttl: [null, 60, 61], description: [null, 'a', 'b'] }),
    others: [
      ...publishing(zone.id, dice),
      () => shop.ask('PATCH', `/v2/zones/${zone.id}`, { ttl: 60 + dice.below(10) }),
    ],
  };
}

describe.each([
  ['in a pool without name servers', []],
  ['in a pool with name servers', POOL],
] as const)('%s', (_, pools) => {
  beforeAll(async () => {
    if (pools.length === 0) return;
    const file = join(service.dataDir, 'pools.yaml');
    writeFileSync(file, JSON.stringify(pools));
    const { status, err } = await runHere(['pool', 'apply', file, '--yes'], storeOptions(service.dataDir));
    expect([status, err]).toEqual([0, '']);
  });

  /** Without name servers, the answers to changes say PENDING, and no zone is in error. */
  const statuses = pools.length > 0 ? ['ACTIVE', 'ERROR', 'PENDING'] : ['ACTIVE', 'PENDING'];

  it.each([
    [
      'zone',
      makeZoneWalk,
      ['project_id', 'shared', 'transferred_at', 'ttl', 'email', 'serial', ...BY_EACH_CHANGE],
      statuses,
    ],
    ['secondary zone', makeSecondaryWalk, ['masters', ...BY_EACH_CHANGE], ['ACTIVE', 'ERROR', 'PENDING']],
    ['recordset', makeRecordsetWalk, ['records', 'ttl', ...BY_EACH_CHANGE], statuses],
  ] as const)('each state of a %s has an ETag of its own', async (kind, make, moved, statuses) => {
    const dice = new Random(20_261_122);
    const name = `${kind.replace(' ', '-')}-${pools.length}.example.`;
    await expectOneTagForEachState(await make(dice, name), dice, { moved, statuses });
  });
});

describe('anywhere', () => {
  it('each state of a blacklist has an ETag of its own', async () => {
    const dice = new Random(20_261_123);
    const { json } = await admin.ask('POST', '/v2/blacklists', { pattern: 'a' });
    const path = `/v2/blacklists/${json.id}`;
    const walk: Walk = {
      read: () => admin.ask('GET', path),
      change: (body, headers) => admin.ask('PATCH', path, body, headers),
      body: () => some(dice, { pattern: ['a', 'b', '^c$'], description: [null, 'a', 'b'] }),
      others: [
        () =>
          inStore(
            `update blacklists set exhausted_count = ${dice.below(3)}, exhausted_at = '2026-01-01T00:00:00.000000' where id = '${json.id}'`,
          ),
      ],
    };
    await expectOneTagForEachState(walk, dice, { moved: ['description', 'pattern', 'updated_at'] });
  });

  it('each state of quotas has an ETag of its own, whatever led to it', async () => {
    const dice = new Random(20_261_124);
    const path = '/v2/quotas/somebody';
    const limits = [-1, 0, 1];
    const keys = ['zones', 'zone_recordsets', 'zone_records', 'recordset_records', 'api_export_size'];
    const walk: Walk = {
      read: () => admin.ask('GET', path),
      change: (body, headers) => admin.ask('PATCH', path, body, headers),
      body: () => some(dice, Object.fromEntries(keys.map((key) => [key, limits]))),
      others: [() => admin.ask('DELETE', path)],
    };
    await expectOneTagForEachState(walk, dice, { moved: keys });
  });
});
