/** Protected recordsets: what protects them, what is refused meanwhile, and who may take the protection off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let owner: Tenant;
let reader: Tenant;
let guest: Tenant;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_RECORDSET_RECORDS: '2',
  });
  owner = await tenantOf(service, 'owner');
  reader = await tenantOf(service, 'owner', 'reader');
  guest = await tenantOf(service, 'guest');
});
afterAll(() => service.remove());

const REASON = 'the mail of all customers';
const GUARDED = { protected: true, protection_reason: REASON };
const pathOf = ({ zone_id, id }: { zone_id: string; id: string }) => `/v2/zones/${zone_id}/recordsets/${id}`;
const typeOf = ({ status, json }: Answer) => [status, json?.type];
const faultsOf = ({ json }: Answer) => json.errors.errors.map(({ path }: { path: string[] }) => path[0]);

let made = 0;
async function create(extra: object, zone?: TestZone, as = owner): Promise<Answer> {
  const within = zone ?? (await owner.makeZone());
  const name = `www-${++made}.${within.name}`;
  return as.create(within, { name, type: 'A', records: ['192.0.2.1'], ttl: 60, ...extra });
}
const made202 = async (extra: object, zone?: TestZone, as = owner) => {
  const { status, json, text } = await create(extra, zone, as);
  expect([status, text]).toEqual([202, text]);
  return json;
};
const put = (recordset: { zone_id: string; id: string }, body: object, as = owner) =>
  as.ask('PUT', pathOf(recordset), body);
const get = async (recordset: { zone_id: string; id: string }) =>
  (await owner.ask('GET', pathOf(recordset))).json;

describe('a recordset', () => {
  it('is protected by its create, and shows that and the reason wherever it is shown', async () => {
    const recordset = await made202(GUARDED);
    expect(recordset).toMatchObject(GUARDED);
    expect(await get(recordset)).toMatchObject(GUARDED);
    const { json } = await owner.ask(
      'GET',
      `/v2/zones/${recordset.zone_id}/recordsets?name=${recordset.name}`,
    );
    expect(json.recordsets[0]).toMatchObject(GUARDED);
    expect(await made202({ protected: true })).toMatchObject({ protected: true, protection_reason: null });
  });

  it.each([
    {},
    { protected: false },
    { protected: false, protection_reason: null },
    { protection_reason: null },
  ])('created with %j shows no protection', async (extra) => {
    const recordset = await made202(extra);
    expect(recordset).not.toHaveProperty('protected');
    expect(recordset).not.toHaveProperty('protection_reason');
  });

  it('is protected by PUT, together with other changes; the serial takes a step only for those', async () => {
    const zone = await owner.makeZone();
    const recordset = await made202({}, zone);
    const before = await owner.look(zone);
    const guarded = await put(recordset, GUARDED);
    expect(guarded.json).toMatchObject({ ...GUARDED, version: 2 });
    expect(guarded.json.updated_at).not.toBeNull();
    const after = await owner.look(zone);
    expect([after.serial, after.version]).toEqual([before.serial, before.version + 1]);
    const both = await made202({}, zone);
    const { serial } = await owner.look(zone);
    expect((await put(both, { ...GUARDED, ttl: 300 })).json).toMatchObject({ ...GUARDED, ttl: 300 });
    expect((await owner.look(zone)).serial).toBeGreaterThan(serial);
  });

  it('gets another ETag with its protection', async () => {
    const recordset = await made202({});
    const etagOf = async () => (await owner.ask('GET', pathOf(recordset))).headers.get('etag');
    const before = await etagOf();
    await put(recordset, GUARDED);
    expect(await etagOf()).not.toBe(before);
  });

  it('has events that show the protection where it differs, and only there', async () => {
    const zone = await owner.makeZone();
    const recordset = await made202({}, zone);
    await put(recordset, { ttl: 61 });
    await put(recordset, GUARDED);
    await put(recordset, { protection_reason: 'another' });
    await put(recordset, { protected: false });
    const guarded = await made202(GUARDED, zone);
    const events = await eventsOf(service, `&target_id=${zone.id}`);
    const [made, off, reason, on, ttl, plain] = events;
    expect(plain!.after).not.toHaveProperty('protected');
    expect([ttl!.before, ttl!.after]).toEqual([{ ttl: 60 }, { ttl: 61 }]);
    const none = { protected: false, protection_reason: null };
    expect([on!.before, on!.after]).toEqual([none, GUARDED]);
    expect([reason!.before, reason!.after]).toEqual([
      { protection_reason: REASON },
      { protection_reason: 'another' },
    ]);
    expect([off!.before, off!.after]).toEqual([{ ...GUARDED, protection_reason: 'another' }, none]);
    expect([made!.type, made!.after]).toMatchObject([
      'recordset.created',
      { name: guarded.name, ...GUARDED },
    ]);
  });
});

describe('a protected recordset', () => {
  it.each([
    { ttl: 61 },
    { ttl: null },
    { records: ['192.0.2.2'] },
    { records: ['192.0.2.1', '192.0.2.2'] },
    { description: 'new' },
    { protected: true, ttl: 61 },
    { protected: false, ttl: 61 },
    { protected: false, description: 'new' },
    { protection_reason: 'another', ttl: 61 },
  ])('refuses a PUT of %j, and says what is protected, why, and what to do', async (body) => {
    const recordset = await made202(GUARDED);
    const before = await get(recordset);
    const answer = await put(recordset, body);
    expect(typeOf(answer)).toEqual([409, 'protected']);
    expect(answer.json.message).toBe(
      `The recordset ${recordset.name} A is protected (${REASON}). Set "protected": false first, in a request of its own.`,
    );
    expect(await get(recordset)).toEqual(before);
  });

  it('refuses another order and another spelling of its records', async () => {
    const records = ['2001:db8::1', '2001:db8::2'];
    const recordset = await made202({ type: 'AAAA', records, protected: true });
    for (const other of [records.toReversed(), ['2001:DB8::1', '2001:db8::2']])
      expect(typeOf(await put(recordset, { records: other }))).toEqual([409, 'protected']);
    expect((await put(recordset, { records })).status).toBe(202);
  });

  it('refuses its deletion, without a reason in the message if it has none', async () => {
    const recordset = await made202({ protected: true });
    const answer = await owner.ask('DELETE', pathOf(recordset));
    expect(typeOf(answer)).toEqual([409, 'protected']);
    expect(answer.json.message).toMatch(/^The recordset \S+ A is protected\. Set /);
    expect((await get(recordset)).protected).toBe(true);
  });

  it('takes back what GET answers, and a PUT of the same data', async () => {
    const recordset = await made202(GUARDED);
    const { status, json } = await put(recordset, await get(recordset));
    expect([status, json.protected, json.protection_reason]).toEqual([202, true, REASON]);
    const { ttl, records } = recordset;
    expect((await put(recordset, { protected: true, ttl, records })).status).toBe(202);
    expect((await put(recordset, { ttl, records, description: null })).status).toBe(202);
  });

  it('takes another reason, and none', async () => {
    const recordset = await made202(GUARDED);
    expect((await put(recordset, { protection_reason: 'another' })).json).toMatchObject({
      protected: true,
      protection_reason: 'another',
    });
    expect((await put(recordset, { protected: true, protection_reason: null })).json).toMatchObject({
      protected: true,
      protection_reason: null,
    });
  });

  it('loses its protection, and the reason with it, in a request of its own; then it can be changed and deleted', async () => {
    const recordset = await made202(GUARDED);
    const { ttl, records } = recordset;
    const off = await put(recordset, { protected: false, ttl, records });
    expect(off.status).toBe(202);
    expect(off.json).not.toHaveProperty('protected');
    expect((await put(recordset, { protected: true })).json.protection_reason).toBeNull();
    expect((await put(recordset, { protected: false })).status).toBe(202);
    expect((await put(recordset, { ttl: 61 })).status).toBe(202);
    expect((await owner.ask('DELETE', pathOf(recordset))).status).toBe(202);
  });

  it('leaves other recordsets of the zone and of its name as changeable as before', async () => {
    const zone = await owner.makeZone();
    const { name } = await made202(GUARDED, zone);
    const other = await made202({ name, type: 'TXT', records: ['"a"'] }, zone);
    expect((await put(other, { ttl: 61 })).status).toBe(202);
    expect((await owner.ask('DELETE', pathOf(other))).status).toBe(202);
  });

  it('is as protected from parallel requests, which share a transaction', async () => {
    const zone = await owner.makeZone();
    const guarded = await made202(GUARDED, zone);
    const answers = await Promise.all([
      create({}, zone),
      ...Array.from({ length: 6 }, (_, ttl) => put(guarded, { ttl })),
      owner.ask('DELETE', pathOf(guarded)),
      create({}, zone),
    ]);
    const [first, last] = [answers.shift()!, answers.pop()!];
    expect([first.status, last.status]).toEqual([202, 202]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
  });
});

describe('the protection of a recordset', () => {
  it.each([
    [{ protection_reason: REASON }, 'protection_reason'],
    [{ protected: false, protection_reason: REASON }, 'protection_reason'],
    [{ protected: 'true' }, 'protected'],
    [{ protected: null }, 'protected'],
    [{ protected: 1 }, 'protected'],
    [{ protected: true, protection_reason: 7 }, 'protection_reason'],
    [{ protected: true, protection_reason: 'a'.repeat(1025) }, 'protection_reason'],
    [{ protected: true, protection_reason: 'a\u0000' }, 'protection_reason'],
  ])('cannot be %j', async (extra, path) => {
    const created = await create(extra);
    expect([...typeOf(created), faultsOf(created)]).toEqual([400, 'invalid_object', [path]]);
    const recordset = await made202({});
    const changed = await put(recordset, extra);
    expect([...typeOf(changed), faultsOf(changed)]).toEqual([400, 'invalid_object', [path]]);
    expect((await get(recordset)).version).toBe(1);
  });

  it('cannot be taken off with a reason that stays', async () => {
    const recordset = await made202(GUARDED);
    const answer = await put(recordset, { ...GUARDED, protected: false });
    expect([...typeOf(answer), faultsOf(answer)]).toEqual([400, 'invalid_object', ['protection_reason']]);
  });

  it('has a reason of up to 1,024 characters', async () => {
    const protection_reason = '𝄞'.repeat(1024);
    expect((await made202({ protected: true, protection_reason })).protection_reason).toBe(protection_reason);
  });

  it('is not for the records that the service manages', async () => {
    const zone = await owner.makeZone();
    const { json } = await owner.ask('GET', `/v2/zones/${zone.id}/recordsets`);
    for (const managed of json.recordsets)
      expect(typeOf(await put(managed, GUARDED))).toEqual([400, 'bad_request']);
  });

  it('is up to members of the owner: readers and projects that share the zone get 401, even for their own recordset', async () => {
    const zone = await owner.makeZone();
    await owner.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest' });
    expect(typeOf(await create({ protected: true }, zone, guest))).toEqual([401, 'access_denied']);
    expect(typeOf(await create({ protection_reason: REASON }, zone, guest))).toEqual([401, 'access_denied']);
    const own = await made202({ protected: false }, zone, guest);
    expect(typeOf(await put(own, { protected: true }, guest))).toEqual([401, 'access_denied']);
    expect(typeOf(await put(own, { protected: true }, reader))).toEqual([401, 'access_denied']);
    expect((await put(own, GUARDED)).status).toBe(202);
    // What it gives as it is, it does not change.
    expect((await put(own, GUARDED, guest)).status).toBe(202);
    for (const body of [{ protected: false }, { protection_reason: null }])
      expect(typeOf(await put(own, body, guest))).toEqual([401, 'access_denied']);
    expect(typeOf(await put(own, { ttl: 61 }, guest))).toEqual([409, 'protected']);
    expect(typeOf(await guest.ask('DELETE', pathOf(own)))).toEqual([409, 'protected']);
  });
});

describe('the refusal of a protected recordset', () => {
  it('comes after access and the precondition', async () => {
    const recordset = await made202(GUARDED);
    const old = { 'if-match': '"old"' };
    expect(typeOf(await owner.ask('PUT', pathOf(recordset), { ttl: 61 }, old))[0]).toBe(412);
    expect(typeOf(await owner.ask('DELETE', pathOf(recordset), undefined, old))[0]).toBe(412);
    expect(typeOf(await reader.ask('DELETE', pathOf(recordset)))).toEqual([401, 'access_denied']);
    expect(typeOf(await guest.ask('DELETE', pathOf(recordset)))).toEqual([404, 'zone_not_found']);
  });

  it('comes before quotas and locations', async () => {
    const recordset = await made202(GUARDED);
    const records = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
    expect(typeOf(await put(recordset, { records }))).toEqual([409, 'protected']);
    const zone = await owner.makeZone();
    const child = await made202(
      { name: `child.${zone.name}`, type: 'NS', records: [`ns.child.${zone.name}`] },
      zone,
    );
    const glue = { name: `ns.child.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
    await made202(glue, zone);
    const away = { records: ['ns.example.net.'] };
    expect(typeOf(await put(child, away))).toEqual([400, 'invalid_recordset_location']);
    await put(child, GUARDED);
    expect(typeOf(await put(child, away))).toEqual([409, 'protected']);
  });
});
