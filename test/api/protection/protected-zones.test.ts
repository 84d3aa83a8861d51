/** Protected zones, and zones with a protected recordset: neither goes, and neither changes hands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealings } from '../../support/dealings.ts';
import { eventsOf } from '../../support/events.ts';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';
import { exportFile, importFile } from '../../support/zone-files.ts';

const BASE = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
let service: TestService;
let seller: string;
let buyer: string;
let owner: Tenant;
let reader: Tenant;
beforeAll(async () => {
  service = await startTestService(BASE);
  seller = await service.token('seller', 'member');
  buyer = await service.token('buyer', 'member');
  owner = await tenantOf(service, 'seller');
  reader = await tenantOf(service, 'seller', 'reader');
});
afterAll(() => service.remove());

const { offer, accept } = dealings(() => ({ service, seller, buyer }));

const REASON = 'the shop';
const GUARDED = { protected: true, protection_reason: REASON };
const typeOf = ({ status, json }: Answer) => [status, json?.type];
const faultsOf = ({ json }: Answer) => json.errors.errors.map(({ path }: { path: string[] }) => path[0]);
const pathOf = ({ id }: { id: string }) => `/v2/zones/${id}`;
const patch = (zone: { id: string }, body: object, as = owner) => as.ask('PATCH', pathOf(zone), body);

let made = 0;
const create = (extra: object, as = owner) =>
  as.ask('POST', '/v2/zones', { name: `guarded-${++made}.example.`, email: 'a@example.org', ...extra });
const madeZone = async (extra: object = {}) => {
  const { status, json } = await create(extra);
  expect(status).toBe(202);
  return (await owner.ask('GET', pathOf(json))).json;
};
async function withProtectedRecordset() {
  const zone: TestZone = await madeZone();
  const body = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.1'], ...GUARDED };
  const { json } = await owner.create(zone, body);
  return { zone, recordset: json };
}

const admin = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.request(method, path, {
    token: service.admin,
    headers: { 'x-auth-all-projects': 'true', ...headers },
  });
const offers = new Map<string, { id: string; key: string }>();
/** A zone has one open request, however often it is accepted. */
async function offerOf(zone: TestZone) {
  const open = offers.get(zone.id) ?? (await offer(zone, {})).json;
  offers.set(zone.id, open);
  return open;
}
/** Every way in which a zone goes, or gets another owner. */
const waysOut: Readonly<Record<string, (zone: TestZone) => Promise<Answer>>> = {
  'is deleted': (zone) => owner.ask('DELETE', pathOf(zone)),
  'is deleted at once': (zone) => admin('DELETE', pathOf(zone), { 'x-designate-hard-delete': 'true' }),
  'is abandoned': (zone) => admin('POST', `${pathOf(zone)}/tasks/abandon`),
  'is given away': async (zone) => accept(await offerOf(zone)),
};

/** Who accepts a zone does not see it yet. */
const OF_RECEIVER = 'The zone, or a recordset in it, is protected. Ask its owner to remove the protection.';

describe.each(Object.entries(waysOut))('a zone that %s', (way, leave) => {
  const shownTo = (text: string) => (way === 'is given away' ? OF_RECEIVER : text);

  it('must not be protected', async () => {
    const zone = await madeZone(GUARDED);
    const answer = await leave(zone);
    expect(typeOf(answer)).toEqual([409, 'protected']);
    expect(answer.json.message).toBe(
      shownTo(
        `The zone ${zone.name} is protected (${REASON}). Set "protected": false first, in a request of its own.`,
      ),
    );
    expect(await owner.look(zone)).toEqual(zone);
    expect((await patch(zone, { protected: false })).status).toBe(202);
    expect((await leave(zone)).status).toBeLessThan(300);
  });

  it('must not have a protected recordset', async () => {
    const { zone, recordset } = await withProtectedRecordset();
    const other = await withProtectedRecordset();
    const answer = await leave(zone);
    expect(typeOf(answer)).toEqual([409, 'protected']);
    expect(answer.json.message).toContain(
      shownTo(`The recordset ${recordset.name} A is protected (${REASON}).`),
    );
    const path = `${pathOf(zone)}/recordsets/${recordset.id}`;
    expect((await owner.ask('PUT', path, { protected: false })).status).toBe(202);
    expect((await leave(zone)).status).toBeLessThan(300);
    expect((await owner.ask('GET', pathOf(other.zone))).status).toBe(200);
  });
});

describe('a protected zone', () => {
  it('shows that and the reason wherever it is shown', async () => {
    const zone = await madeZone(GUARDED);
    expect(zone).toMatchObject(GUARDED);
    const { json } = await owner.ask('GET', `/v2/zones?name=${zone.name}`);
    expect(json.zones).toEqual([zone]);
    for (const extra of [{}, { protected: false }, { protected: false, protection_reason: null }])
      expect(await madeZone(extra)).not.toHaveProperty('protected');
    expect(await madeZone({ protected: true })).toMatchObject({ protected: true, protection_reason: null });
  });

  it('takes a new version for its protection, but no step of its serial', async () => {
    const zone = await madeZone();
    const { status, json } = await patch(zone, GUARDED);
    expect([status, json.serial, json.version]).toEqual([202, zone.serial, zone.version + 1]);
    expect(json).toMatchObject(GUARDED);
    expect((await patch(zone, { protection_reason: 'another' })).json).toMatchObject({
      protected: true,
      protection_reason: 'another',
    });
    const off = await patch(zone, { protected: false });
    expect(off.json).not.toHaveProperty('protected');
    expect([off.json.serial, off.json.version]).toEqual([zone.serial, zone.version + 3]);
    expect((await patch(zone, { protected: true })).json.protection_reason).toBeNull();
  });

  it('can change, and so can its records', async () => {
    const zone = await madeZone(GUARDED);
    expect((await patch(zone, { ttl: 61, description: 'new' })).json).toMatchObject({ ttl: 61, ...GUARDED });
    const body = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
    const { status, json } = await owner.create(zone, body);
    expect(status).toBe(202);
    const path = `${pathOf(zone)}/recordsets/${json.id}`;
    expect((await owner.ask('PUT', path, { ttl: 61 })).status).toBe(202);
    expect((await owner.ask('DELETE', path)).status).toBe(202);
  });

  it.each([{ ttl: 61 }, { email: 'b@example.org' }, { description: 'new' }, { soa: { retry: 900 } }])(
    'does not lose its protection together with %j',
    async (other) => {
      const zone = await madeZone(GUARDED);
      expect(typeOf(await patch(zone, { protected: false, ...other }))).toEqual([409, 'protected']);
      expect(await owner.look(zone)).toEqual(zone);
      const { ttl, email, description } = zone;
      expect((await patch(zone, { protected: false, ttl, email, description })).status).toBe(202);
    },
  );

  it('takes back what GET answers', async () => {
    const zone = await madeZone(GUARDED);
    expect((await patch(zone, zone)).json).toMatchObject(GUARDED);
  });

  it('can be offered, and taken back by its owner', async () => {
    const zone = await madeZone(GUARDED);
    const request = (await offer(zone, {})).json;
    expect((await accept(request, seller)).status).toBe(201);
    expect(await owner.look(zone)).toMatchObject(GUARDED);
  });

  it('says nothing of its protection to who has a wrong key', async () => {
    const zone = await madeZone(GUARDED);
    const request = (await offer(zone, {})).json;
    expect(typeOf(await accept(request, buyer, 'wrong'))).toEqual([403, 'invalid_key']);
    expect(typeOf(await accept(request))).toEqual([409, 'protected']);
    // The request is as open as before.
    await patch(zone, { protected: false });
    expect((await accept(request)).status).toBe(201);
  });

  it('has events that show the protection where it differs, and only there', async () => {
    const zone = await madeZone();
    await patch(zone, { ttl: 61 });
    await patch(zone, GUARDED);
    await patch(zone, { description: 'new' });
    await patch(zone, { protected: false });
    const [off, description, on, ttl, plain] = await eventsOf(service, `&target_id=${zone.id}`);
    expect(plain!.after).not.toHaveProperty('protected');
    expect(ttl!.after).not.toHaveProperty('protected');
    const none = { protected: false, protection_reason: null };
    expect([on!.before, on!.after]).toEqual([none, GUARDED]);
    expect([description!.before, description!.after]).toEqual([
      { description: null },
      { description: 'new' },
    ]);
    expect([off!.before, off!.after]).toEqual([GUARDED, none]);
    const guarded = await madeZone(GUARDED);
    const [created] = await eventsOf(service, `&target_id=${guarded.id}`);
    expect(created!.after).toMatchObject(GUARDED);
  });

  it('loses its protection with an export and an import', async () => {
    const { zone, recordset } = await withProtectedRecordset();
    await patch(zone, GUARDED);
    const { text } = await exportFile(service, seller, zone.id);
    await owner.ask('PUT', `${pathOf(zone)}/recordsets/${recordset.id}`, { protected: false });
    await patch(zone, { protected: false });
    await owner.ask('DELETE', pathOf(zone));
    const { json } = await importFile(service, seller, text);
    expect((await owner.ask('GET', `/v2/zones/${json.zone_id}`)).json).not.toHaveProperty('protected');
    const { recordsets } = (await owner.ask('GET', `/v2/zones/${json.zone_id}/recordsets`)).json;
    expect(recordsets).toHaveLength(3);
    for (const one of recordsets) expect(one).not.toHaveProperty('protected');
  });
});

describe('a secondary zone', () => {
  it('can be protected; its recordsets cannot', async () => {
    const body = { type: 'SECONDARY', masters: ['192.0.2.1'], email: undefined, ...GUARDED };
    const zone = await madeZone(body);
    expect(zone).toMatchObject({ type: 'SECONDARY', ...GUARDED });
    expect(typeOf(await owner.ask('DELETE', pathOf(zone)))).toEqual([409, 'protected']);
    const recordset = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.1'], ...GUARDED };
    expect(typeOf(await owner.create(zone, recordset))).toEqual([403, 'forbidden']);
    const off = { protected: false, masters: ['192.0.2.2:53'] };
    expect(typeOf(await patch(zone, off))).toEqual([409, 'protected']);
    expect((await patch(zone, { masters: ['192.0.2.2:53'] })).status).toBe(202);
    expect((await patch(zone, off)).status).toBe(202);
    expect((await owner.ask('DELETE', pathOf(zone))).status).toBe(202);
  });
});

describe('the protection of a zone', () => {
  it.each([
    [{ protection_reason: REASON }, 'protection_reason'],
    [{ protected: false, protection_reason: REASON }, 'protection_reason'],
    [{ protected: 'true' }, 'protected'],
    [{ protected: null }, 'protected'],
    [{ protected: true, protection_reason: 7 }, 'protection_reason'],
    [{ protected: true, protection_reason: 'a'.repeat(1025) }, 'protection_reason'],
  ])('cannot be %j', async (extra, path) => {
    for (const answer of [await create(extra), await patch(await madeZone(), extra)])
      expect([...typeOf(answer), faultsOf(answer)]).toEqual([400, 'invalid_object', [path]]);
  });

  it('is refused after access, the precondition and before what else keeps a zone', async () => {
    const zone = await madeZone(GUARDED);
    await owner.ask('POST', `${pathOf(zone)}/shares`, { target_project_id: 'guest' });
    expect(typeOf(await reader.ask('DELETE', pathOf(zone)))).toEqual([401, 'access_denied']);
    const old = { 'if-match': '"old"' };
    expect((await owner.ask('DELETE', pathOf(zone), undefined, old)).status).toBe(412);
    expect(typeOf(await owner.ask('DELETE', pathOf(zone)))).toEqual([409, 'protected']);
    await patch(zone, { protected: false });
    expect(typeOf(await owner.ask('DELETE', pathOf(zone)))).toEqual([400, 'zone_is_shared']);
  });

  it('and the deletion of its zone never both succeed, however they race', async () => {
    for (let round = 0; round < 8; round++) {
      const zone = await madeZone();
      const body = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
      const { json } = await owner.create(zone, body);
      const path = `${pathOf(zone)}/recordsets/${json.id}`;
      const [guarded, deleted] = await Promise.all([
        round % 2 === 0 ? patch(zone, GUARDED) : owner.ask('PUT', path, GUARDED),
        owner.ask('DELETE', pathOf(zone)),
      ]);
      const both = `${guarded.status} ${deleted.status}`;
      expect(['202 409', '404 202']).toContain(both);
    }
  });
});

it('is checked by verify, which finds a reason that is not valid', async () => {
  const verify = () => runHere(['verify'], storeOptions(service.dataDir));
  const { zone } = await withProtectedRecordset();
  await patch(zone, GUARDED);
  expect(await verify()).toMatchObject({ status: 0 });
  const reasons = (reason: string) =>
    inStoreOf(
      service.dataDir,
      `update zones set protection_reason = '${reason}' where id = '${zone.id}'`,
      `update recordsets set protection_reason = '${reason}' where zone_id = '${zone.id}' and protected = 1`,
    );
  await reasons('a'.repeat(1025));
  const { status, out } = await verify();
  expect([status, out.match(/The reason of its protection is not valid/g)]).toMatchObject([1, { length: 2 }]);
  await reasons(REASON);
});

describe('the rule update_protection', () => {
  afterAll(() => service.restart(BASE));

  it('guards the protection of zones and recordsets, and nothing else', async () => {
    const plain = await madeZone();
    const { zone, recordset } = await withProtectedRecordset();
    await patch(zone, GUARDED);
    const path = `${pathOf(zone)}/recordsets/${recordset.id}`;
    const file = join(service.dataDir, 'policy.yaml');
    writeFileSync(file, 'update_protection: role:admin\n');
    await service.restart({ ...BASE, ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
    const another = { name: `b.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
    const denied = [
      await create(GUARDED),
      await create({ protection_reason: REASON }),
      await patch(plain, { protected: true }),
      await patch(zone, { protected: false }),
      await patch(zone, { protection_reason: null }),
      await owner.create(zone, { ...another, ...GUARDED } as typeof another),
      await owner.ask('PUT', path, { protected: false }),
      await owner.ask('PUT', path, { protection_reason: 'another' }),
    ];
    expect(denied.map(typeOf)).toEqual(denied.map(() => [401, 'access_denied']));
    expect((await create({ protected: false, protection_reason: null })).status).toBe(202);
    expect((await patch(zone, { ...GUARDED, ttl: 61 })).status).toBe(202);
    expect((await owner.create(zone, { ...another, protected: false } as typeof another)).status).toBe(202);
    expect((await owner.ask('PUT', path, GUARDED)).status).toBe(202);
  });
});
