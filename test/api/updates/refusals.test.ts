/** Everything that refuses a change over HTTP refuses an UPDATE, with the same sentence. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { temporaryFolder } from '../../support/process.ts';
import type { TestZone } from '../../support/tenant.ts';
import {
  add,
  removeName,
  removeSet,
  type SentRecord,
  sendUpdate,
  type UpdateWorld,
  updateWorld,
} from '../../support/updates.ts';

/** Like the defaults, but SSHFP records can only be deleted and CAA records only be created. */
const POLICY = `
create_recordset: "rule:project_member and not 'SSHFP':%(recordset_type)s"
update_recordset: "rule:project_member and not 'CAA':%(recordset_type)s"
delete_recordset: "rule:project_member and not 'CAA':%(recordset_type)s"
change_recordsets: "rule:project_member and not 'closed.example.':%(zone_name)s"
`;
const [OTHER, PROHIBITED] = [0, 18];

const folder = temporaryFolder();
let world: UpdateWorld;
beforeAll(async () => {
  const file = join(folder.path, 'policy.yaml');
  writeFileSync(file, POLICY);
  world = await updateWorld({
    ZONEWARDEN_BLACKLISTS__APPLY_TO: 'zones, recordsets',
    ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file,
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__NS_RECORDS: 'ns1.servers.example.',
  });
});
afterAll(async () => {
  await world.service.remove();
  folder.remove();
});

const admin = (method: string, path: string, body: object) =>
  world.service.request(method, path, { token: world.service.admin, body });

const resetQuotas = () => world.service.request('DELETE', '/v2/quotas/shop', { token: world.service.admin });
afterEach(resetQuotas);

/** A zone with a key that may change all of it. */
async function keyedZone(make: () => Promise<TestZone> = () => world.tenant.makeZone()) {
  const zone = await make();
  const { key } = await world.makeKey({ update: {} }, { resource_id: zone.id });
  return { zone, key, n: (label: string) => `${label}.${zone.name}` };
}

type Place = { readonly zone: TestZone; readonly key: TsigSecret };
const send = ({ zone, key }: Place, updates: readonly SentRecord[], hasOpt = true) =>
  sendUpdate(world.address, { zone: zone.name, updates, hasOpt }, { key });

async function recordsetsOf({ zone }: Place): Promise<unknown> {
  return (await world.tenant.ask('GET', `/v2/zones/${zone.id}/recordsets`)).json.recordsets;
}

/** Sends an update with and without an OPT. Both are refused, and change nothing; the answer has no more than fits. */
async function expectRefusal(
  place: Place,
  updates: readonly SentRecord[],
  code: number,
  text: string | RegExp,
) {
  const before = [await recordsetsOf(place), await world.tenant.look(place.zone)];
  const sentence = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
  expect(await send(place, updates)).toMatchObject({
    rcode: RCODE.REFUSED,
    tsigError: 0,
    error: { code, text: sentence },
  });
  expect(await send(place, updates, false)).toMatchObject({ rcode: RCODE.REFUSED, error: undefined });
  expect([await recordsetsOf(place), await world.tenant.look(place.zone)]).toEqual(before);
}

describe('an UPDATE is REFUSED by', () => {
  it('a blacklist, if it creates a name', async () => {
    const place = await keyedZone();
    const [old, login] = [place.n('old'), place.n('login')];
    await send(place, [add(old, 'A', 60, '192.0.2.1')]);
    expect((await admin('POST', '/v2/blacklists', { pattern: '^(login|old)\\.' })).status).toBe(201);
    await expectRefusal(place, [add(login, 'A', 60, '192.0.2.1')], OTHER, 'Blacklisted domain name');
    expect((await send(place, [add(old, 'A', 60, '192.0.2.2'), removeName(login)])).rcode).toBe(
      RCODE.NOERROR,
    );
  });

  it.each([
    ['create_recordset', [], add('www', 'SSHFP', 60, '1 1 0123456789012345678901234567890123456789')],
    ['update_recordset', [add('www', 'CAA', 60, '0 issue "a"')], add('www', 'CAA', 60, '0 issue "b"')],
    ['delete_recordset', [add('www', 'CAA', 60, '0 issue "a"')], removeSet('www', 'CAA')],
  ] as const)('the rule %s of the policy', async (rule, prepared, step) => {
    const place = await keyedZone();
    const named = (record: SentRecord) => ({ ...record, name: place.n(record.name) });
    expect((await send(place, prepared.map(named))).rcode).toBe(RCODE.NOERROR);
    await expectRefusal(place, [named(step)], PROHIBITED, rule);
  });

  it('the rule change_recordsets of the policy', async () => {
    const place = await keyedZone(() => world.tenant.makeZone('closed.example.'));
    await expectRefusal(place, [add(place.n('www'), 'A', 60, '192.0.2.1')], PROHIBITED, 'Access Denied');
  });

  it('the protection of a recordset', async () => {
    const place = await keyedZone();
    const name = place.n('kept');
    const { json } = await world.tenant.create(place.zone, { name, type: 'A', records: ['192.0.2.1'] });
    const path = `/v2/zones/${place.zone.id}/recordsets/${json.id}`;
    expect((await world.tenant.ask('PUT', path, { protected: true })).status).toBeLessThan(300);
    for (const step of [removeName(name), removeSet(name, 'A'), add(name, 'A', 60, '192.0.2.2')])
      await expectRefusal(place, [add(place.n('other'), 'A', 60, '192.0.2.1'), step], OTHER, 'protected');
  });

  it.each([
    ['zone_recordsets', 1],
    ['zone_records', 3],
    ['recordset_records', 1],
  ])('the quota %s', async (quota, limit) => {
    const place = await keyedZone();
    const one = add(place.n('one'), 'A', 60, '192.0.2.1');
    const both = ['one', 'two'].flatMap((label) =>
      [1, 2].map((last) => add(place.n(label), 'A', 60, `192.0.2.${last}`)),
    );
    expect((await admin('PATCH', '/v2/quotas/shop', { [quota]: limit })).status).toBe(200);
    await expectRefusal(place, both, OTHER, quota);
    expect((await send(place, [one])).rcode).toBe(RCODE.NOERROR);
    await resetQuotas();
    expect((await send(place, both)).rcode).toBe(RCODE.NOERROR);
  });

  it('the location of records', async () => {
    const place = await keyedZone();
    await send(place, [
      add(place.n('child'), 'NS', 60, 'ns.example.'),
      add(place.n('tree'), 'DNAME', 60, 'other.example.'),
    ]);
    await expectRefusal(place, [add(place.n('a.child'), 'TXT', 60, '"x"')], OTHER, 'is delegated');
    await expectRefusal(place, [add(place.n('a.tree'), 'TXT', 60, '"x"')], OTHER, 'DNAME');
  });

  it.each([
    ['the syntax', 'TLSA', '\\# 4 03010100'],
    ['the type', 'TYPE46', '\\# 1 00'],
    ['the name', 'A', '\\# 4 C0000201', '-a'],
  ])('what the API says of records: %s', async (_, type, rdata, label = 'www') => {
    const place = await keyedZone();
    const name = place.n(label);
    const made = await world.tenant.create(place.zone, { name, type, records: [rdata] });
    expect(made.status).toBe(400);
    const step = { ...add(name, type, 60, ''), rdata: Buffer.from(rdata.split(' ')[2]!, 'hex') };
    await expectRefusal(place, [step], OTHER, made.json.errors.errors[0].message);
  });
});

/** What a zone has first; what then goes against a guardrail. */
type Guarded = readonly [guardrail: string, first: readonly SentRecord[], against: readonly SentRecord[]];

const HOST = add('host', 'A', 60, '192.0.2.1');
const MANY = Array.from({ length: 24 }, (_, place) => add(`h${place}`, 'A', 60, '192.0.2.1'));
const GUARDED: readonly Guarded[] = [
  ['in_use', [HOST, add('alias', 'CNAME', 60, 'host.@')], [removeName('host')]],
  ['dangling_target', [HOST], [add('alias', 'CNAME', 60, 'gone.@')]],
  ['lame_delegation', [HOST], [add('child', 'NS', 60, 'ns1.servers.example.')]],
  ['mass_deletion', MANY, MANY.slice(0, 13).map(({ name }) => removeName(name))],
  ['mail_policy', [HOST], [add('mx', 'TXT', 60, '"v=spf1 -all"'), add('mx', 'TXT', 60, '"v=spf1 mx -all"')]],
];

describe.each(GUARDED)('the guardrail %s', (guardrail, first, against) => {
  it('refuses an UPDATE in the mode "refuse" alone', async () => {
    const place = await keyedZone();
    const { zone } = place;
    const named = ({ name, rdata, ...rest }: SentRecord): SentRecord => ({
      ...rest,
      name: place.n(name),
      ...(rdata !== undefined && { rdata: (rdata as string).replace('@', zone.name) }),
    });
    const mode = (value: string) =>
      world.tenant.ask('PATCH', `/v2/zones/${zone.id}/guardrails`, { [guardrail]: value });
    expect((await send(place, first.map(named))).rcode).toBe(RCODE.NOERROR);
    expect((await mode('refuse')).status).toBe(200);
    await expectRefusal(place, against.map(named), OTHER, new RegExp(`^Guardrail ${guardrail}: `));
    await mode('warn');
    expect((await send(place, against.map(named))).rcode).toBe(RCODE.NOERROR);
  });
});
