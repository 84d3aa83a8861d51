/** Deleted zones are kept for a while, and can be restored as they were. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import { eventually, until } from '../../support/eventually.ts';
import { runHere } from '../../support/run-here.ts';
import { openMaster, record, soaRecord } from '../../support/scripted-master.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

const OPTIONS = {
  ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8',
  ZONEWARDEN_BLACKLISTS__APPLY_TO: 'zones, recordsets',
};

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService(OPTIONS);
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

interface Listed {
  readonly id: string;
  readonly name: string;
}

const ALL = { 'x-auth-all-projects': 'true' };
const asAdmin = (method: string, path: string, body?: object, headers = {}) =>
  service.request(method, path, { token: service.admin, body, headers });
const pathOf = ({ id }: { id: string }) => `/v2/zones/${id}`;
const remove = (zone: TestZone, headers = {}) => tenant.ask('DELETE', pathOf(zone), undefined, headers);
const restore = ({ id }: { id: string }, who = tenant, headers = {}) =>
  who.ask('POST', `/v2/deleted_zones/${id}/restore`, undefined, headers);
const forget = ({ id }: { id: string }, who = tenant) => who.ask('DELETE', `/v2/deleted_zones/${id}`);
const listed = async (query = '', who = tenant): Promise<readonly Listed[]> =>
  (await who.ask('GET', `/v2/deleted_zones?limit=max${query}`)).json.deleted_zones;
const recordsetsOf = async (zone: TestZone) => {
  const { json } = await tenant.ask('GET', `${pathOf(zone)}/recordsets?sort_key=id`);
  return json.recordsets.map(
    ({ status: _, action: __, records, type, ...more }: Record<string, unknown>) => ({
      ...more,
      type,
      records: type === 'SOA' ? [] : records,
    }),
  );
};
const refusalOf = ({ status, json }: { status: number; json: { type: string } }) => [status, json.type];
const restoredBy = async (zone: TestZone): Promise<TestZone> => {
  const { status, json, text } = await restore(zone);
  expect([status, text]).toEqual([202, expect.any(String)]);
  return json;
};

async function filled(name?: string): Promise<TestZone> {
  const zone = await tenant.makeZone(name);
  for (const host of ['a', 'b', '*']) {
    const body = {
      name: `${host}.${zone.name}`,
      type: 'TXT',
      records: [`"${host}"`],
      ttl: 60,
      description: host,
    };
    expect((await tenant.create(zone, body)).status).toBeLessThan(300);
  }
  return tenant.look(zone);
}

async function deleted(name?: string): Promise<TestZone> {
  const zone = await filled(name);
  expect((await remove(zone)).status).toBe(202);
  return zone;
}

describe('a deleted zone', () => {
  it('is listed for its project, and comes back under its id with its recordsets as they were', async () => {
    const zone = await filled();
    const attributes = { ttl: 77, description: 'the shop', email: 'me@example.org', soa: { retry: 900 } };
    await tenant.ask('PATCH', pathOf(zone), attributes);
    await tenant.create(zone, { name: `c.${zone.name}`, type: 'A', records: ['192.0.2.2', '192.0.2.1'] });
    await tenant.create(zone, { name: `d.${zone.name}`, type: 'NS', records: [`ns.d.${zone.name}`] });
    await tenant.create(zone, { name: `e.${zone.name}`, type: 'CNAME', records: ['Target.Example.COM.'] });
    await tenant.ask('PATCH', `${pathOf(zone)}/guardrails`, { in_use: 'refuse' });
    const before = (await tenant.ask('GET', pathOf(zone))).json;
    const contents = await recordsetsOf(zone);
    await remove(zone);
    const [entry] = await listed(`&name=${zone.name}`);
    expect(entry).toEqual({
      id: zone.id,
      name: zone.name,
      project_id: 'tenant',
      type: 'PRIMARY',
      serial: before.serial,
      recordsets: 6,
      deleted_at: expect.any(String),
      forgotten_at: expect.any(String),
    });
    const { deleted_at: at, forgotten_at: end } = entry as unknown as Record<string, string>;
    expect(Date.parse(`${end}Z`) - Date.parse(`${at}Z`)).toBe(30 * 86_400_000);
    const answer = await restore(zone);
    expect([answer.status, answer.headers.get('location')]).toEqual([202, `${service.url}${pathOf(zone)}`]);
    expect(answer.json).toMatchObject({ id: zone.id, status: 'PENDING', action: 'CREATE' });
    const after = (await tenant.ask('GET', pathOf(zone))).json;
    expect(after).toEqual({
      ...before,
      serial: after.serial,
      version: before.version + 1,
      updated_at: after.updated_at,
    });
    expect(after.serial).toBeGreaterThan(before.serial);
    expect(await recordsetsOf(zone)).toEqual(contents);
    expect((await tenant.ask('GET', `${pathOf(zone)}/guardrails`)).json).toMatchObject({ in_use: 'refuse' });
    expect(await listed(`&name=${zone.name}`)).toEqual([]);
    expect(refusalOf(await restore(zone))).toEqual([404, 'zone_not_found']);
  });

  it('comes back without what has expired meanwhile, which counts no more', async () => {
    const zone = await filled();
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    for (const host of ['gone', 'kept']) {
      const body = { name: `${host}.${zone.name}`, type: 'A', records: ['192.0.2.1'], expires_at: soon };
      expect((await tenant.create(zone, body)).status).toBe(202);
    }
    const past = new Date(Date.now() - 1000).toISOString().replace('Z', '000Z');
    const gone = `name = 'gone.${zone.name}'`;
    await inStoreOf(service.dataDir, `update recordsets set expires_at = '${past}' where ${gone}`);
    const { serial } = await tenant.look(zone);
    await remove(zone);
    await restoredBy(zone);
    const names = (await recordsetsOf(zone)).map(({ name }: { name?: string }) => name);
    expect(names).toContain(`kept.${zone.name}`);
    expect(names).not.toContain(`gone.${zone.name}`);
    const usage = await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?limit=1`);
    expect(usage.json.metadata.total_count).toBe(names.length);
    const { json } = await tenant.ask('GET', `${pathOf(zone)}/changes`);
    expect(json.changes[0]).toMatchObject({ door: 'restore', summary: { delete: 1 } });
    const former = await tenant.ask('GET', `${pathOf(zone)}/contents?serial=${serial}`);
    expect(former.json.recordsets.map(({ name }: { name: string }) => name)).toContain(`gone.${zone.name}`);
    expect(await runHere(['verify'], storeOptions(service.dataDir))).toMatchObject({ status: 0 });
  });

  it('keeps its history, in which the restore is one change', async () => {
    const zone = await filled();
    const { serial } = await tenant.look(zone);
    await tenant.ask('POST', `${pathOf(zone)}/changes`, {
      changes: [{ action: 'delete', name: `a.${zone.name}` }],
    });
    const last = await tenant.look(zone);
    await remove(zone);
    const now = await restoredBy(zone);
    const { json } = await tenant.ask('GET', `${pathOf(zone)}/changes`);
    expect(json.changes).toHaveLength(5);
    expect(json.changes[0]).toMatchObject({
      door: 'restore',
      from_serial: last.serial,
      to_serial: now.serial,
      summary: { create: 0, update: 0, delete: 0 },
    });
    const past = await tenant.ask('GET', `${pathOf(zone)}/contents?serial=${serial}`);
    expect(past.json.recordsets).toHaveLength(5);
    const undone = await tenant.ask('POST', `${pathOf(zone)}/restore`, { serial });
    expect(undone.json).toMatchObject({ summary: { create: 1, update: 0, delete: 0 } });
    const event = await eventually(async () => {
      const { json } = await tenant.ask('GET', `/v2/events?target_id=${zone.id}&type=zone.restored`);
      return json.events[0];
    });
    expect(event).toMatchObject({
      after: { name: zone.name, recordsets: 2, serial: now.serial },
      details: { change_id: expect.any(String) },
    });
    const ids = (await tenant.ask('GET', `${pathOf(zone)}/changes`)).json.changes.map(
      (one: Listed) => one.id,
    );
    expect(ids).toContain(event.details.change_id);
  });

  it('has a serial above any that its name has had', async () => {
    const first = await deleted('again.example.org.');
    const second = await tenant.makeZone('again.example.org.');
    for (let made = 0; made < 5; made++) await tenant.ask('PATCH', pathOf(second), { ttl: 100 + made });
    const { serial } = await tenant.look(second);
    expect(refusalOf(await restore(first))).toEqual([409, 'duplicate_zone']);
    await remove(second);
    await inStoreOf(service.dataDir, "delete from former_zones where name = 'again.example.org.'");
    expect((await restoredBy(first)).serial).toBeGreaterThan(serial);
    expect(refusalOf(await restore(second))).toEqual([409, 'duplicate_zone']);
    expect((await listed('&name=again.example.org.')).map(({ id }) => id)).toEqual([second.id]);
  });

  it('comes back without shares, TSIG keys and transfer requests, and its recordsets belong to its owner', async () => {
    const zone = await filled();
    const guest = await tenantOf(service, 'guest');
    await tenant.ask('POST', `${pathOf(zone)}/shares`, { target_project_id: 'guest' });
    await guest.create(zone, { name: `g.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    await tenant.ask('POST', `${pathOf(zone)}/tasks/transfer_requests`, {});
    const key = { name: 'of-zone', algorithm: 'hmac-sha256', secret: 'c2VjcmV0', scope: 'ZONE' };
    const made = await asAdmin('POST', '/v2/tsigkeys', { ...key, resource_id: zone.id });
    expect(made.status).toBe(201);
    expect((await remove(zone, { 'x-designate-delete-shares': 'true' })).status).toBe(202);
    expect(refusalOf(await asAdmin('GET', `/v2/tsigkeys/${made.json.id}`))).toEqual([
      404,
      'tsigkey_not_found',
    ]);
    await restoredBy(zone);
    expect((await tenant.ask('GET', `${pathOf(zone)}/shares`)).json.shared_zones).toEqual([]);
    const requests = await tenant.ask('GET', '/v2/zones/tasks/transfer_requests');
    expect(requests.json.transfer_requests).toEqual([]);
    const owners = (await recordsetsOf(zone)).map(({ project_id }: Record<string, unknown>) => project_id);
    expect(new Set(owners)).toEqual(new Set(['tenant']));
    expect((await guest.ask('GET', pathOf(zone))).status).toBe(404);
  });

  it('is secondary as before, and waits for its masters', async () => {
    const body = { name: 'second.example.net.', type: 'SECONDARY', masters: ['127.0.0.1:9'] };
    const { json: zone } = await tenant.ask('POST', '/v2/zones', body);
    await remove(zone);
    expect(await listed('&type=SECONDARY')).toMatchObject([
      { id: zone.id, type: 'SECONDARY', recordsets: 0 },
    ]);
    await restoredBy(zone);
    const { json } = await tenant.ask('GET', pathOf(zone));
    expect(json).toMatchObject({ ...body, id: zone.id, status: 'PENDING', action: 'CREATE' });
    await remove(zone);
    await service.restart({ ...OPTIONS, ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '' });
    const refused = await restore(zone);
    await service.restart(OPTIONS);
    expect(refusalOf(refused)).toEqual([400, 'invalid_object']);
  });

  it('fetches its contents again if it is secondary', async () => {
    const name = 'fetched.example.net.';
    const master = await openMaster();
    const zoneOf = (serial: number) => [
      soaRecord(name, serial),
      record(name, TYPE.NS, 'ns1.example.'),
      record(`www.${name}`, TYPE.A, '192.0.2.80'),
    ];
    master.soa = () => [soaRecord(name, 7)];
    master.transfer = (session) => session.send([...zoneOf(7), soaRecord(name, 7)]);
    const body = { name, type: 'SECONDARY', masters: [`127.0.0.1:${master.port}`] };
    const { json: zone } = await tenant.ask('POST', '/v2/zones', body);
    const arrived = () =>
      until(async () => expect((await tenant.ask('GET', pathOf(zone))).json).toMatchObject({ serial: 7 }));
    await arrived();
    await remove(zone);
    expect(await listed(`&name=${name}`)).toMatchObject([{ serial: 7 }]);
    await restoredBy(zone);
    await arrived();
    expect(await tenant.list(`${pathOf(zone)}/recordsets`)).toEqual([`www.${name}`]);
    await remove(zone);
    await master.close();
  });

  it('returns to its pool, and to another if that is gone, whatever pool it was created for', async () => {
    const servers = [{ hostname: 'ns1.example.net.', priority: 1 }];
    const { json: pool } = await asAdmin('POST', '/v2/pools', { name: 'other', ns_records: servers });
    const admin = await tenantOf(service, 'tenant', 'admin');
    const body = { name: 'pool.example.org.', email: 'a@example.org', attributes: { pool_id: pool.id } };
    const { json: zone } = await admin.ask('POST', '/v2/zones', body);
    await remove(zone);
    expect(await restoredBy(zone)).toMatchObject({ pool_id: pool.id, attributes: { pool_id: pool.id } });
    await remove(zone);
    expect((await asAdmin('DELETE', `/v2/pools/${pool.id}`)).status).toBe(204);
    const back = (await restoredBy(zone)) as unknown as Record<string, unknown>;
    expect([back.id, back.pool_id === pool.id]).toEqual([zone.id, false]);
  });

  it('is forgotten by a request, with an event, and without touching a zone of its name', async () => {
    const zone = await deleted();
    expect((await forget(zone)).status).toBe(204);
    expect(refusalOf(await forget(zone))).toEqual([404, 'zone_not_found']);
    expect(refusalOf(await restore(zone))).toEqual([404, 'zone_not_found']);
    const event = await eventually(async () => {
      const { json } = await tenant.ask('GET', `/v2/events?target_id=${zone.id}&type=zone.forgotten`);
      return json.events[0];
    });
    expect(event.before).toMatchObject({ name: zone.name, recordsets: 3 });
  });

  it('is restored once with an idempotency key', async () => {
    const zone = await deleted();
    const headers = { 'idempotency-key': 'restore-it' };
    const answers = [await restore(zone, tenant, headers), await restore(zone, tenant, headers)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers[1]!.text).toBe(answers[0]!.text);
  });

  it('is not kept if it was abandoned to its name servers', async () => {
    const zone = await filled();
    const admin = await tenantOf(service, 'tenant', 'admin');
    expect((await admin.ask('POST', `${pathOf(zone)}/tasks/abandon`)).status).toBe(204);
    expect(refusalOf(await restore(zone))).toEqual([404, 'zone_not_found']);
  });
});

describe('a project', () => {
  it('sees and restores its own deleted zones, and administrators those of all', async () => {
    const zone = await deleted();
    const other = await tenantOf(service, 'other');
    const reader = await tenantOf(service, 'tenant', 'reader');
    expect(await listed('', other)).toEqual([]);
    expect(refusalOf(await restore(zone, other))).toEqual([404, 'zone_not_found']);
    expect(refusalOf(await forget(zone, other))).toEqual([404, 'zone_not_found']);
    expect((await listed('', reader)).map(({ id }) => id)).toContain(zone.id);
    expect(refusalOf(await restore(zone, reader))).toEqual([401, 'access_denied']);
    expect(refusalOf(await forget(zone, reader))).toEqual([401, 'access_denied']);
    expect(refusalOf(await other.ask('GET', '/v2/deleted_zones', undefined, ALL))).toEqual([
      401,
      'access_denied',
    ]);

    const path = `/v2/deleted_zones?name=${zone.name}`;
    expect((await asAdmin('GET', path)).json.deleted_zones).toEqual([]);
    expect((await asAdmin('GET', path, undefined, ALL)).json.deleted_zones).toMatchObject([{ id: zone.id }]);
    const sudo = { 'x-auth-sudo-project-id': 'tenant' };
    expect((await asAdmin('GET', path, undefined, sudo)).json.deleted_zones).toMatchObject([{ id: zone.id }]);
    const restorePath = `/v2/deleted_zones/${zone.id}/restore`;
    expect(refusalOf(await asAdmin('POST', restorePath))).toEqual([404, 'zone_not_found']);
    const answer = await asAdmin('POST', restorePath, undefined, ALL);
    expect([answer.status, answer.json.project_id]).toEqual([202, 'tenant']);
    expect((await tenant.look(zone)).id).toBe(zone.id);
  });

  it('pages through them, newest first', async () => {
    const owner = await tenantOf(service, 'pages');
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) {
      const { id } = await owner.makeZone();
      await owner.ask('DELETE', `/v2/zones/${id}`);
      ids.unshift(id);
    }
    const found: string[] = [];
    for (let next: string | undefined = '/v2/deleted_zones?limit=2'; next !== undefined; ) {
      const { json }: { json: { deleted_zones: Listed[]; links: { next?: string } } } = await owner.ask(
        'GET',
        next,
      );
      found.push(...json.deleted_zones.map(({ id }) => id));
      next = json.links.next?.slice(service.url.length);
    }
    expect(found).toEqual(ids);
  });

  it('does not use its quotas for them, and needs room to restore one', async () => {
    const owner = await tenantOf(service, 'small');
    const quotas = (body: object) => asAdmin('PATCH', '/v2/quotas/small', body);
    await quotas({ zones: 1 });
    const make = async (name: string): Promise<TestZone> => {
      const zone = await owner.makeZone(name);
      const body = { name: `www.${name}`, type: 'A', records: ['192.0.2.1', '192.0.2.2'] };
      await owner.create(zone, body);
      return zone;
    };
    const zone = await make('quota.example.org.');
    expect((await owner.ask('DELETE', pathOf(zone))).status).toBe(202);
    const second = await owner.makeZone('quota2.example.org.');
    const refused = await restore(zone, owner);
    expect([...refusalOf(refused), refused.json.message]).toEqual([
      413,
      'over_quota',
      expect.stringContaining('zones'),
    ]);
    await owner.ask('DELETE', pathOf(second));
    for (const quota of ['zone_recordsets', 'zone_records', 'recordset_records']) {
      await quotas({ [quota]: quota === 'zone_recordsets' ? 0 : 1 });
      const { status, json } = await restore(zone, owner);
      expect([status, json.message]).toEqual([413, expect.stringContaining(quota)]);
      await quotas({ [quota]: 100 });
    }
    expect((await restore(zone, owner)).status).toBe(202);
    const { json } = await owner.ask('GET', '/v2/quotas/small/usage');
    expect(json.usage).toMatchObject({ zones: 1, recordsets: 1 });
  });
});

describe('the restore of a zone', () => {
  it('obeys the blacklists of today, for its name and for those of its recordsets', async () => {
    const zone = await deleted('listed.example.com.');
    const block = async (pattern: string) => {
      const { json } = await asAdmin('POST', '/v2/blacklists', { pattern });
      return () => asAdmin('DELETE', `/v2/blacklists/${json.id}`);
    };
    let allow = await block('^listed\\.example\\.com\\.$');
    expect(refusalOf(await restore(zone))).toEqual([400, 'invalid_zone_name']);
    await allow();
    allow = await block('^b\\.listed\\.');
    const refused = await restore(zone);
    expect(refusalOf(refused)).toEqual([400, 'invalid_recordset_name']);
    expect(refused.json.message).toMatch(/^b\.listed\.example\.com\.: /);
    expect((await tenant.ask('GET', pathOf(zone))).status).toBe(404);
    await allow();
    await restoredBy(zone);
  });

  it('obeys the TLDs, and the owners of names above and below', async () => {
    const zone = await deleted('shop.example.info.');
    const { json: tld } = await asAdmin('POST', '/v2/tlds', { name: 'org' });
    expect(refusalOf(await restore(zone))).toEqual([400, 'invalid_zone_name']);
    await asAdmin('DELETE', `/v2/tlds/${tld.id}`);
    const other = await tenantOf(service, 'other');
    const above = await other.makeZone('example.info.');
    expect(refusalOf(await restore(zone))).toEqual([403, 'illegal_child']);
    await other.ask('DELETE', pathOf(above));
    const below = await other.makeZone('b.shop.example.info.');
    expect(refusalOf(await restore(zone))).toEqual([403, 'illegal_parent']);
    await other.ask('DELETE', pathOf(below));
    const own = await tenant.makeZone('b.shop.example.info.');
    await restoredBy(zone);
    const { json } = await tenant.ask('GET', `${pathOf(zone)}/recordsets?name=b.shop.example.info.`);
    expect(json.recordsets).toMatchObject([{ hidden_by: own.name }]);
  });

  const race = async (name: string): Promise<void> => {
    const zone = await deleted(name);
    const create = () => tenant.ask('POST', '/v2/zones', { name, email: 'a@example.org' });
    const answers = await Promise.all([restore(zone), create(), restore(zone), forget(zone)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    for (const status of statuses) expect([202, 204, 404, 409]).toContain(status);
    const { json } = await tenant.ask('GET', `/v2/zones?name=${name}`);
    expect(json.zones).toHaveLength(1);
    const isBack = json.zones[0].id === zone.id;
    expect(await recordsetsOf(json.zones[0])).toHaveLength(isBack ? 5 : 2);
    expect(await listed(`&name=${name}`)).toHaveLength(isBack || statuses[3] === 204 ? 0 : 1);
  };

  it('beside another, or beside a create of its name, happens once', async () => {
    for (let round = 0; round < 8; round++) await race(`race-${round}.example.org.`);
  });
});
