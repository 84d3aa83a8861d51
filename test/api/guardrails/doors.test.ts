/** Each guardrail holds for every way to change recordsets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__NS_RECORDS: 'ns1.servers.example.',
  });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

/** A recordset by its name in a zone, where `@` is the apex; its records may name `@`, too. */
type Given = readonly [label: string, type: string, ...records: string[]];

interface Case {
  readonly guardrail: string;
  readonly what: string;
  readonly good: readonly Given[];
  /** What the guardrail does not like, once it was `good`. */
  readonly bad: readonly Given[];
}

const HOST: Given = ['host', 'A', '192.0.2.1'];
const ALIAS: Given = ['alias', 'CNAME', 'host.@'];
const MANY = Array.from({ length: 24 }, (_, place): Given => [`h${place}`, 'A', '192.0.2.1']);

const CASES: readonly Case[] = [
  { guardrail: 'in_use', what: 'a lost address', good: [HOST, ALIAS], bad: [ALIAS] },
  {
    guardrail: 'dangling_target',
    what: 'a target that is not there',
    good: [HOST],
    bad: [HOST, ['alias', 'CNAME', 'gone.@']],
  },
  {
    guardrail: 'dangling_target',
    what: 'another target that is not there',
    good: [HOST, ALIAS],
    bad: [HOST, ['alias', 'CNAME', 'gone.@']],
  },
  {
    guardrail: 'lame_delegation',
    what: 'a delegation to our servers',
    good: [HOST],
    bad: [HOST, ['child', 'NS', 'ns1.servers.example.']],
  },
  { guardrail: 'mass_deletion', what: 'most of the zone', good: MANY, bad: MANY.slice(0, 11) },
  {
    guardrail: 'mail_policy',
    what: 'a second SPF record',
    good: [['@', 'TXT', '"v=spf1 -all"']],
    bad: [['@', 'TXT', '"v=spf1 -all"', '"v=spf1 mx -all"']],
  },
  {
    guardrail: 'mail_policy',
    what: 'an MX at a CNAME',
    good: [HOST, ALIAS],
    bad: [HOST, ALIAS, ['@', 'MX', '10 alias.@']],
  },
  {
    guardrail: 'mail_policy',
    what: 'a CNAME at a mail server',
    good: [HOST, ['@', 'MX', '10 mail.@']],
    bad: [HOST, ['mail', 'CNAME', 'host.@'], ['@', 'MX', '10 mail.@']],
  },
];

/** Members that any door but a single write takes. */
interface Options {
  readonly dry_run?: boolean;
  readonly override?: readonly string[];
}
type Door = (zone: TestZone, given: Case, options: Options) => Promise<Answer>;

const pathOf = ({ id }: TestZone) => `/v2/zones/${id}`;

function recordsetOf(zone: TestZone, [label, type, ...records]: Given) {
  const name = label === '@' ? zone.name : `${label}.${zone.name}`;
  return { name, type, records: records.map((record) => record.replace('@', zone.name)) };
}

function listOf(zone: TestZone, given: readonly Given[]) {
  return { recordsets: given.map((one) => recordsetOf(zone, one)) };
}

interface SentChange {
  readonly name: string;
  readonly type: string;
  readonly records?: readonly string[];
}

const keyOf = ([label, type]: Given) => `${label} ${type}`;

function changesOf(zone: TestZone, { good, bad }: Case) {
  const kept = new Set(bad.map(keyOf));
  const gone = good.filter((one) => !kept.has(keyOf(one)));
  const known = new Set(good.map((one) => one.join()));
  const put = bad.filter((one) => !known.has(one.join()));
  return [
    ...gone.map((one) => {
      const { records: _, ...named } = recordsetOf(zone, one);
      return { action: 'delete', ...named };
    }),
    ...put.map((one) => ({ action: 'upsert', ...recordsetOf(zone, one) })),
  ];
}

async function putContents(zone: TestZone, given: readonly Given[], options: Options = {}): Promise<Answer> {
  const query = new URLSearchParams(
    Object.entries(options).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  return tenant.ask('PUT', `${pathOf(zone)}/contents?${query}`, listOf(zone, given));
}

const setModes = (zone: TestZone, mode: string) =>
  tenant.ask('PATCH', `${pathOf(zone)}/guardrails`, {
    in_use: mode,
    dangling_target: mode,
    lame_delegation: mode,
    mass_deletion: mode,
    mail_policy: mode,
  });

/** The serial that the zone had while it was bad, and the change that made it good. */
const bad = new Map<string, { readonly serial: number; readonly repair: string }>();

async function zoneFor(given: Case): Promise<TestZone> {
  const zone = await tenant.makeZone();
  expect((await setModes(zone, 'off')).status).toBe(200);
  const { json } = await putContents(zone, given.bad);
  const repair = await putContents(zone, given.good);
  expect(repair.status).toBe(202);
  bad.set(zone.id, { serial: json.to_serial, repair: repair.json.id });
  return zone;
}

const DOORS: Readonly<Record<string, Door>> = {
  'a set': (zone, given, options) =>
    tenant.ask('POST', `${pathOf(zone)}/changes`, { changes: changesOf(zone, given), ...options }),
  contents: (zone, given, options) => putContents(zone, given.bad, options),
  'a restore': (zone, _, options) =>
    tenant.ask('POST', `${pathOf(zone)}/restore`, { serial: bad.get(zone.id)!.serial, ...options }),
  'a revert': (zone, _, options) =>
    tenant.ask('POST', `${pathOf(zone)}/changes/${bad.get(zone.id)!.repair}/revert`, options),
};

async function single(zone: TestZone, given: Case, { override }: Options): Promise<Answer> {
  const headers = override && { 'x-zonewarden-override': override.join() };
  const [change, ...others] = changesOf(zone, given) as readonly SentChange[];
  expect(others).toEqual([]);
  const { name, type, records } = change!;
  const path = `${pathOf(zone)}/recordsets`;
  const { json } = await tenant.ask('GET', `${path}?name=${name}&type=${type}`);
  const [stored] = json.recordsets;
  if (stored === undefined) return tenant.ask('POST', path, { name, type, records }, headers);
  return records === undefined
    ? tenant.ask('DELETE', `${path}/${stored.id}`, undefined, headers)
    : tenant.ask('PUT', `${path}/${stored.id}`, { records }, headers);
}

/** The guardrails that warned, anywhere in an answer. */
function warned({ json }: Answer): readonly string[] {
  const all = [
    ...(json.warnings ?? []),
    ...(json.changes ?? []).flatMap((one: Answer['json']) => one.warnings),
  ];
  return [...new Set(all.map(({ guardrail }: { guardrail: string }) => guardrail))];
}

/** The guardrail that each change overrode. */
const overridden = new Map<string, string>();

const title = ({ guardrail, what }: Case) => `${guardrail}: ${what}`;

describe.each(Object.entries(DOORS))('%s', (_, door) => {
  it.each(CASES.map((given) => [title(given), given] as const))(
    'warns, is refused, and passes with an override: %s',
    async (_title, given) => {
      const { guardrail } = given;
      const zone = await zoneFor(given);
      expect(warned(await door(zone, given, { dry_run: true }))).toEqual([]);
      await setModes(zone, 'warn');
      const shown = await door(zone, given, { dry_run: true });
      expect([shown.json.status, warned(shown)]).toEqual(['PLANNED', [guardrail]]);
      await setModes(zone, 'refuse');
      const before = await tenant.look(zone);
      const other = guardrail === 'in_use' ? 'mail_policy' : 'in_use';
      for (const options of [{}, { override: [other] }]) {
        const answer = await door(zone, given, options);
        expect([answer.status, answer.json.type]).toEqual([409, 'guardrail']);
        expect(answer.json.message).toMatch(
          new RegExp(`^Guardrail ${guardrail}: .* override ${guardrail}\\.$`),
        );
        const dry = await door(zone, given, { ...options, dry_run: true });
        expect(dry.json.status).toBe('REFUSED');
      }
      expect(await tenant.look(zone)).toEqual(before);
      const made = await door(zone, given, { override: [guardrail] });
      expect([made.status, warned(made)]).toEqual([202, [guardrail]]);
      overridden.set(made.json.id, guardrail);
    },
  );

  it('takes no unknown guardrail', async () => {
    const [given] = CASES as [Case];
    const zone = await zoneFor(given);
    const unknown = await door(zone, given, { override: ['no_such'] });
    expect(unknown.status).toBe(400);
    expect(unknown.json.message).toContain('in_use');
  });
});

describe('a single write', () => {
  it.each(
    CASES.filter(({ guardrail }) => guardrail !== 'mass_deletion').map(
      (given) => [title(given), given] as const,
    ),
  )('is refused or warns: %s', async (_title, given) => {
    const { guardrail } = given;
    const zone = await zoneFor(given);
    await setModes(zone, 'refuse');
    const answer = await single(zone, given, {});
    expect([answer.status, answer.json.type]).toEqual([409, 'guardrail']);
    expect(answer.json.message).toMatch(new RegExp(`^Guardrail ${guardrail}: `));
    await setModes(zone, 'warn');
    const made = await single(zone, given, {});
    expect([made.status, warned(made)]).toEqual([202, [guardrail]]);
  });
});

it('names the guardrails that were overridden in the events', async () => {
  const events = await eventsOf(service, '&type=recordsets.changed');
  expect(overridden.size).toBe(CASES.length * Object.keys(DOORS).length);
  const found = events.map(({ details }) => [details!.change_id, details!.overrides]);
  expect(found.filter(([, names]) => Array.isArray(names) && names.length > 0).sort()).toEqual(
    [...overridden].map(([id, name]) => [id, [name]]).sort(),
  );
});

it('makes a refusal an event, and counts it', async () => {
  const quiet = await tenantOf(service, 'quiet');
  const zone = await quiet.makeZone();
  await quiet.ask('PATCH', `${pathOf(zone)}/guardrails`, { dangling_target: 'refuse' });
  const change = { action: 'create', ...recordsetOf(zone, ['alias', 'CNAME', 'gone.@']) };
  const answer = await quiet.ask('POST', `${pathOf(zone)}/changes`, { changes: [change] });
  expect(answer.status).toBe(409);
  const event = await eventually(async () => {
    return (await eventsOf(service, `&target_id=${zone.id}&type=refused.guardrail`))[0];
  });
  expect(event).toMatchObject({
    outcome: 'refused',
    error: 'guardrail',
    details: { message: answer.json.message },
    restricted: { guardrails: ['dangling_target'] },
  });
  const headers = { accept: '*/*' };
  const { text } = await service.request('GET', '/metrics', { token: service.admin, headers });
  const line = /^zonewarden_guardrail_findings_total\{guardrail="dangling_target",outcome="refused"\} (.*)$/m;
  expect(Number(line.exec(text)?.[1])).toBeGreaterThan(0);
});
