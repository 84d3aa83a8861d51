import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

const pathOf = (zone: TestZone) => `/v2/zones/${zone.id}`;
const restore = (zone: TestZone, body: object) => tenant.ask('POST', `${pathOf(zone)}/restore`, body);
const revert = (zone: TestZone, id: string, body: object = {}) =>
  tenant.ask('POST', `${pathOf(zone)}/changes/${id}/revert`, body);
const change = (zone: TestZone, changes: readonly object[]) =>
  tenant.ask('POST', `${pathOf(zone)}/changes`, { changes });
const recordsetsOf = async (zone: TestZone) => {
  const { json } = await tenant.ask('GET', `${pathOf(zone)}/recordsets?sort_key=id`);
  const own = json.recordsets.filter(({ type }: { type: string }) => type !== 'SOA' && type !== 'NS');
  return own.map(
    ({ id, name, type, ttl, records, description, project_id, created_at }: Record<string, unknown>) => ({
      id,
      name,
      type,
      ttl,
      records,
      description,
      project_id,
      created_at,
    }),
  );
};
/** The zone file, without the lines that have the serial. */
const fileOf = async (zone: TestZone) => {
  const { text } = await tenant.ask('GET', `${pathOf(zone)}/contents?at=2999-01-01`, undefined, {
    accept: 'text/dns',
  });
  return text.split('\n').filter((line) => !line.includes(' IN SOA '));
};
const idIn = ({ headers }: { headers: Headers }) => headers.get('x-zonewarden-change')!;

async function filled(): Promise<TestZone> {
  const zone = await tenant.makeZone();
  for (const host of ['a', 'b', 'c']) {
    const body = {
      name: `${host}.${zone.name}`,
      type: 'TXT',
      records: [`"${host}"`],
      ttl: 60,
      description: host,
    };
    await tenant.create(zone, body);
  }
  return tenant.look(zone);
}

describe('a restore', () => {
  it('makes the zone what it was, in one change, with ids, descriptions and the TTL', async () => {
    const zone = await filled();
    const before = await recordsetsOf(zone);
    const file = await fileOf(zone);
    await change(zone, [
      { action: 'delete', name: `a.${zone.name}` },
      { action: 'replace', name: `b.${zone.name}`, type: 'TXT', records: ['"other"'] },
      { action: 'create', name: `d.${zone.name}`, type: 'A', records: ['192.0.2.1'] },
    ]);
    await tenant.ask('PATCH', pathOf(zone), { ttl: 99 });
    const { serial } = await tenant.look(zone);
    const answer = await restore(zone, { serial: zone.serial, description: 'oops' });
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      status: 'PENDING',
      from_serial: serial,
      summary: { create: 1, update: 1, delete: 1, unchanged: 0 },
    });
    expect(await recordsetsOf(zone)).toEqual(before);
    expect(await fileOf(zone)).toEqual(file);
    const { json } = await tenant.ask('GET', `${pathOf(zone)}/changes?limit=1`);
    expect(json.changes).toMatchObject([{ id: idIn(answer), door: 'restore', description: 'oops' }]);
    const event = await eventually(async () => {
      const { json } = await tenant.ask('GET', `/v2/events?target_id=${zone.id}&type=recordsets.changed`);
      return json.events.find(({ details }: { details: { door: string } }) => details.door === 'restore');
    });
    expect(event.details).toMatchObject({ change_id: idIn(answer), description: 'oops' });
    expect((await restore(zone, { serial: zone.serial })).json).toMatchObject({ status: 'UNCHANGED' });
  });

  it('of some names leaves the others, and the TTL', async () => {
    const zone = await filled();
    for (const host of ['a', 'b']) await change(zone, [{ action: 'delete', name: `${host}.${zone.name}` }]);
    await tenant.ask('PATCH', pathOf(zone), { ttl: 99 });
    const { status } = await restore(zone, {
      serial: zone.serial,
      names: [`B.${zone.name}`, `x.${zone.name}`],
    });
    expect(status).toBe(202);
    expect((await recordsetsOf(zone)).map(({ name }: { name: string }) => name[0]).sort()).toEqual([
      'b',
      'c',
    ]);
    expect((await tenant.ask('GET', pathOf(zone))).json.ttl).toBe(99);
  });

  it('shows first what it would do, and then does just that', async () => {
    const zone = await filled();
    await change(zone, [{ action: 'delete', name: `a.${zone.name}` }]);
    const now = await tenant.look(zone);
    const dry = await restore(zone, { serial: zone.serial, dry_run: true });
    expect([dry.status, dry.json.status]).toEqual([200, 'PLANNED']);
    expect(dry.json.changes).toMatchObject([{ effect: 'create', positions: [], before: null }]);
    expect(await tenant.look(zone)).toEqual(now);
    await change(zone, [{ action: 'delete', name: `b.${zone.name}` }]);
    const late = await restore(zone, { serial: zone.serial, plan: dry.json.plan });
    expect([late.status, late.json.type]).toEqual([409, 'plan_outdated']);
    const again = await restore(zone, { serial: zone.serial, dry_run: true });
    expect((await restore(zone, { serial: zone.serial, plan: again.json.plan })).status).toBe(202);
  });

  it('gives a recordset to its project again while the zone is shared with that', async () => {
    const zone = await tenant.makeZone();
    const guest = await tenantOf(service, 'guest');
    const { json: share } = await tenant.ask('POST', `${pathOf(zone)}/shares`, {
      target_project_id: 'guest',
    });
    await guest.create(zone, { name: `g.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    const { serial } = await tenant.look(zone);
    await change(zone, [{ action: 'delete', name: `g.${zone.name}` }]);
    expect((await restore(zone, { serial })).status).toBe(202);
    expect(await recordsetsOf(zone)).toMatchObject([{ project_id: 'guest' }]);
    await change(zone, [{ action: 'delete', name: `g.${zone.name}` }]);
    expect((await tenant.ask('DELETE', `${pathOf(zone)}/shares/${share.id}`)).status).toBe(204);
    expect((await restore(zone, { serial })).status).toBe(202);
    expect(await recordsetsOf(zone)).toMatchObject([{ project_id: 'tenant' }]);
  });

  it('obeys protection and the rules of today', async () => {
    const zone = await filled();
    const { json } = await tenant.create(zone, {
      name: `p.${zone.name}`,
      type: 'A',
      records: ['192.0.2.1'],
      protected: true,
    } as never);
    const refused = await restore(zone, { serial: zone.serial });
    expect([refused.status, refused.json.type]).toEqual([409, 'protected']);
    await tenant.ask('PUT', `${pathOf(zone)}/recordsets/${json.id}`, { protected: false });
    const max = await restore(zone, { serial: zone.serial, max_deletions: 0 });
    expect([max.status, max.json.type]).toEqual([409, 'too_many_deletions']);
    const reader = await tenantOf(service, 'tenant', 'reader');
    const denied = await reader.ask('POST', `${pathOf(zone)}/restore`, { serial: zone.serial });
    expect(denied.status).toBe(401);
  });

  it.each([
    [{}, 400, 'invalid_object'],
    [{ serial: 1, at: '2026-01-01T00:00:00.000000' }, 400, 'invalid_object'],
    [{ serial: -1 }, 400, 'invalid_object'],
    [{ serial: 'x' }, 400, 'invalid_object'],
    [{ at: 'yesterday' }, 400, 'invalid_object'],
    [{ serial: 1, names: 'x' }, 400, 'invalid_object'],
    [{ serial: 1, names: ['no dot'] }, 400, 'invalid_object'],
    [{ serial: 1, colour: 'red' }, 400, 'invalid_object'],
    [{ serial: 1 }, 404, 'change_not_found'],
    [{ at: '2020-01-01T00:00:00.000000' }, 404, 'change_not_found'],
  ])('refuses %j', async (body, status, type) => {
    const zone = await tenant.makeZone();
    const answer = await restore(zone, body);
    expect([answer.status, answer.json.type]).toEqual([status, type]);
  });
});

describe('a revert', () => {
  it('takes one change back, and leaves later ones of other recordsets', async () => {
    const zone = await filled();
    const before = await recordsetsOf(zone);
    const made = await change(zone, [
      { action: 'delete', name: `a.${zone.name}` },
      { action: 'replace', name: `b.${zone.name}`, type: 'TXT', records: ['"other"'] },
      { action: 'create', name: `d.${zone.name}`, type: 'A', records: ['192.0.2.1'] },
    ]);
    await change(zone, [{ action: 'create', name: `e.${zone.name}`, type: 'A', records: ['192.0.2.2'] }]);
    const answer = await revert(zone, made.json.id);
    expect([answer.status, answer.json.summary]).toEqual([
      202,
      { create: 1, update: 1, delete: 1, unchanged: 0 },
    ]);
    const after = await recordsetsOf(zone);
    expect(after.filter(({ name }: { name: string }) => !name.startsWith('e.'))).toEqual(before);
    const { json } = await tenant.ask('GET', `${pathOf(zone)}/changes/${idIn(answer)}`);
    expect(json.door).toBe('revert');
    // What is already as it was before is no fault.
    expect((await revert(zone, made.json.id)).json.status).toBe('UNCHANGED');
    expect((await revert(zone, idIn(answer))).status).toBe(202);
  });

  it('of a single write works as well', async () => {
    const zone = await filled();
    const [{ id }] = await recordsetsOf(zone);
    const gone = await tenant.ask('DELETE', `${pathOf(zone)}/recordsets/${id}`);
    expect((await revert(zone, idIn(gone))).status).toBe(202);
    expect((await recordsetsOf(zone)).map((one: { id: string }) => one.id)).toContain(id);
  });

  it('names the recordsets that have changed since, and changes nothing', async () => {
    const zone = await filled();
    const made = await change(zone, [
      { action: 'replace', name: `a.${zone.name}`, type: 'TXT', records: ['"1"'] },
      { action: 'delete', name: `b.${zone.name}` },
    ]);
    await change(zone, [{ action: 'replace', name: `a.${zone.name}`, type: 'TXT', records: ['"2"'] }]);
    const now = await tenant.look(zone);
    const answer = await revert(zone, made.json.id);
    expect([answer.status, answer.json.type]).toEqual([409, 'changed_since']);
    expect(answer.json.errors.errors).toMatchObject([{ type: 'changed_since' }]);
    expect(answer.json.errors.errors[0].message).toContain(`a.${zone.name}`);
    const dry = await revert(zone, made.json.id, { dry_run: true });
    expect([dry.status, dry.json.status]).toEqual([200, 'REFUSED']);
    expect(await tenant.look(zone)).toEqual(now);
  });

  it('refuses a change that it does not know, and bad bodies', async () => {
    const zone = await filled();
    const unknown = await revert(zone, zone.id);
    expect([unknown.status, unknown.json.type]).toEqual([404, 'change_not_found']);
    const bad = await revert(zone, zone.id, { colour: 'red' });
    expect([bad.status, bad.json.type]).toEqual([400, 'invalid_object']);
    const serial = await revert(zone, zone.id, { if_serial: 1 });
    expect([404, 412]).toContain(serial.status);
  });
});

const action = fc.record({
  kind: fc.constantFrom('upsert', 'delete', 'remove'),
  host: fc.constantFrom('a', 'b', 'c', 'd'),
  value: fc.nat(5),
});
const sets = fc.array(fc.uniqueArray(action, { selector: ({ host }) => host, minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 6,
});

it('brings back every former zone file, by serial and by reverting one change after another', async () => {
  const property = fc.asyncProperty(sets, async (all) => {
    const zone = await tenant.makeZone();
    const files: (readonly [serial: number, file: readonly string[]])[] = [[zone.serial, await fileOf(zone)]];
    const ids: string[] = [];
    for (const set of all) {
      const changes = set.map(({ kind, host, value }) => {
        const common = { action: kind, name: `${host}.${zone.name}`, type: 'TXT' };
        return kind === 'delete' ? common : { ...common, records: [`"${value}"`, '"same"'] };
      });
      const { status, json } = await change(zone, changes);
      if (status !== 202) continue;
      ids.unshift(json.id);
      files.push([(await tenant.look(zone)).serial, await fileOf(zone)]);
    }
    for (const [serial, file] of files.toReversed()) {
      expect((await restore(zone, { serial })).status).toBeLessThan(300);
      expect(await fileOf(zone)).toEqual(file);
    }
    await restore(zone, { serial: files.at(-1)![0] });
    for (const [place, id] of ids.entries()) {
      expect((await revert(zone, id)).status).toBe(202);
      expect(await fileOf(zone)).toEqual(files.at(-2 - place)![1]);
    }
  });
  await fc.assert(property, { numRuns: runs(30, 5) });
});
