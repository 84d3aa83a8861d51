/** What a new zone hides of the zone above it, and what its creator is told. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

const BASE = {
  ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
};

let service: TestService;
let member: string;
let rival: string;
beforeAll(async () => {
  service = await startTestService(BASE);
  member = await service.token('shop', 'member');
  rival = await service.token('rival', 'member');
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object, token = member): Promise<Answer> =>
  service.request(method, path, { token, ...(body && { body }) });
const makeZone = (name: string): Promise<Answer> =>
  ask('POST', '/v2/zones', { name, email: 'a@example.org' });
const check = async (name: string, token = member) =>
  (await ask('POST', '/v2/zones/check', { name }, token)).json;

let drawn = 0;
const newName = (): string => `par-${++drawn}.example.`;

/** A zone with these records besides its own, by their names within it. */
async function parentWith(...lines: readonly string[]): Promise<{ name: string; id: string }> {
  const name = newName();
  const { status, json } = await importFile(service, member, zoneFile(name, ...lines));
  expect([status, json.message]).toEqual([202, `${name} imported`]);
  return { name, id: json.zone_id };
}

/** The zones that hide recordsets of a zone, by their names within it and types. */
async function hidersIn({ id, name }: { id: string; name: string }): Promise<Record<string, string>> {
  const { recordsets } = (await ask('GET', `/v2/zones/${id}/recordsets?limit=max`)).json;
  const hidden = recordsets.filter((one: object) => 'hidden_by' in one);
  const short = (text: string) => text.slice(0, -name.length - 1);
  return Object.fromEntries(
    hidden.map((one: Record<string, string>) => [`${short(one.name!)} ${one.type}`, short(one.hidden_by!)]),
  );
}

describe('a new zone at or above the names of recordsets of the zone above it', () => {
  it('is created with a warning, which the check and the event give, too', async () => {
    const { name } = await parentWith(
      'www.dept A 192.0.2.1',
      'www.dept TXT x',
      'dept MX 10 www',
      'dep A 192.0.2.1',
    );
    const child = `dept.${name}`;
    const hides = { zone_name: name, recordsets: 3, names: [child, `www.${child}`] };
    const hidden = `This zone hides 3 recordsets of ${name}: ${child}, www.${child}`;
    const warning = `299 - "${hidden}"`;
    expect(await check(child)).toMatchObject({ allowed: true, warning, hides });
    const command = () =>
      runHere(['zone', 'check', child, '--project', 'shop'], storeOptions(service.dataDir));
    const verdict = `${child} would succeed with a warning\n${hidden}\nzones left: 9\n`;
    expect(await command()).toMatchObject({ status: 0, out: verdict });
    const { status, json, headers } = await makeZone(child);
    expect([status, headers.get('warning')]).toEqual([202, warning]);
    expect(json).not.toHaveProperty('hides');
    const [created] = await eventsOf(service, `&target_id=${json.id}`, member);
    expect(created).toMatchObject({ type: 'zone.created', details: { hides } });
  });

  it('names the first ten, in tree order, and counts all of them', async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `h${String(at).padStart(2, '0')}.dept A 192.0.2.1`);
    const { name } = await parentWith(...lines.toReversed());
    const { warning, hides } = await check(`dept.${name}`);
    const names = lines.slice(0, 10).map((line) => `${line.split(' ')[0]}.${name}`);
    expect(hides).toEqual({ zone_name: name, recordsets: 12, names });
    expect(warning).toBe(
      `299 - "This zone hides 12 recordsets of ${name}: the first names are ${names.join(', ')}"`,
    );
    expect((await makeZone(`dept.${name}`)).headers.get('warning')).toBe(warning);
  });

  it('names fewer in the warning where their names are long, so that proxies take the head of the answer', async () => {
    const long = `${'\\200'.repeat(60)}.`.repeat(3);
    const parent = await parentWith(...Array.from({ length: 9 }, (_, at) => `n${at}.${long}dept TXT x`));
    const name = `dept.${parent.name}`;
    expect((await check(name)).hides.names).toHaveLength(9);
    const warning = (await makeZone(name)).headers.get('warning')!;
    expect(warning).toContain('hides 9 recordsets');
    expect(warning).toContain('the first names are n0.');
    expect(warning.length).toBeLessThan(2000);
  });

  it('counts up to 1000, however many there are', async () => {
    const lines = Array.from({ length: 1010 }, (_, at) => `h${at}.dept A 192.0.2.1`);
    const { name } = await parentWith(...lines);
    const { hides, warning } = await check(`dept.${name}`);
    expect(hides.recordsets).toBe(1000);
    expect(warning).toContain(`hides at least 1000 recordsets of ${name}`);
  });

  it('does not hide its delegation and its DS, and nothing beside it', async () => {
    const { name, id } = await parentWith(
      'dept NS ns.elsewhere.example.',
      `dept DS 1 13 2 ${'ab'.repeat(32)}`,
      'dept-x A 192.0.2.1',
      '* A 192.0.2.1',
    );
    expect(await check(`dept.${name}`)).toMatchObject({ allowed: true, warning: null });
    const { status, headers } = await makeZone(`dept.${name}`);
    expect([status, headers.get('warning')]).toEqual([202, null]);
    expect(await hidersIn({ id, name })).toEqual({});
  });

  it('is told of the nearest zone above it alone', async () => {
    const { name } = await parentWith('www.dept A 192.0.2.1', 'www.x.dept A 192.0.2.1');
    await makeZone(`dept.${name}`);
    expect(await check(`x.dept.${name}`)).toMatchObject({ allowed: true, warning: null });
  });

  it('has the warning by every door: of an import, a secondary zone, and a repeated request', async () => {
    const { name, id } = await parentWith(
      'www.file A 192.0.2.1',
      'www.second A 192.0.2.1',
      'www.once A 192.0.2.1',
    );
    const imported = await importFile(service, member, zoneFile(`file.${name}`));
    const sentence = `This zone hides 1 recordset of ${name}: www.file.${name}`;
    expect(imported.headers.get('warning')).toBe(`299 - "${sentence}"`);
    expect(imported.json.message).toBe(`file.${name} imported`);
    const second = { name: `second.${name}`, type: 'SECONDARY', masters: ['192.0.2.1'] };
    expect((await ask('POST', '/v2/zones', second)).headers.get('warning')).toContain('hides 1 recordset');
    const once = () =>
      service.request('POST', '/v2/zones', {
        token: member,
        headers: { 'idempotency-key': name },
        body: { name: `once.${name}`, email: 'a@example.org' },
      });
    const [first, again] = [await once(), await once()];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('warning')).toBe(first.headers.get('warning'));
    expect(await hidersIn({ id, name })).toMatchObject({ 'www.file A': 'file', 'www.second A': 'second' });
  });

  it('warns of each in creates that are decided together', async () => {
    const labels = Array.from({ length: 20 }, (_, at) => `d${at}`);
    const { name } = await parentWith(
      ...labels.filter((_, at) => at % 2 === 0).map((one) => `www.${one} A 192.0.2.1`),
    );
    const answers = await Promise.all(labels.map((label) => makeZone(`${label}.${name}`)));
    expect(answers.map(({ status, headers }) => [status, headers.get('warning')])).toEqual(
      labels.map((label, at) => [
        202,
        at % 2 === 0 ? `299 - "This zone hides 1 recordset of ${name}: www.${label}.${name}"` : null,
      ]),
    );
  });

  it('tells another project nothing', async () => {
    const { name } = await parentWith('www.dept A 192.0.2.1');
    const checked = await check(`dept.${name}`, rival);
    expect(checked).toMatchObject({ allowed: false, refusal: { code: 403 }, warning: null });
    expect(checked).not.toHaveProperty('hides');
  });
});

describe('a hidden recordset', () => {
  it('names the zone that hides it, in lists and by itself, until that zone is gone', async () => {
    const parent = await parentWith(
      'www.dept A 192.0.2.1',
      'www.x.dept A 192.0.2.1',
      'dept TXT x',
      'www A 192.0.2.1',
    );
    expect(await hidersIn(parent)).toEqual({});
    const { json: child } = await makeZone(`dept.${parent.name}`);
    expect(await hidersIn(parent)).toEqual({
      'www.dept A': 'dept',
      'www.x.dept A': 'dept',
      'dept TXT': 'dept',
    });
    const { json: deeper } = await makeZone(`x.dept.${parent.name}`);
    expect(await hidersIn(parent)).toMatchObject({ 'www.dept A': 'dept', 'www.x.dept A': 'x.dept' });
    const { recordsets } = (await ask('GET', `/v2/recordsets?name=www.x.dept.${parent.name}`)).json;
    expect(recordsets).toMatchObject([{ hidden_by: `x.dept.${parent.name}` }]);
    const inZone = `/v2/zones/${parent.id}/recordsets?name=`;
    const named = async (query: string) => (await ask('GET', `${inZone}${query}`)).json.recordsets;
    expect(await named(`www.x.dept.${parent.name}&type=A`)).toMatchObject([
      { hidden_by: `x.dept.${parent.name}` },
    ]);
    const [beside] = await named(`www.${parent.name}`);
    expect(beside).toMatchObject({ name: `www.${parent.name}` });
    expect(beside).not.toHaveProperty('hidden_by');
    expect(await named(`nowhere.${parent.name}`)).toEqual([]);
    for (const { id } of [deeper, child]) expect((await ask('DELETE', `/v2/zones/${id}`)).status).toBe(202);
    expect(await hidersIn(parent)).toEqual({});
  });

  it('names the nearest one of many zones, which lie at, above, below and beside it', async () => {
    const name = newName();
    const labels = ['a', 'aa', 'b', '0'];
    const all = labels.flatMap((one) => [
      one,
      ...labels.flatMap((two) => [`${two}.${one}`, `${one}.${two}.b`]),
    ]);
    const paths = [...new Set(all)];
    const owners = paths.flatMap((path) => [path, `*.${path}`, `x.y.${path}`]);
    const texts = owners.map((owner) => `${owner} TXT x`);
    const lines = [...texts, ...paths.map((path) => `ns.${path} NS ns.example.org.`)];
    const { status, json } = await importFile(service, member, zoneFile(name, ...lines));
    expect(status).toBe(202);
    const zones = ['aa.b', 'a', 'a.a', 'b', '0.b', 'y.aa.aa', 'a.0.b', 'b.0', 'ns.b.0', 'ns.0'];
    for (const zone of zones) expect((await makeZone(`${zone}.${name}`)).status).toBe(202);
    const hiderOf = (owner: string, type: string) =>
      zones
        .filter((zone) => owner.endsWith(`.${zone}`) || (owner === zone && type === 'TXT'))
        .sort((one, other) => other.length - one.length)[0];
    const expected = lines.flatMap((line) => {
      const [owner, type] = line.split(' ') as [string, string];
      const hider = hiderOf(owner, type);
      return hider === undefined ? [] : [[`${owner} ${type}`, hider]];
    });
    expect(await hidersIn({ id: json.zone_id, name })).toEqual(Object.fromEntries(expected));
  });

  it('keeps its ETag, and can be changed with what GET answers, and be deleted', async () => {
    const { name, id } = await parentWith('www.dept A 192.0.2.1');
    const [one] = (await ask('GET', `/v2/zones/${id}/recordsets?type=A`)).json.recordsets;
    const path = `/v2/zones/${id}/recordsets/${one.id}`;
    const etag = (await ask('GET', path)).headers.get('etag')!;
    await makeZone(`dept.${name}`);
    const shown = await ask('GET', path);
    expect([shown.json.hidden_by, shown.headers.get('etag')]).toEqual([`dept.${name}`, etag]);
    const changed = await service.request('PUT', path, {
      token: member,
      headers: { 'if-match': etag },
      body: { ...shown.json, ttl: 60 },
    });
    expect([changed.status, changed.json.ttl, changed.json.hidden_by]).toEqual([202, 60, `dept.${name}`]);
    expect((await ask('DELETE', path)).status).toBe(202);
  });
});

describe('a caller who may not read recordsets', () => {
  afterAll(() => service.restart());

  it('is not told their names and number', async () => {
    const { name } = await parentWith('www.dept A 192.0.2.1');
    const file = join(service.dataDir, 'policy.yaml');
    writeFileSync(file, 'find_recordsets: role:admin\n');
    await service.restart({ ...BASE, ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
    expect(await check(`dept.${name}`)).toMatchObject({ allowed: true, warning: null });
    const { status, json, headers } = await makeZone(`dept.${name}`);
    expect([status, headers.get('warning')]).toEqual([202, null]);
    const [created] = await eventsOf(service, `&target_id=${json.id}`);
    expect(created).not.toHaveProperty('details');
  });
});
