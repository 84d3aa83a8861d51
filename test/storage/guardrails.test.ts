import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import type { StoredType } from '../../src/dns/record-types.ts';
import { guardrailChecks } from '../../src/domain/guardrails/guardrails.ts';
import type { ContentChange } from '../../src/model/changes/contents.ts';
import type { RequestContext } from '../../src/model/context/request-context.ts';
import type { GuardrailModes } from '../../src/model/guardrails/guardrail.ts';
import type { Recordset } from '../../src/model/recordsets/recordset.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { commandsOn } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { inStoreOf, storeSettings } from '../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../support/tenant.ts';

const MODES: GuardrailModes = {
  in_use: 'warn',
  dangling_target: 'warn',
  lame_delegation: 'warn',
  mass_deletion: 'warn',
  mail_policy: 'warn',
};
const CONTEXT = { projectId: 'tenant', scope: 'all projects' } as unknown as RequestContext;
const checks = guardrailChecks({
  access: { allows: () => true, require: () => {} } as never,
  apex: { nameServers: ['ns1.servers.example.'] } as never,
  guardrails: MODES,
});

let service: TestService;
let tenant: Tenant;
let store: Store;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
  store = await openStore(storeSettings(service.dataDir));
});
afterAll(async () => {
  await store.close();
  await service.remove();
});

async function put(zone: TestZone, label: string, type: string, ...records: string[]): Promise<void> {
  const texts = records.map((record) => record.replace('@', zone.name));
  const answer = await tenant.create(zone, { name: `${label}.${zone.name}`, type, records: texts });
  expect(answer.status).toBe(202);
}

let made = 0;
function added(zone: TestZone, label: string, type: StoredType, ...records: string[]): ContentChange {
  const recordset: Recordset = {
    id: `new-${++made}`,
    zoneId: zone.id,
    projectId: 'tenant',
    name: canonicalName(`${label}.${zone.name}`),
    type,
    ttl: null,
    records: records.map((record) => record.replace('@', zone.name)),
    spellings: {},
    bytes: 1,
    description: null,
    protection: null,
    expiresAt: null,
    managed: false,
    version: 1,
    createdAt: '2026-01-01T00:00:00.000000',
    updatedAt: null,
  };
  return { kind: 'added', recordset };
}

/** What the guardrails find in a set of changes: names, and the index of the part. */
async function found(zone: TestZone, partsOf: (stored: readonly Recordset[]) => readonly ContentChange[]) {
  return store.transaction(async (tx) => {
    const locked = (await tx.zones.lock(zone.id, 'all projects'))!;
    const stored = (await tx.recordsets.inTreeOrder(locked)).filter(({ managed }) => !managed);
    const parts = partsOf(stored);
    const findings = await checks.find(tx, CONTEXT, { zone: locked, parts, isSet: true });
    return findings.map(({ guardrail, part }) => [guardrail, part]);
  });
}

const removed = (recordset: Recordset): ContentChange => ({ kind: 'removed', recordset });
const isAt = (zone: TestZone, label: string, type?: string) => (one: Recordset) =>
  one.name === `${label}.${zone.name}` && (type === undefined || one.type === type);

describe('a set of changes', () => {
  it('is caught by mass_deletion if it deletes more than half of at least 20 recordsets', async () => {
    const zone = await tenant.makeZone();
    for (let one = 0; one < 19; one++) await put(zone, `a${one}`, 'TXT', '"text"');
    expect(await found(zone, (stored) => stored.map(removed))).toEqual([]);
    await put(zone, 'last', 'TXT', '"text"');
    expect(await found(zone, (stored) => stored.slice(0, 10).map(removed))).toEqual([]);
    expect(await found(zone, (stored) => stored.slice(0, 11).map(removed))).toEqual([
      ['mass_deletion', undefined],
    ]);
  });

  it('is judged by the zone after it, for in_use', async () => {
    const zone = await tenant.makeZone();
    await put(zone, 'host', 'A', '192.0.2.1');
    await put(zone, 'host', 'AAAA', '2001:db8::1');
    await put(zone, 'alias', 'CNAME', 'host.@');
    const addresses = (stored: readonly Recordset[]) => stored.filter(isAt(zone, 'host')).map(removed);
    expect(await found(zone, addresses)).toEqual([['in_use', 0]]);
    expect(await found(zone, (stored) => stored.map(removed))).toEqual([]);
    expect(
      await found(zone, (stored) => [
        ...stored.filter(isAt(zone, 'alias')).map(removed),
        ...addresses(stored),
        added(zone, 'other', 'MX', '10 host.@'),
      ]),
    ).toEqual(expect.arrayContaining([['in_use', 1]]));
    expect(
      await found(zone, (stored) => {
        const before = stored.find(isAt(zone, 'alias'))!;
        const recordset = { ...before, records: [`alias.${zone.name}`] };
        return [{ kind: 'replaced', before, recordset }, ...addresses(stored)];
      }),
    ).toEqual([]);
  });

  it('is judged by the zone after it, for dangling_target', async () => {
    const zone = await tenant.makeZone();
    await put(zone, '*', 'A', '192.0.2.1');
    await put(zone, 'x.sub', 'A', '192.0.2.1');
    const alias = added(zone, 'alias', 'CNAME', 'a.sub.@');
    const dangling = [['dangling_target', 0]];
    expect(await found(zone, () => [alias])).toEqual(dangling);
    expect(await found(zone, () => [alias, added(zone, 'a.sub', 'TXT', '"x"')])).toEqual([]);
    expect(await found(zone, () => [alias, added(zone, 'sub', 'DNAME', 'elsewhere.example.')])).toEqual([]);
    // Without x.sub, the wildcard covers the name; with another name below sub, it does not.
    const without = (stored: readonly Recordset[]) => [
      alias,
      ...stored.filter(isAt(zone, 'x.sub')).map(removed),
    ];
    expect(await found(zone, without)).toEqual([]);
    expect(await found(zone, (stored) => [...without(stored), added(zone, 'y.sub', 'TXT', '"x"')])).toEqual(
      dangling,
    );
    await put(zone, 'z.sub', 'TXT', '"x"');
    expect(await found(zone, without)).toEqual(dangling);
    expect(await found(zone, (stored) => [alias, ...stored.map(removed)])).toEqual(dangling);
  });

  it('is judged by the zone after it, for mail_policy, and each fault is said once', async () => {
    const zone = await tenant.makeZone();
    await put(zone, 'host', 'A', '192.0.2.1');
    const mx = added(zone, 'mail', 'MX', '10 alias.@');
    const alias = added(zone, 'alias', 'CNAME', 'host.@');
    expect(await found(zone, () => [alias, mx])).toEqual([['mail_policy', 1]]);
    await put(zone, 'alias', 'CNAME', 'host.@');
    expect(await found(zone, () => [mx])).toEqual([['mail_policy', 0]]);
    expect(
      await found(zone, (stored) => [
        mx,
        ...stored.filter(isAt(zone, 'alias')).map(removed),
        added(zone, 'alias', 'A', '192.0.2.7'),
      ]),
    ).toEqual([]);
  });

  it('may have thousands of parts', async () => {
    const zone = await tenant.makeZone();
    const parts = Array.from({ length: 2000 }, (_, one) => added(zone, `a${one}`, 'CNAME', 'gone.@'));
    expect(await found(zone, () => parts)).toHaveLength(2000);
  });
});

describe('the index of targets', () => {
  const targets = () => inStoreOf(service.dataDir, 'select * from record_targets order by key');

  async function pass(): Promise<void> {
    while (await store.transaction((tx) => tx.targetIndex.indexNext('2026-11-27T00:00:00.000000')));
  }

  it('needs no pass in a new store', async () => {
    expect(await store.targetIndex.progress()).toEqual({ passes: 2, finishedAt: '' });
  });

  it('is built for recordsets of earlier versions, and corrected where they changed them', async () => {
    const zone = await tenant.makeZone();
    await put(zone, 'alias', 'CNAME', 'alias.@');
    await put(zone, 'mail', 'MX', '10 alias.@', '20 mail.@');
    await put(zone, 'text', 'TXT', '"10 alias.@"');
    const before = await targets();
    expect(before.length).toBeGreaterThanOrEqual(3);
    const wrong: readonly string[][] = [
      ['delete from record_targets'],
      [`update record_targets set project_id = 'another'`],
      [
        `insert into record_targets (key, recordset_id, project_id, target, type)
        values ('0000 gone.example.', '0000', 'tenant', 'gone.example.', 'CNAME')`,
      ],
    ];
    for (const statements of wrong) {
      await inStoreOf(service.dataDir, ...statements);
      expect(await targets()).not.toEqual(before);
      await pass();
      expect(await targets()).toEqual(before);
    }
    expect((await store.targetIndex.progress()).passes).toBe(2 + wrong.length);
  });

  it('is compared and repaired by verify', async () => {
    const before = await targets();
    const commands = commandsOn(service.dataDir);
    expect(await commands(['verify'])).toMatchObject({ status: 0 });
    await inStoreOf(service.dataDir, `update record_targets set target = 'wrong.example.'`);
    const told = await commands(['verify']);
    expect([told.status, told.out]).toEqual([1, expect.stringContaining('index of targets is wrong for')]);
    expect((await commands(['verify', '--repair'])).status).toBe(0);
    expect(await commands(['verify'])).toMatchObject({ status: 0 });
    expect((await targets()).map(({ target }) => target).sort()).toEqual(
      before.map(({ target }) => target).sort(),
    );
  });

  it('loses the targets of a deleted zone', async () => {
    const zone = await tenant.makeZone();
    await put(zone, 'alias', 'CNAME', 'alias.@');
    const own = `select target from record_targets where target = 'alias.${zone.name}'`;
    expect(await inStoreOf(service.dataDir, own)).toHaveLength(1);
    await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
    expect(await inStoreOf(service.dataDir, own)).toEqual([]);
  });
});
