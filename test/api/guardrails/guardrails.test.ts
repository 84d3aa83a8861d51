import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__NS_RECORDS: 'ns1.servers.example., ns2.servers.example.',
  });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

/** A recordset by its name in a zone, where `@` is the apex; its records may name `@`, too. */
type Given = readonly [label: string, type: string, ...records: string[]];

const nameIn = (zone: TestZone, label: string) => (label === '@' ? zone.name : `${label}.${zone.name}`);

function put(zone: TestZone, [label, type, ...records]: Given, by = tenant): Promise<Answer> {
  const texts = records.map((record) => record.replace('@', zone.name));
  return by.create(zone, { name: nameIn(zone, label), type, records: texts });
}

/** A zone with these recordsets, whose guardrails are looked at only afterwards. */
async function zoneWith(...given: readonly Given[]): Promise<TestZone> {
  const zone = await tenant.makeZone();
  for (const one of given) expect((await put(zone, one)).status).toBe(202);
  return zone;
}

async function idOf(zone: TestZone, [label, type]: Given): Promise<string> {
  const { json } = await tenant.ask(
    'GET',
    `/v2/zones/${zone.id}/recordsets?name=${nameIn(zone, label)}&type=${type}`,
  );
  return json.recordsets[0].id;
}

async function remove(zone: TestZone, given: Given): Promise<Answer> {
  return tenant.ask('DELETE', `/v2/zones/${zone.id}/recordsets/${await idOf(zone, given)}`);
}

async function replace(zone: TestZone, [label, type, ...records]: Given): Promise<Answer> {
  const id = await idOf(zone, [label, type]);
  const texts = records.map((record) => record.replace('@', zone.name));
  return tenant.ask('PUT', `/v2/zones/${zone.id}/recordsets/${id}`, { records: texts });
}

/** The guardrails that warned, or `nothing`; the answer has no key for them then. */
function warned({ status, json }: Answer): readonly string[] | 'nothing' {
  expect(status).toBe(202);
  if (!Object.hasOwn(json, 'warnings')) return 'nothing';
  return json.warnings.map(({ guardrail }: { guardrail: string }) => guardrail);
}
const messageOf = ({ json }: Answer): string => json.warnings[0].message;

describe('in_use', () => {
  it.each<[string, Given]>([
    ['CNAME', ['alias', 'CNAME', 'host.@']],
    ['MX', ['@', 'MX', '10 host.@', '20 mail.elsewhere.example.']],
    ['SRV', ['_sip._tcp', 'SRV', '0 0 5060 host.@']],
    ['NS', ['child', 'NS', 'host.@']],
    ['SVCB', ['svc', 'SVCB', '1 host.@ port=53']],
    ['HTTPS', ['alias', 'HTTPS', '0 host.@']],
    ['HTTPS of the same name', ['host', 'HTTPS', '1 . alpn=h2']],
  ])('warns of the deletion of the address that a needed %s points at', async (_, pointer) => {
    const zone = await zoneWith(['host', 'A', '192.0.2.1'], pointer);
    const answer = await remove(zone, ['host', 'A']);
    expect(warned(answer)).toEqual(['in_use']);
    expect(messageOf(answer)).toContain(`the ${pointer[1]} at "${nameIn(zone, pointer[0])}"`);
    expect(messageOf(answer)).toContain('Guardrail in_use: "host.');
  });

  it('names the recordsets in one order, however they were made', async () => {
    const pointers: readonly Given[] = [
      ['b', 'MX', '10 host.@'],
      ['c', 'CNAME', 'host.@'],
      ['a', 'CNAME', 'host.@'],
    ];
    for (const made of [pointers, pointers.toReversed()]) {
      const zone = await zoneWith(['host', 'A', '192.0.2.1'], ...made);
      expect(messageOf(await remove(zone, ['host', 'A']))).toContain(
        `by the CNAME at "a.${zone.name}", the CNAME at "c.${zone.name}" and the MX at "b.${zone.name}".`,
      );
    }
  });

  it('says nothing while the name keeps an address, or nobody points at it', async () => {
    const zone = await zoneWith(
      ['host', 'A', '192.0.2.1'],
      ['host', 'AAAA', '2001:db8::1'],
      ['host', 'TXT', '"text"'],
      ['alias', 'CNAME', 'host.@'],
      ['other', 'A', '192.0.2.2'],
    );
    expect(warned(await remove(zone, ['other', 'A']))).toBe('nothing');
    expect(warned(await remove(zone, ['host', 'TXT']))).toBe('nothing');
    expect(warned(await replace(zone, ['host', 'A', '192.0.2.7']))).toBe('nothing');
    expect(warned(await remove(zone, ['host', 'A']))).toBe('nothing');
    expect(warned(await remove(zone, ['host', 'AAAA']))).toEqual(['in_use']);
  });

  it('follows the recordsets that point at a name, as they are created, changed and deleted', async () => {
    const zone = await zoneWith(
      ['one', 'A', '192.0.2.1'],
      ['two', 'A', '192.0.2.2'],
      ['three', 'A', '192.0.2.3'],
      ['@', 'MX', '10 one.@', '20 two.@'],
      ['alias', 'CNAME', 'three.@'],
    );
    expect(warned(await replace(zone, ['@', 'MX', '10 two.@']))).toBe('nothing');
    expect(warned(await remove(zone, ['one', 'A']))).toBe('nothing');
    expect(warned(await remove(zone, ['alias', 'CNAME']))).toBe('nothing');
    expect(warned(await remove(zone, ['three', 'A']))).toBe('nothing');
    expect(warned(await remove(zone, ['two', 'A']))).toEqual(['in_use']);
  });

  it('finds pointers in all zones of the project, imported ones too, and names three at most', async () => {
    const zone = await zoneWith(['host', 'A', '192.0.2.1']);
    const other = await tenant.makeZone();
    const lines = [1, 2, 3, 4, 5].map((one) => `alias${one} 300 IN CNAME host.${zone.name}`);
    const file = [
      `$ORIGIN imported.${other.name}`,
      '@ 3600 IN SOA ns1.servers.example. hostmaster.example.org. 1 3600 600 86400 3600',
      '@ 3600 IN NS ns1.servers.example.',
      ...lines,
    ].join('\n');
    const imported = await tenant.ask('POST', '/v2/zones/tasks/imports', file, {
      'content-type': 'text/dns',
    });
    expect(imported.status).toBe(202);
    const answer = await remove(zone, ['host', 'A']);
    expect(warned(answer)).toEqual(['in_use']);
    expect(messageOf(answer).match(/the CNAME at/g)).toHaveLength(3);
    expect(messageOf(answer)).toMatch(/ and more\. /);
  });

  it('knows the zones whose managed NS names the server', async () => {
    const zone = await tenant.makeZone('servers.example.');
    await put(zone, ['ns1', 'A', '192.0.2.53']);
    const answer = await remove(zone, ['ns1', 'A']);
    expect(warned(answer)).toEqual(['in_use']);
    expect(messageOf(answer)).toContain('the NS at "');
    await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
  });

  it('counts neither a deleted zone nor what other projects point at a name', async () => {
    const stranger = await tenantOf(service, 'stranger');
    const zone = await zoneWith(['host', 'A', '192.0.2.1']);
    const foreign = await stranger.makeZone('stranger.example.');
    const alias: Given = ['alias', 'CNAME', `host.${zone.name}`];
    expect(warned(await put(foreign, alias, stranger))).toBe('nothing');
    const gone = await tenant.makeZone();
    await put(gone, alias);
    await tenant.ask('DELETE', `/v2/zones/${gone.id}`);
    expect(warned(await remove(zone, ['host', 'A']))).toBe('nothing');
  });

  it('goes with a zone to its new owner', async () => {
    const heir = await tenantOf(service, 'heir');
    const zone = await heir.makeZone('heir.example.');
    await put(zone, ['host', 'A', '192.0.2.1'], heir);
    const given = await zoneWith(['alias', 'CNAME', `host.${zone.name}`]);
    const offer = await tenant.ask('POST', `/v2/zones/${given.id}/tasks/transfer_requests`, {});
    const { id, key } = offer.json;
    const accepted = await heir.ask('POST', '/v2/zones/tasks/transfer_accepts', {
      key,
      zone_transfer_request_id: id,
    });
    expect(accepted.status).toBe(201);
    const { json } = await heir.ask('GET', `/v2/zones/${zone.id}/recordsets?type=A`);
    const answer = await heir.ask('DELETE', `/v2/zones/${zone.id}/recordsets/${json.recordsets[0].id}`);
    expect(warned(answer)).toEqual(['in_use']);
  });
});

describe('dangling_target', () => {
  it.each<[string, Given]>([
    ['a CNAME', ['alias', 'CNAME', 'gone.@']],
    ['an MX', ['@', 'MX', '10 gone.@']],
    ['an SRV', ['_sip._tcp', 'SRV', '0 0 5060 gone.@']],
    ['an NS', ['child', 'NS', 'gone.@']],
    ['an SVCB', ['svc', 'SVCB', '1 gone.@']],
    ['an HTTPS', ['web', 'HTTPS', '0 gone.@']],
  ])('warns of %s that points at nothing', async (_, pointer) => {
    const zone = await zoneWith(['host', 'A', '192.0.2.1']);
    const answer = await put(zone, pointer);
    expect(warned(answer)).toEqual(['dangling_target']);
    expect(messageOf(answer)).toContain(`points at "gone.${zone.name}"`);
  });

  it.each<[string, Given[], string]>([
    ['a recordset of any type', [['there', 'TXT', '"text"']], 'there.@'],
    ['the apex', [], '@'],
    ['a wildcard', [['*', 'A', '192.0.2.1']], 'a.b.c.@'],
    [
      'the wildcard of the closest encloser',
      [
        ['*', 'A', '192.0.2.1'],
        ['*.b', 'A', '192.0.2.1'],
      ],
      'a.b.@',
    ],
    ['a delegation at the name', [['sub', 'NS', 'ns.elsewhere.example.']], 'sub.@'],
    ['a delegation above it', [['sub', 'NS', 'ns.elsewhere.example.']], 'a.b.sub.@'],
    ['a DNAME above it', [['sub', 'DNAME', 'elsewhere.example.']], 'a.sub.@'],
    ['a zone of nobody', [], 'www.elsewhere.example.'],
    ['itself', [], 'alias.@'],
  ])('is content with %s', async (_, given, target) => {
    const zone = await zoneWith(...given);
    expect(warned(await put(zone, ['alias', 'CNAME', target]))).toBe('nothing');
  });

  it.each<[string, Given[], string]>([
    [
      'a wildcard whose parent is not the closest encloser',
      [
        ['*', 'A', '192.0.2.1'],
        ['x.b', 'A', '192.0.2.1'],
      ],
      'a.b.@',
    ],
    ['a wildcard below the name', [['*.sub', 'A', '192.0.2.1']], 'sub.@'],
    [
      'a wildcard beside an empty non-terminal',
      [
        ['*', 'A', '192.0.2.1'],
        ['x.sub', 'A', '192.0.2.1'],
      ],
      'sub.@',
    ],
  ])('is not content with %s', async (_, given, target) => {
    const zone = await zoneWith(...given);
    expect(warned(await put(zone, ['alias', 'CNAME', target]))).toEqual(['dangling_target']);
  });

  it('looks at new targets alone', async () => {
    const zone = await zoneWith(['host', 'A', '192.0.2.1']);
    expect(warned(await put(zone, ['@', 'MX', '10 gone.@']))).toEqual(['dangling_target']);
    expect(warned(await replace(zone, ['@', 'MX', '10 gone.@', '20 host.@']))).toBe('nothing');
    const answer = await replace(zone, ['@', 'MX', '10 gone.@', '20 lost.@']);
    expect(warned(answer)).toEqual(['dangling_target']);
    expect(messageOf(answer)).toContain('"lost.');
  });

  it('looks into the nearest zone of the project', async () => {
    const zone = await zoneWith(['*', 'A', '192.0.2.1'], ['host.sub', 'A', '192.0.2.1']);
    const child = await tenant.makeZone(`sub.${zone.name}`);
    const answer = await put(zone, ['alias', 'CNAME', 'host.sub.@']);
    expect(warned(answer)).toEqual(['dangling_target']);
    expect(messageOf(answer)).toContain(`the zone "${child.name}" has nothing`);
  });

  it('knows nothing of the names in a secondary zone before its first transfer', async () => {
    const zone = await zoneWith();
    const name = `awaited-${zone.name}`;
    const masters = ['192.0.2.1'];
    const made = await tenant.ask('POST', '/v2/zones', { name, type: 'SECONDARY', masters });
    expect(made.status).toBe(202);
    expect(warned(await put(zone, ['alias', 'CNAME', `gone.${name}`]))).toBe('nothing');
  });

  it('tells nothing of the names of other projects', async () => {
    const neighbour = await tenantOf(service, 'neighbour');
    const foreign = await neighbour.makeZone('neighbour.example.');
    const zone = await zoneWith();
    expect(warned(await put(zone, ['alias', 'CNAME', `gone.${foreign.name}`]))).toBe('nothing');
  });
});

describe('lame_delegation', () => {
  it("warns of a delegation to the service's own name servers without a zone here", async () => {
    const zone = await zoneWith();
    const answer = await put(zone, ['child', 'NS', 'ns.elsewhere.example.', 'ns2.servers.example.']);
    expect(warned(answer)).toEqual(['lame_delegation']);
    expect(messageOf(answer)).toContain(`no zone "child.${zone.name}" here`);
    expect(warned(await replace(zone, ['child', 'NS', 'ns.elsewhere.example.']))).toBe('nothing');
    expect(warned(await replace(zone, ['child', 'NS', 'ns1.servers.example.']))).toEqual(['lame_delegation']);
  });

  it('says nothing if the zone is here, or the name servers are others', async () => {
    const zone = await zoneWith();
    await tenant.makeZone(`child.${zone.name}`);
    expect(warned(await put(zone, ['child', 'NS', 'ns1.servers.example.']))).toBe('nothing');
    expect(warned(await put(zone, ['other', 'NS', 'ns.elsewhere.example.']))).toBe('nothing');
  });
});

describe('mail_policy', () => {
  it('warns of a second SPF record, and of policies that do not parse', async () => {
    const zone = await zoneWith(['a', 'TXT', '"v=spf1 -all"', '"text"']);
    const second = await replace(zone, ['a', 'TXT', '"v=spf1 -all"', '"v=spf1 mx -all"']);
    expect(warned(second)).toEqual(['mail_policy']);
    expect(messageOf(second)).toContain('has 2 SPF records');
    const wrong = await put(zone, ['b', 'TXT', '"v=spf1 inclde:example.net -all"']);
    expect(messageOf(wrong)).toContain('inclde:example.net');
    const dmarc = await put(zone, ['_dmarc', 'TXT', '"v=DMARC1; p=rejected"']);
    expect(messageOf(dmarc)).toContain('DMARC');
    expect(warned(await replace(zone, ['_dmarc', 'TXT', '"v=DMARC1; p=reject"']))).toBe('nothing');
    expect(warned(await replace(zone, ['a', 'TXT', '"v=spf1 -all"']))).toBe('nothing');
  });

  it('warns of a CNAME at the name of a mail server, from both sides', async () => {
    const zone = await zoneWith(['host', 'A', '192.0.2.1'], ['alias', 'CNAME', 'host.@']);
    const mx = await put(zone, ['@', 'MX', '10 alias.@']);
    expect(warned(mx)).toEqual(['mail_policy']);
    expect(messageOf(mx)).toContain(`"alias.${zone.name}", which has a CNAME`);
    await remove(zone, ['alias', 'CNAME']);
    const cname = await put(zone, ['alias', 'CNAME', 'host.@']);
    expect(warned(cname)).toEqual(['mail_policy']);
    expect(messageOf(cname)).toContain(`the MX at "${zone.name}" points at it`);
  });
});

it('leaves the guardrails that are off alone, and looks at nothing else', async () => {
  const zone = await zoneWith();
  const off = { in_use: 'off', dangling_target: 'off', lame_delegation: 'off', mail_policy: 'off' };
  expect((await tenant.ask('PATCH', `/v2/zones/${zone.id}/guardrails`, off)).status).toBe(200);
  for (const given of [
    ['child', 'NS', 'ns1.servers.example.'],
    ['alias', 'CNAME', 'gone.@'],
    ['@', 'MX', '10 alias.@'],
    ['host', 'A', '192.0.2.1'],
    ['other', 'CNAME', 'host.@'],
    ['@', 'TXT', '"v=spf1 x"'],
  ] as const)
    expect(warned(await put(zone, given))).toBe('nothing');
  expect(warned(await remove(zone, ['host', 'A']))).toBe('nothing');
});
