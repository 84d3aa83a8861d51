/** Secondary zones in what is done with any zone: copied, abandoned, exported, given away, verified. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RequestContext, serviceContext } from '../../src/model/context/request-context.ts';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import type { TsigKeyDraft } from '../../src/model/tsig-keys/tsig-key.ts';
import type { Finding } from '../../src/model/verification/stored.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { openStore } from '../../src/storage/open.ts';
import { placeOf } from '../support/copy-stores.ts';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { apexNs, context, record, soaOf, useSecondarySite, whole } from '../support/secondaries.ts';
import { storeSettings } from '../support/store.ts';

const site = useSecondarySite();

/** A zone whose master has types that nobody could write here. */
async function fill(zone: Zone, serial = 7): Promise<Zone> {
  return site.fill(zone, serial, [
    record(`www.${zone.name}`, 'A', '192.0.2.1'),
    record(`www.${zone.name}`, 'A', '192.0.2.2'),
    record(`www.${zone.name}`, 'TYPE46', '\\# 3 0a0b0c'),
    record(`odd.${zone.name}`, 'TYPE65280', '\\# 0'),
  ]);
}

async function findings(zone: Zone): Promise<readonly string[]> {
  const found: string[] = [];
  const report = ({ about, id, name, fault }: Finding): void => {
    if (id === zone.id || name?.includes(zone.name)) found.push(`${about}: ${fault}`);
  };
  await site.useCases.verifications.verify(context, { repairs: false, report });
  return found;
}

describe('db copy', () => {
  it('keeps a secondary zone with what is known of its masters, there and back', async () => {
    const [awaited, expired, filled] = [await site.create(), await site.create(), await site.create()];
    await site.useCases.secondaries.failed(await site.claim(awaited), {
      reason: 'No master answered.',
      isOfMasters: true,
      isCostly: false,
    });
    for (const zone of [expired, filled]) await fill(zone);
    await site.inStore(
      `update secondaries set expires_at = '2001-01-01T00:00:00.000000' where zone_id = '${expired.id}'`,
    );
    await site.useCases.secondaries.claim(1);
    await site.useCases.secondaries.transferAnew(context, filled.id);
    const folder = temporaryFolder();
    const [there, back] = [join(folder.path, 'there'), join(folder.path, 'back')];
    for (const [from, to] of [
      [placeOf(site.dataDir), there],
      [there, placeOf(back)],
    ] as const) {
      expect(await runHere(['db', 'copy', from, to])).toMatchObject({ status: 0, err: '' });
    }
    const copied = await openStore(storeSettings(back));
    for (const zone of [awaited, expired, filled]) {
      const [state, same] = [await copied.secondaries.find(zone.id), await site.look(zone)];
      expect(state).toEqual(await site.store.secondaries.find(zone.id));
      expect(await copied.zones.find(zone.id, 'all projects')).toEqual(same);
      const rows = (store: typeof copied) => store.recordsets.inTreeOrder(zone);
      expect(await rows(copied)).toEqual(await rows(site.store));
    }
    const claimed = await copied.transaction((tx) => tx.secondaries.claim('2999', '2999', 100));
    expect(claimed.find(({ zoneId }) => zoneId === filled.id)).toMatchObject({ serial: 7, wantsWhole: true });
    await copied.close();
    folder.remove();
  });
});

describe('abandoning a secondary zone', () => {
  it('forgets its masters, and what is on the way from them', async () => {
    const zone = await site.create();
    await fill(zone);
    const claimed = await site.claim(zone);
    await site.useCases.zones.abandon(context, zone.id, { endsShares: false });
    const transfer = whole(soaOf(8), [apexNs(zone.name)]);
    await expect(site.useCases.secondaries.take(claimed, transfer)).rejects.toThrow(/is deleted/);
    expect(await site.store.secondaries.find(zone.id)).toBeUndefined();
    expect(await site.useCases.secondaries.notified(zone.name, '192.0.2.1', undefined)).toBe(false);
    const again = await site.create(zone.name);
    expect(await site.look(again)).toMatchObject({ isAwaited: true, recordsets: 0, bytes: 0 });
    expect(await site.claim(again)).toMatchObject({ serial: null });
  });
});

describe('the export of a secondary zone', () => {
  it('has every record, types that are not known here in their general form, and the SOA of the master', async () => {
    const zone = await site.create();
    await fill(zone);
    const { id } = await site.useCases.exports.create(context, zone.id);
    let text = '';
    for await (const piece of await site.useCases.exports.content(context, id)) text += piece;
    expect(text.split('\n').filter((line) => line !== '')).toEqual([
      `$ORIGIN ${zone.name}`,
      '$TTL 3600',
      `${zone.name}  IN SOA ${soaOf(7).rdata}`,
      `${zone.name} 3600 IN NS ns.master.example.`,
      `odd.${zone.name} 300 IN TYPE65280 \\# 0`,
      `www.${zone.name} 300 IN A 192.0.2.1`,
      `www.${zone.name} 300 IN A 192.0.2.2`,
      `www.${zone.name} 300 IN TYPE46 \\# 3 0a0b0c`,
    ]);
  });
});

describe('the key of a secondary zone', () => {
  const draft = (name: string, more: Pick<TsigKeyDraft, 'scope' | 'resourceId'>): TsigKeyDraft => ({
    name,
    algorithm: 'hmac-sha256',
    secret: 'c2VjcmV0',
    ...more,
  });

  it('is that of the scope ZONE with its id, and a NOTIFY has to be signed with it', async () => {
    const [zone, other] = [await site.create(), await site.create()];
    const keys = [
      draft('pool-key', { scope: 'POOL', resourceId: DEFAULT_POOL_ID }),
      draft('other-key', { scope: 'ZONE', resourceId: other.id }),
    ];
    for (const key of keys) await site.useCases.tsigKeys.create(context, key);
    expect((await site.claim(zone)).key).toBeNull();
    const own = draft('own-key', { scope: 'ZONE', resourceId: zone.id });
    const { id } = await site.useCases.tsigKeys.create(context, own);
    expect((await site.claim(zone)).key).toMatchObject({ name: 'own-key', secret: 'c2VjcmV0' });
    expect((await site.claim(other)).key).toMatchObject({ name: 'other-key' });
    const notified = (key?: string) => site.useCases.secondaries.notified(zone.name, '192.0.2.1', key);
    expect([await notified(), await notified('other-key'), await notified('pool-key')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await notified('own-key')).toBe(true);
    await site.useCases.tsigKeys.remove(context, id);
    expect((await site.claim(zone)).key).toBeNull();
    expect(await notified()).toBe(true);
  });
});

describe('a secondary zone that goes to another project', () => {
  const counted = async (projectId: string) => {
    const { zones, recordsets } = await site.store.projects.state(projectId);
    return { zones, recordsets };
  };

  async function give(zone: Zone, projectId: string): Promise<void> {
    const { id, key } = await site.useCases.transferRequests.create(context, zone.id, {});
    const taker: RequestContext = {
      ...serviceContext(projectId),
      caller: { ...context.caller, projectId },
      scope: { projectId },
    };
    await site.useCases.transferAccepts.create(taker, { requestId: id, key });
  }

  it('takes its recordsets with it, keeps its serial and its state, and grows within the limits of its new owner', async () => {
    const zone = await site.create();
    await fill(zone);
    const before = { state: await site.store.secondaries.find(zone.id), counts: await counted('admin') };
    const underWay = await site.claim(zone);
    const lease = await site.store.secondaries.find(zone.id);
    await give(zone, 'taker');
    expect(await site.look(zone)).toMatchObject({ projectId: 'taker', serial: 7, type: 'SECONDARY' });
    expect(await site.store.secondaries.find(zone.id)).toEqual(lease);
    expect(lease).toMatchObject({ masters: before.state!.masters, expiresAt: before.state!.expiresAt });
    expect(await counted('taker')).toEqual({ zones: 1, recordsets: 3 });
    expect(await counted('admin')).toEqual({
      zones: before.counts.zones - 1,
      recordsets: before.counts.recordsets - 3,
    });
    await site.useCases.quotas.set(context, 'taker', { zone_recordsets: 4 });
    const names = (count: number) => [
      apexNs(zone.name),
      ...Array.from({ length: count }, (_, at) => record(`n${at}.${zone.name}`, 'A', '192.0.2.1')),
    ];
    // A transfer that was under way when the zone was given is the new owner's.
    await site.useCases.secondaries.take(underWay, whole(soaOf(8), names(4)));
    const tooMany = site.useCases.secondaries.take(await site.claim(zone), whole(soaOf(9), names(5)));
    await expect(tooMany).rejects.toThrow(/Quota exceeded for zone_recordsets/);
    expect(await counted('taker')).toEqual({ zones: 1, recordsets: 4 });
    expect(await findings(zone)).toEqual([]);
  });
});

describe('the verification of a secondary zone', () => {
  it('rewrites names in the form of an earlier version, and joins what they kept apart', async () => {
    const zone = await site.create();
    const at = (label: string) => `${label}.${zone.name}`;
    await site.fill(zone, 7, [
      record(at('a&b'), 'PTR', 'x.example.', 60),
      record(at('a\\038b'), 'PTR', 'y.example.', 30),
      record(at('c'), 'SRV', '0 0 1 d\\038e.example.', 60),
    ]);
    await site.inStore(
      `update recordsets set records = replace(records, '\\\\038', '&') where zone_id = '${zone.id}'`,
    );
    const expected = 'zone: 2 of its recordsets have names in the form of an earlier version';
    expect(await findings(zone)).toContainEqual(expect.stringContaining(expected));
    await site.useCases.verifications.verify(context, { repairs: true, report() {} });
    expect(await findings(zone)).toEqual([]);
    expect((await site.contents(zone)).slice(2)).toEqual([
      `${at('a\\038b')} PTR 30 x.example. y.example.`,
      `${at('c')} SRV 60 0 0 1 d\\038e.example.`,
    ]);
    expect(await site.look(zone)).toMatchObject({ recordsets: 2, records: 3, serial: 7 });
    const report = (finding: Finding) => expect(finding).not.toMatchObject({ about: 'project' });
    await site.useCases.verifications.verify(context, { repairs: false, report });
  });

  /** Damages a sound zone, and says what is found wrong with it. */
  async function damaged(statement: (zone: Zone) => string): Promise<readonly string[]> {
    const zone = await site.create();
    await fill(zone);
    expect(await findings(zone)).toEqual([]);
    await site.inStore(statement(zone));
    const found = await findings(zone);
    await site.useCases.zones.remove(context, zone.id, { endsShares: false });
    return found;
  }

  const soaRow = (id: string) => `where zone_id = '${id}' and type = 'SOA'`;

  it.each([
    [
      'a wrong counter',
      ({ id }: Zone) => `update zones set records = records + 1 where id = '${id}'`,
      /^zone: The counters say 3 recordsets, 5 records .* there are 3, 4 and/,
    ],
    [
      'a SOA of another serial than that of the zone',
      ({ id }: Zone) => `update zones set serial = 8 where id = '${id}'`,
      /^recordset: The SOA has the serial 7; the zone has 8\.$/,
    ],
    [
      'a SOA that is no SOA',
      ({ id }: Zone) => `update recordsets set records = '["broken"]' ${soaRow(id)}`,
      /^recordset: The record "broken" is not canonical rdata\.$/,
    ],
    [
      'a SOA that cannot be read',
      ({ id }: Zone) => `update recordsets set records = 'broken' ${soaRow(id)}`,
      /^recordset: The records cannot be read\.$/,
    ],
    [
      'a SOA that is missing',
      ({ id }: Zone) => `delete from recordsets ${soaRow(id)}`,
      /^zone: The SOA is missing\.$/,
    ],
    [
      'rdata of a foreign type that is not in the general form',
      ({ id }: Zone) =>
        `update recordsets set records = '["10 x"]' where zone_id = '${id}' and type = 'TYPE46'`,
      /^recordset: The record "10 x" is not canonical rdata\.$/,
    ],
    [
      'no masters',
      ({ id }: Zone) => `update secondaries set masters = '[]' where zone_id = '${id}'`,
      /^zone: Its type is SECONDARY, and it has 0 masters\.$/,
    ],
    [
      'no state of its masters',
      ({ id }: Zone) => `delete from secondaries where zone_id = '${id}'`,
      /^zone: Its type is SECONDARY, and it has 0 masters\.$/,
    ],
  ])('finds %s', async (_, statement, fault) => {
    expect(await damaged(statement)).toContainEqual(expect.stringMatching(fault));
  });

  it('takes no offence at what only a master may have', async () => {
    const zone = await site.create();
    await site.fill(zone, 0, [
      record(`www.${zone.name}`, 'CNAME', 'other.example.'),
      record(`www.${zone.name}`, 'A', '192.0.2.1'),
      record(`a\\033b.${zone.name}`, 'A', '192.0.2.2'),
      record(`cut.${zone.name}`, 'NS', 'ns.example.'),
      record(`below.cut.${zone.name}`, 'TXT', '"hidden"'),
    ]);
    expect(await findings(zone)).toEqual([]);
  });
});
