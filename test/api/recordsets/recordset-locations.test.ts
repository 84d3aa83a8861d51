import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

type Placed = readonly [name: string, type: string, record?: string];

const RECORD: Readonly<Record<string, string>> = {
  A: '192.0.2.1',
  AAAA: '2001:db8::1',
  CNAME: 'target.example.',
  DNAME: 'target.example.',
  DS: '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118',
  MX: '10 mail.example.',
  NS: 'ns.example.net.',
  TXT: '"text"',
};

/** A name within the zone; `@` is the apex, and what ends in a dot is taken as it is. */
function nameIn(zone: TestZone, label: string): string {
  if (label.endsWith('.')) return label;
  return label === '@' ? zone.name : `${label}.${zone.name}`;
}

/** Puts a recordset; its record may name `@` for the zone too. */
function put(zone: TestZone, [label, type, record = RECORD[type]!]: Placed) {
  const records = [record.replace('@', zone.name)];
  return tenant.create(zone, { name: nameIn(zone, label), type, records });
}

async function expectRefused(
  zone: TestZone,
  placed: Placed,
  reason: string,
  type = 'invalid_recordset_location',
): Promise<void> {
  const before = await tenant.look(zone);
  expect((await put(zone, placed)).json).toMatchObject({
    code: 400,
    type,
    message: expect.stringContaining(reason),
  });
  expect(await tenant.look(zone)).toEqual(before);
}

describe('a recordset is refused, with the reason,', () => {
  it.each<[string, Placed[], Placed, string]>([
    ['outside its zone', [], ['www.elsewhere.example.', 'A'], 'is outside the zone'],
    ['above its zone', [], ['example.org.', 'A'], 'is outside the zone'],
    ['as a CNAME at the apex', [], ['@', 'CNAME'], 'A CNAME is not allowed at the apex'],
    ['as a DS at the apex', [], ['@', 'DS'], 'A DS is not allowed at the apex'],
    ['as a CNAME beside other data', [['a', 'A']], ['a', 'CNAME'], 'this name already has an A record.'],
    ['beside a CNAME', [['a', 'CNAME']], ['a', 'TXT'], 'This name has a CNAME'],
    ['as a delegation beside a CNAME', [['a', 'CNAME']], ['a', 'NS'], 'This name has a CNAME'],
    ['as a DNAME beside a CNAME', [['a', 'CNAME']], ['a', 'DNAME'], 'This name has a CNAME'],
    ['as a DNAME beside a delegation', [['a', 'NS']], ['a', 'DNAME'], 'cannot have both'],
    ['as a delegation beside a DNAME', [['a', 'DNAME']], ['a', 'NS'], 'cannot have both'],
    ['below a DNAME', [['a', 'DNAME']], ['x.y.a', 'A'], 'redirects every name below it'],
    ['below a DNAME at the apex', [['@', 'DNAME']], ['x', 'A'], 'redirects every name below it'],
    ['as a DNAME above other data', [['x.y.a', 'A']], ['a', 'DNAME'], 'would hide the A at "x.y.a.'],
    ['at a delegation', [['a', 'NS']], ['a', 'A'], 'is delegated to other name servers'],
    ['below a delegation', [['a', 'NS']], ['x.y.a', 'TXT'], 'is delegated to other name servers'],
    ['as a delegation below another', [['a', 'NS']], ['x.a', 'NS'], 'is delegated to other name servers'],
    ['as an address that is no glue', [['a', 'NS', 'ns.a.@']], ['other.a', 'A'], 'only their addresses'],
    [
      'as a TXT at the name of glue',
      [
        ['a', 'NS'],
        ['b', 'NS', 'ns.a.@'],
      ],
      ['ns.a', 'TXT'],
      'only their addresses',
    ],
    ['as data of a name server that is no address', [['a', 'NS', 'ns.a.@']], ['ns.a', 'TXT'], 'is delegated'],
    ['as a delegation of what holds data', [['a', 'MX']], ['a', 'NS'], 'would hide the MX at "a.'],
    ['as a delegation above data', [['x.a', 'A']], ['a', 'NS', 'ns.a.@'], 'would hide the A at "x.a.'],
    ['as a wildcard below a delegation', [['a', 'NS']], ['*.a', 'A'], 'is delegated to other name servers'],
  ])('%s', async (_where, there, placed, reason) => {
    const zone = await tenant.makeZone();
    for (const one of there) expect((await put(zone, one)).status).toBe(202);
    await expectRefused(zone, placed, reason);
  });

  it.each<[string, Placed, string]>([
    ['as a delegation', ['*', 'NS'], 'A NS is not allowed at a wildcard'],
    ['as a DNAME', ['*.a', 'DNAME'], 'A DNAME is not allowed at a wildcard'],
    ['as a DS', ['*', 'DS'], 'A DS is not allowed at a wildcard'],
  ])('%s at a wildcard, whatever the zone holds', async (_what, placed, reason) => {
    await expectRefused(await tenant.makeZone(), placed, reason, 'invalid_object');
  });

  it('in a zone of its own below', async () => {
    const zone = await tenant.makeZone();
    await tenant.makeZone(`child.${zone.name}`);
    for (const label of ['child', 'x.child', '*.child', 'x.y.child']) {
      await expectRefused(zone, [label, 'A'], 'Create the recordset there');
    }
    expect((await put(zone, ['children', 'A'])).status).toBe(202);
  });
});

describe('a recordset is taken', () => {
  it.each<[string, Placed[], Placed]>([
    ['at the apex', [], ['@', 'A']],
    ['as a DNAME at the apex', [], ['@', 'DNAME']],
    ['beside a DNAME', [['a', 'DNAME']], ['a', 'TXT']],
    ['beside a name that only begins alike', [['a', 'DNAME']], ['aa', 'A']],
    ['beside others of its name', [['a', 'A']], ['a', 'AAAA']],
    ['as a CNAME at a wildcard', [['a', 'A']], ['*', 'CNAME']],
    ['as a wildcard beside names that it covers', [['a', 'CNAME']], ['*', 'A']],
    ['as the DS of a delegation', [['a', 'NS']], ['a', 'DS']],
    ['as glue below a delegation', [['a', 'NS', 'ns.a.@']], ['ns.a', 'A']],
    ['as glue of the second family', [['a', 'NS', 'NS.a.@']], ['ns.a', 'AAAA']],
    ['as glue at the delegation itself', [['a', 'NS', 'a.@']], ['a', 'A']],
    ['as a delegation with its glue already there', [['ns.a', 'A']], ['a', 'NS', 'ns.a.@']],
    [
      'as glue of a sibling',
      [
        ['a', 'NS', 'ns.b.@'],
        ['b', 'NS'],
      ],
      ['ns.b', 'A'],
    ],
    [
      'as glue of a sibling that names this one',
      [
        ['a', 'NS', 'ns.b.@'],
        ['b', 'NS', 'ns.a.@'],
        ['ns.b', 'A'],
      ],
      ['ns.a', 'AAAA'],
    ],
    [
      'as glue of a delegation below',
      [
        ['a', 'NS'],
        ['c.b', 'NS', 'ns.a.@'],
      ],
      ['ns.a', 'A'],
    ],
    [
      'as a delegation above the glue of a sibling',
      [
        ['ns.b', 'A'],
        ['a', 'NS', 'ns.b.@'],
      ],
      ['b', 'NS'],
    ],
    ['as a delegation with its DS already there', [['a', 'DS']], ['a', 'NS']],
    ['below a CNAME', [['a', 'CNAME']], ['x.a', 'A']],
  ])('%s', async (_where, there, placed) => {
    const zone = await tenant.makeZone();
    for (const one of [...there, placed])
      expect((await put(zone, one)).json).toMatchObject({ action: 'CREATE' });
  });

  it('at the cut to a zone of its own: the delegation, its DS and its glue', async () => {
    const zone = await tenant.makeZone();
    await tenant.makeZone(`child.${zone.name}`);
    const cut: Placed[] = [
      ['child', 'NS', 'ns.child.@'],
      ['child', 'DS'],
      ['ns.child', 'A'],
    ];
    for (const placed of cut) expect((await put(zone, placed)).status).toBe(202);
    await expectRefused(zone, ['other.child', 'A'], 'Create the recordset there');
    await put(zone, ['sibling', 'NS', 'other.child.@']);
    expect((await put(zone, ['other.child', 'A'])).status).toBe(202);
  });

  it('where a recordset stood in the way, once that is deleted', async () => {
    const zone = await tenant.makeZone();
    const { json } = await put(zone, ['a', 'CNAME']);
    await tenant.ask('DELETE', `/v2/zones/${zone.id}/recordsets/${json.id}`);
    expect((await put(zone, ['a', 'A'])).status).toBe(202);
  });
});

it('keeps the glue that a delegation still names when its servers change', async () => {
  const zone = await tenant.makeZone();
  const { json } = await put(zone, ['a', 'NS', 'ns1.a.@']);
  await put(zone, ['ns1.a', 'A']);
  const change = (...records: string[]) =>
    tenant.ask('PUT', `/v2/zones/${zone.id}/recordsets/${json.id}`, { records });
  const refused = await change('ns.example.net.');
  expect(refused.json).toMatchObject({
    type: 'invalid_recordset_location',
    message: expect.stringContaining(`would hide the A at "ns1.a.${zone.name}"`),
  });
  expect((await change('ns.example.net.', `ns1.a.${zone.name}`)).status).toBe(202);
});

it('lets one of a CNAME and other data win when both are created at once', async () => {
  for (let round = 0; round < 5; round++) {
    const zone = await tenant.makeZone();
    const answers = await Promise.all([
      put(zone, ['a', 'CNAME']),
      put(zone, ['a', 'A']),
      put(zone, ['a', 'TXT']),
    ]);
    const taken = answers.map(({ status }) => status === 202);
    expect([
      [true, false, false],
      [false, true, true],
    ]).toContainEqual(taken);
  }
});
