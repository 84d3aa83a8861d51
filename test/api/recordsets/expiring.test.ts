/** Recordsets that expire: who sets when, what deletes them, and what keeps them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { until } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let owner: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  owner = await tenantOf(service, 'owner');
});
afterAll(() => service.remove());

const LATER = '2999-01-31T12:00:00.000000';
const PAST = '2001-01-31T12:00:00.000000';

interface Made {
  readonly id: string;
  readonly zone_id: string;
  readonly name: string;
  readonly version: number;
  readonly expires_at?: string;
}

const pathOf = ({ zone_id, id }: Made) => `/v2/zones/${zone_id}/recordsets/${id}`;
const create = (zone: TestZone, label: string, extra: object): Promise<Answer> =>
  owner.create(zone, { name: `${label}.${zone.name}`, type: 'A', records: ['192.0.2.1'], ...extra });
async function made(zone: TestZone, label: string, extra: object): Promise<Made> {
  const { status, json, text } = await create(zone, label, extra);
  expect([status, text]).toEqual([202, text]);
  return json;
}
const put = (recordset: Made, body: object) => owner.ask('PUT', pathOf(recordset), body);
const get = async (recordset: Made) => (await owner.ask('GET', pathOf(recordset))).json as Made;
/** Lets recordsets expire that were to expire later. */
const expire = async (...recordsets: readonly Made[]) => {
  const ids = recordsets.map(({ id }) => `'${id}'`).join(', ');
  await inStoreOf(service.dataDir, `update recordsets set expires_at = '${PAST}' where id in (${ids})`);
};
const namesIn = (zone: TestZone) => owner.list(`/v2/zones/${zone.id}/recordsets`);
const untilNames = (zone: TestZone, labels: readonly string[]) =>
  until(async () => {
    const names = labels.map((label) => `${label}.${zone.name}`);
    expect((await namesIn(zone)).sort()).toEqual(names);
  });
const changeOf = (zone: TestZone, change: object) =>
  owner.ask('POST', `/v2/zones/${zone.id}/changes`, { changes: [change] });
const changesOf = async (zone: TestZone) =>
  (await owner.ask('GET', `/v2/zones/${zone.id}/changes`)).json.changes;

describe('the time when a recordset expires', () => {
  it('is set by its create, changed and taken away by updates, and shown while there is one', async () => {
    const zone = await owner.makeZone();
    const recordset = await made(zone, 'www', { expires_at: '2999-01-31T13:00:00+01:00' });
    expect(recordset.expires_at).toBe(LATER);
    const { json: list } = await owner.ask('GET', `/v2/zones/${zone.id}/recordsets?name=${recordset.name}`);
    expect(list.recordsets[0]).toMatchObject({ expires_at: LATER });
    const longer = '2999-02-01T00:00:00.000000';
    expect((await put(recordset, { expires_at: longer })).json.expires_at).toBe(longer);
    expect((await put(recordset, { ttl: 60 })).json.expires_at).toBe(longer);
    expect((await put(recordset, { expires_at: null })).json).not.toHaveProperty('expires_at');
    expect(await get(recordset)).not.toHaveProperty('expires_at');
  });

  it('steps the version of the recordset, and no serial', async () => {
    const zone = await owner.makeZone();
    const recordset = await made(zone, 'www', {});
    const { serial } = await owner.look(zone);
    expect((await put(recordset, { expires_at: LATER })).json.version).toBe(recordset.version + 1);
    expect((await owner.look(zone)).serial).toBe(serial);
  });

  it.each(['2001-01-01T00:00:00', 'tomorrow', '2999-02-30T00:00:00', 7, ''])(
    'is not %j',
    async (expires_at) => {
      const zone = await owner.makeZone();
      const refused = await create(zone, 'www', { expires_at });
      expect([refused.status, refused.json.type, refused.json.errors.errors[0].path]).toEqual([
        400,
        'invalid_object',
        ['expires_at'],
      ]);
      const recordset = await made(zone, 'www', {});
      expect((await put(recordset, { expires_at })).json.type).toBe('invalid_object');
      expect((await owner.look(zone)).version).toBe(zone.version + 1);
    },
  );

  it('of a protected recordset does not change', async () => {
    const zone = await owner.makeZone();
    const recordset = await made(zone, 'www', { protected: true, expires_at: LATER });
    expect((await put(recordset, { expires_at: null })).json.type).toBe('protected');
    expect((await get(recordset)).expires_at).toBe(LATER);
  });

  it('stays when a set of changes or new contents change the recordset', async () => {
    const zone = await owner.makeZone();
    const recordset = await made(zone, 'www', { expires_at: LATER });
    const change = { action: 'replace', name: recordset.name, type: 'A', records: ['192.0.2.2'] };
    await owner.ask('POST', `/v2/zones/${zone.id}/changes`, { changes: [change] });
    expect(await get(recordset)).toMatchObject({ records: ['192.0.2.2'], expires_at: LATER });
    const recordsets = [{ name: recordset.name, type: 'A', ttl: null, records: ['192.0.2.3'] }];
    await owner.ask('PUT', `/v2/zones/${zone.id}/contents`, { recordsets });
    expect(await get(recordset)).toMatchObject({ records: ['192.0.2.3'], expires_at: LATER });
  });
});

describe.concurrent('what has expired', () => {
  it('does not come back over what has taken its place', async () => {
    const zone = await owner.makeZone();
    const old = await made(zone, 'www', { expires_at: LATER });
    const { serial } = await owner.look(zone);
    await expire(old);
    await untilNames(zone, []);
    const recent = await made(zone, 'www', { records: ['192.0.2.9'] });
    await owner.ask('POST', `/v2/zones/${zone.id}/restore`, { serial });
    expect(await get(recent)).toMatchObject({ id: recent.id, records: ['192.0.2.9'] });
  });

  it('is deleted by the service: all of a zone in one change, one step of the serial, and one event', async () => {
    const zone = await owner.makeZone();
    const soon: Made[] = [];
    for (const label of ['a', 'b', 'c']) soon.push(await made(zone, label, { expires_at: LATER }));
    await made(zone, 'later', { expires_at: LATER });
    await made(zone, 'never', {});
    const { serial } = await owner.look(zone);
    await expire(...soon);
    await untilNames(zone, ['later', 'never']);
    const [change] = await changesOf(zone);
    expect(change).toMatchObject({ door: 'service', from_serial: serial, summary: { delete: 3 } });
    const events = await eventsOf(service, `&target_id=${zone.id}&type=recordsets.changed`);
    expect(events.map(({ details }) => details?.door)).toEqual(['service']);
  });

  it('stays if the same is written to it once it has ended', async () => {
    const zone = await owner.makeZone();
    const [kept, gone] = [
      await made(zone, 'kept', { expires_at: LATER }),
      await made(zone, 'gone', { expires_at: LATER }),
    ];
    await expire(kept, gone);
    const change = { action: 'upsert', name: kept.name, type: 'A', records: ['192.0.2.1'] };
    // If it is deleted already, that creates it.
    expect((await changeOf(zone, change)).status).toBe(202);
    await untilNames(zone, ['kept']);
    const { json } = await owner.ask('GET', `/v2/zones/${zone.id}/recordsets?name=${kept.name}`);
    expect(json.recordsets[0]).not.toHaveProperty('expires_at');
  });

  it.each<[string, (zone: TestZone, one: Made) => Promise<Answer>]>([
    [
      'a removal of a record that it has not',
      (zone, { name }) => changeOf(zone, { action: 'remove', name, type: 'A', records: ['192.0.2.9'] }),
    ],
    ['a new TTL alone', (zone, { name }) => changeOf(zone, { action: 'replace', name, type: 'A', ttl: 77 })],
  ])('goes in spite of %s', async (_, act) => {
    const zone = await owner.makeZone();
    const gone = await made(zone, 'gone', { expires_at: LATER });
    await expire(gone);
    // It may be deleted already.
    expect([200, 202, 404, 409]).toContain((await act(zone, gone)).status);
    await untilNames(zone, []);
  });

  it('waits while it is protected, and goes once it is not', async () => {
    const zone = await owner.makeZone();
    const kept = await made(zone, 'kept', { protected: true, expires_at: LATER });
    await expire(kept, await made(zone, 'gone', { expires_at: LATER }));
    await untilNames(zone, ['kept']);
    // An unchanged time is no new one, so it may have passed.
    expect((await put(kept, { protected: false, expires_at: PAST })).status).toBe(202);
    await untilNames(zone, []);
  });

  it('goes even where a guardrail refuses that to clients', async () => {
    const zone = await owner.makeZone();
    await owner.ask('PATCH', `/v2/zones/${zone.id}/guardrails`, { in_use: 'refuse' });
    const target = await made(zone, 'target', { expires_at: LATER });
    const alias = { name: `alias.${zone.name}`, type: 'CNAME', records: [target.name] };
    expect((await owner.create(zone, alias)).status).toBe(202);
    expect((await owner.ask('DELETE', pathOf(target))).json.type).toBe('guardrail');
    await expire(target);
    await untilNames(zone, ['alias']);
  });

  it('stays away when the zone is restored or the change reverted; what has not expired comes back', async () => {
    const zone = await owner.makeZone();
    const gone = await made(zone, 'gone', { expires_at: LATER });
    const kept = await made(zone, 'kept', { expires_at: LATER });
    await expire(gone);
    const { serial } = await owner.look(zone);
    await untilNames(zone, ['kept']);
    const [expiry] = await changesOf(zone);
    await owner.ask('DELETE', pathOf(kept));
    const reverted = await owner.ask('POST', `/v2/zones/${zone.id}/changes/${expiry.id}/revert`, {});
    expect([reverted.status, reverted.json.status]).toEqual([200, 'UNCHANGED']);
    const restored = await owner.ask('POST', `/v2/zones/${zone.id}/restore`, { serial });
    expect(restored.json.summary).toMatchObject({ create: 1, delete: 0 });
    expect(await namesIn(zone)).toEqual([kept.name]);
    expect(await get(kept)).toMatchObject({ id: kept.id, expires_at: LATER });
  });
});
