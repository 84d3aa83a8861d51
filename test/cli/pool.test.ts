/** `pool apply` and `pool show`, beside a service that runs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROGRAM, run, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../support/service.ts';
import { inStoreOf, storeOptions } from '../support/store.ts';

const DEFAULT = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const GOLD = 'f1e0b2f4-1111-4222-8333-444455556666';
const FULL = `
- name: default
  ns_records: [{hostname: ns1.example.net., priority: 1}]
  nameservers:
    - {host: 192.0.2.1, port: 5300}
    - {host: "2001:DB8::1"}
- name: gold
  id: ${GOLD}
  description: for good customers
  attributes: {tier: gold}
  ns_records:
    - {hostname: ns2.example.org., priority: 2}
    - {hostname: ns1.example.org., priority: 1}
  nameservers:
    - {host: NS1.example.org, tsig_key: Server-Key}
  also_notifies:
    - {host: 192.0.2.9, port: 53}
  catalog_zone: {fqdn: catalog.example., tsig_key: catalog-key}
  threshold: 1
  tsig_key: Pool-Key
  signing: true
`;

let service: TestService;
const folder = temporaryFolder();
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());
afterAll(() => folder.remove());

const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token: service.admin, ...(body === undefined ? {} : { body }) });
const command = (...args: string[]) => runHere(['pool', ...args], storeOptions(service.dataDir));

function fileOf(text: string): string {
  const file = join(folder.path, 'pools.yaml');
  writeFileSync(file, text);
  return file;
}

const apply = (text: string, ...flags: string[]) => command('apply', fileOf(text), ...flags);
const show = async (): Promise<string> => (await command('show')).out;
const shown = async () => parse(await show());

async function makeKey(name: string, resource_id = DEFAULT, scope = 'POOL'): Promise<string> {
  const key = { name, algorithm: 'hmac-sha256', secret: 'AA==', scope, resource_id };
  return (await ask('POST', '/v2/tsigkeys', key)).json.id;
}

async function applyFull(): Promise<void> {
  await makeKey('pool-key', GOLD);
  await makeKey('catalog-key', GOLD);
  await makeKey('server-key', GOLD);
  const { status, err } = await apply(FULL, '--yes');
  expect({ status, err }).toEqual({ status: 0, err: '' });
}

describe('pool apply', () => {
  it('brings the pools to what the file says, and pool show prints all of it', async () => {
    await applyFull();
    const [first, gold] = await shown();
    expect(first).toEqual({
      id: DEFAULT,
      name: 'default',
      ns_records: [{ hostname: 'ns1.example.net.', priority: 1 }],
      nameservers: [
        { host: '192.0.2.1', port: 5300 },
        { host: '2001:db8::1', port: 53 },
      ],
    });
    expect(gold).toEqual({
      id: expect.any(String),
      name: 'gold',
      description: 'for good customers',
      attributes: { tier: 'gold' },
      ns_records: [
        { hostname: 'ns1.example.org.', priority: 1 },
        { hostname: 'ns2.example.org.', priority: 2 },
      ],
      nameservers: [{ host: 'ns1.example.org', port: 53, tsig_key: 'server-key' }],
      also_notifies: [{ host: '192.0.2.9', port: 53 }],
      catalog_zone: { fqdn: 'catalog.example.', refresh: 3600, tsig_key: 'catalog-key' },
      threshold: 1,
      tsig_key: 'pool-key',
      signing: true,
    });
    const { pools } = (await ask('GET', '/v2/pools')).json;
    expect(pools[1]).toMatchObject({ id: gold.id, name: 'gold', ns_records: gold.ns_records });
  });

  it('prints nothing that a terminal obeys, and the file still says the same', async () => {
    const unsafe = '\u0085\u009b\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\u{e0001}';
    const description = `first line\nsecond \u{1f469}\u200d\u{1f4bb} \u06cc\u200c${unsafe} ${'long '.repeat(40)}end`;
    const made = await ask('PATCH', `/v2/pools/${DEFAULT}`, {
      description,
      attributes: { [unsafe]: unsafe },
    });
    expect(made.status).toBe(202);
    const printed = await show();
    expect(printed).not.toMatch(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(printed).toContain('\u{1f469}\u200d\u{1f4bb} \u06cc\u200c');
    expect(parse(printed)[0]).toMatchObject({ description, attributes: { [unsafe]: unsafe } });
    expect((await apply(printed, '--dry-run')).out).toBe('no change\n');
  });

  it('takes the example of docs/pools.md', async () => {
    const page = readFileSync(new URL('../../docs/pools.md', import.meta.url), 'utf8');
    const [, example] = /```yaml\n(.*?)```/s.exec(page)!;
    const [, { id: gold }] = parse(example!);
    await makeKey('default-pool');
    for (const name of ['gold-catalog', 'gold-pool']) await makeKey(name, gold);
    const { status, err } = await apply(example!, '--yes');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect((await shown()).map(({ name }: { name: string }) => name)).toEqual(['default', 'gold']);
  });

  it('changes nothing where the file is what pool show has printed', async () => {
    await applyFull();
    const before = await show();
    const again = await apply(before, '--yes', '--delete');
    expect(again).toEqual({ status: 0, out: 'no change\n', err: '' });
    expect(await show()).toBe(before);
    expect((await apply(FULL)).out).toBe('no change\n');
  });

  it('shows the difference, and changes nothing with --dry-run', async () => {
    await applyFull();
    const before = await show();
    const text = `
- name: default
  ns_records: [{hostname: ns1.example.net., priority: 1}]
  nameservers: [{host: 192.0.2.1, port: 5300}]
  threshold: 1
- {name: new, ns_records: [{hostname: ns.example.org., priority: 1}]}
`;
    const { status, out, err } = await apply(text, '--dry-run', '--delete');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'delete the pool gold',
      'change the pool default',
      expect.stringMatching(/^ {2}nameservers: \[.*2001:db8::1.*\] -> \[.*192\.0\.2\.1.*\]$/),
      '  threshold: none -> 1',
      'create the pool new',
      '  ns_records: [{"hostname":"ns.example.org.","priority":1}]',
      '',
    ]);
    expect(await show()).toBe(before);
  });

  it('asks, and changes nothing where there is no terminal', async () => {
    const before = await show();
    const program = [process.execPath, PROGRAM, 'pool', 'apply'];
    const file = fileOf('- {name: default, description: changed}');
    const { status, err } = await run([...program, file], { env: storeOptions(service.dataDir) });
    expect([status, err]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await show()).toBe(before);
    const piped = await run([...program, '-', '--yes'], {
      env: storeOptions(service.dataDir),
      input: '- {name: default, description: changed}',
    });
    expect(piped).toMatchObject({ status: 0, err: '' });
    expect((await shown())[0].description).toBe('changed');
  });

  it('keeps pools that are not in the file, unless --delete says otherwise', async () => {
    await applyFull();
    await apply('- {name: default}', '--yes');
    expect((await shown()).map(({ name }: { name: string }) => name)).toEqual(['default', 'gold']);
    await apply('[]', '--yes', '--delete');
    expect(await shown()).toEqual([{ id: DEFAULT, name: 'default' }]);
  });

  it('keeps everything where a pool that has zones would be deleted', async () => {
    await applyFull();
    const gold = (await shown())[1].id;
    const body = { name: 'zone.example.', email: 'a@example.org', attributes: { pool_id: gold } };
    expect((await ask('POST', '/v2/zones', body)).status).toBe(202);
    const { status, err } = await apply('- {name: default, description: new}', '--yes', '--delete');
    expect([status, err]).toEqual([2, expect.stringMatching(/^zonewarden: The pool gold has zones\./)]);
    expect(await shown()).toHaveLength(2);
    expect((await shown())[0].description).toBeUndefined();
  });

  it('renames the pool whose id the file gives', async () => {
    await apply(`- {id: ${DEFAULT.toUpperCase()}, name: standard}`, '--yes');
    expect(await shown()).toEqual([{ id: DEFAULT, name: 'standard' }]);
  });

  it('tells of each change as an event', async () => {
    const { status } = await apply('- {name: default, description: new}', '--yes');
    expect(status).toBe(0);
    await ask('PATCH', `/v2/pools/${DEFAULT}`, { description: 'newer' });
    const lines = service.logged.filter(({ event }) => event === 'pool.changed');
    expect(lines).toEqual([expect.objectContaining({ pool: 'default', pool_id: DEFAULT })]);
  });
});

describe('a file with faults', () => {
  const faults = async (text: string): Promise<string[]> => {
    const before = await show();
    const { status, err, out } = await apply(text, '--yes');
    expect([text, status, out]).toEqual([text, 2, '']);
    expect(await show()).toBe(before);
    const lines = err.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/^zonewarden: /);
    return lines.slice(0, -1).map((line) => line.replace(folder.path, ''));
  };

  it('is refused with all of them at once, each with its line and its path', async () => {
    const text = `- name: default
  colour: red
  threshold: 2
  nameservers:
    - {host: 192.0.2.256}
    - {host: 192.0.2.1, port: 70000}
    - {port: 53}
- name: 5
  signing: "yes"
  ns_records: []
  catalog_zone: {fqdn: nodot, refresh: 0}
- description: nameless
`;
    expect(await faults(text)).toEqual([
      expect.stringMatching(/^\/pools.yaml, line 2: 0\.colour: .*unknown/),
      expect.stringMatching(/line 5: 0\.nameservers\.0\.host: Must be an IPv4/),
      expect.stringMatching(/line 6: 0\.nameservers\.1\.port: .*65535/),
      expect.stringMatching(/line 7: 0\.nameservers\.2\.host: .*required/),
      expect.stringMatching(/line 8: 1\.name: .*string/),
      expect.stringMatching(/line 9: 1\.signing: .*boolean/),
      expect.stringMatching(/line 10: 1\.ns_records: List at least 1/),
      expect.stringMatching(/line 11: 1\.catalog_zone\.fqdn: /),
      expect.stringMatching(/line 11: 1\.catalog_zone\.refresh: /),
      expect.stringMatching(/line 12: 2\.name: .*required/),
    ]);
  });

  it('is refused for what stands in it twice, and for what is not there', async () => {
    expect(
      await faults('- {name: default, nameservers: [{host: "::1"}, {host: "0:0::1", port: 53}]}'),
    ).toEqual([expect.stringMatching(/0\.nameservers\.1: /)]);
    expect(await faults('- {name: default}\n- {name: default}')).toEqual([
      expect.stringMatching(/line 2: 1: /),
    ]);
    const record = 'ns_records: [{hostname: ns.example.org., priority: 1}]';
    const catalog = 'catalog_zone: {fqdn: catalog.example., tsig_key: no-key}';
    expect(
      await faults(`
- {name: default, tsig_key: missing, ${catalog}}
- {name: other, ${record}, ${catalog}}
- {name: bare}
- {id: ${DEFAULT}, name: again}
`),
    ).toEqual([
      expect.stringMatching(/line 2: 0\.tsig_key: There is no TSIG key missing/),
      expect.stringMatching(/line 2: 0\.catalog_zone\.tsig_key: There is no TSIG key no-key/),
      expect.stringMatching(/line 3: 1\.catalog_zone\.tsig_key: /),
      expect.stringMatching(/line 3: 1\.catalog_zone\.fqdn: The catalog of another pool/),
      expect.stringMatching(/line 4: 2\.ns_records: This key is required/),
      expect.stringMatching(/line 5: 3\.id: An earlier entry/),
    ]);
    expect(await faults('- {name: default, nameservers: [{host: a.example}], threshold: 2}')).toEqual([
      expect.stringMatching(/0\.threshold: .*which is 1/),
    ]);
  });

  it('is refused where a key is not one of its pool, and says whose it is', async () => {
    const zone = (await ask('POST', '/v2/zones', { name: 'zone.example.', email: 'a@example.org' })).json.id;
    await makeKey('of-zone', zone, 'ZONE');
    await makeKey('of-default');
    await makeKey('of-gold', GOLD);
    const catalog = (key: string) => `catalog_zone: {fqdn: catalog.example., tsig_key: ${key}}`;
    const ns = 'ns_records: [{hostname: ns.example.org., priority: 1}]';
    expect(
      await faults(`
- {name: default, tsig_key: of-zone, ${catalog('of-gold')}}
- {name: new, ${ns}, nameservers: [{host: a.example}, {host: b.example, tsig_key: of-default}]}
- {name: gold, id: ${GOLD}, ${ns}, tsig_key: of-gold, ${catalog('of-zone')}}
`),
    ).toEqual([
      expect.stringMatching(
        `line 2: 0\\.tsig_key: The TSIG key of-zone belongs to the zone ${zone}\\. .*POOL.*${DEFAULT}`,
      ),
      expect.stringMatching(`line 2: 0\\.catalog_zone\\.tsig_key: .*of-gold belongs to the pool ${GOLD}`),
      expect.stringMatching(
        `line 3: 1\\.nameservers\\.1\\.tsig_key: .*belongs to the pool ${DEFAULT}.*write one`,
      ),
      expect.stringMatching(`line 4: 2\\.catalog_zone\\.tsig_key: .*belongs to the zone ${zone}`),
      expect.stringMatching('line 4: 2\\.catalog_zone\\.fqdn: '),
    ]);
    expect(await shown()).toEqual([{ id: DEFAULT, name: 'default' }]);
  });

  it('is refused where zones would be published as ns1.invalid., and says what to write', async () => {
    const [line, ...more] = await faults('- {name: default, nameservers: [{host: 192.0.2.1}]}');
    expect(more).toEqual([]);
    const written = 'ns_records: [{ hostname: ns1.example.net., priority: 1 }]';
    expect(line).toMatch(/line 1: 0\.ns_records: /);
    expect(line).toContain(written);
    const placeholder = written.replace('ns1.example.net.', 'ns1.invalid.');
    expect(await faults(`- {name: default, ${placeholder}, nameservers: [{host: 192.0.2.1}]}`)).toEqual([
      expect.stringMatching(/0\.ns_records: No resolver can follow ns1\.invalid\./),
    ]);
    const applied = await apply(`- {name: default, ${written}, nameservers: [{host: 192.0.2.1}]}`, '--yes');
    expect(applied).toMatchObject({ status: 0, err: '' });
  });

  it('is refused where its catalog has the name of a zone', async () => {
    await ask('POST', '/v2/zones', { name: 'catalog.example.', email: 'a@example.org' });
    expect(await faults('- {name: default, catalog_zone: {fqdn: catalog.example.}}')).toEqual([
      expect.stringMatching(/0\.catalog_zone\.fqdn: A zone has this name/),
    ]);
  });

  it('is told in one sentence what takes the place of drivers', async () => {
    const [line, ...more] = await faults('- {name: default, targets: [{type: bind9}]}');
    expect(more).toEqual([]);
    expect(line).toMatch(/line 1: 0\.targets: Zonewarden has no drivers: .*nameservers/);
  });

  it('is refused where it is no YAML, no list, or not there', async () => {
    for (const text of [
      '',
      'name: default',
      '"text"',
      '- [',
      'a: 1\na: 2',
      '[['.repeat(20_000),
      '- &a [*a]',
    ]) {
      await faults(text);
    }
    const { status, err } = await command('apply', join(folder.path, 'missing.yaml'));
    expect([status, err]).toEqual([2, expect.stringMatching(/^zonewarden: The file .* cannot be read/)]);
  });
});

describe('a TSIG key that a pool uses', () => {
  it.each([
    'tsig_key: used',
    'catalog_zone: {fqdn: catalog.example., tsig_key: used}',
    'ns_records: [{hostname: ns1.example.net., priority: 1}], nameservers: [{host: 192.0.2.1, tsig_key: used}]',
  ])('is neither deleted nor renamed, and stays one of the pool: %s', async (use) => {
    const id = await makeKey('used');
    expect(await apply(`- {name: default, ${use}}`, '--yes')).toMatchObject({ status: 0 });
    for (const [method, body] of [
      ['DELETE'],
      ['PATCH', { name: 'other' }],
      ['PATCH', { resource_id: GOLD }],
      ['PATCH', { scope: 'ZONE', resource_id: GOLD }],
    ] as const) {
      const { status, json } = await ask(method, `/v2/tsigkeys/${id}`, body);
      expect([method, status, json.type]).toEqual([method, 409, 'tsigkey_in_use']);
    }
    expect((await ask('PATCH', `/v2/tsigkeys/${id}`, { secret: 'AAA=' })).status).toBe(200);
    await apply('- {name: default}', '--yes');
    expect((await ask('DELETE', `/v2/tsigkeys/${id}`)).status).toBe(204);
  });

  it('can become one of the pool, where it is not one yet', async () => {
    const id = await makeKey('used');
    await apply('- {name: default, tsig_key: used}', '--yes');
    const zone = (await ask('POST', '/v2/zones', { name: 'zone.example.', email: 'a@example.org' })).json.id;
    await inStoreOf(service.dataDir, `update tsig_keys set scope = 'ZONE', resource_id = '${zone}'`);
    expect((await ask('PATCH', `/v2/tsigkeys/${id}`, { secret: 'AAA=' })).status).toBe(200);
    const mended = await ask('PATCH', `/v2/tsigkeys/${id}`, { scope: 'POOL', resource_id: DEFAULT });
    expect([mended.status, mended.json.scope]).toEqual([200, 'POOL']);
  });
});

it('keeps the name of a catalog, and those below it, from zones', async () => {
  const applied = await apply('- {name: default, catalog_zone: {fqdn: catalog.example.}}', '--yes');
  expect(applied).toMatchObject({ status: 0 });
  const zone = { name: 'Catalog.example.', email: 'a@example.org' };
  const { status, json } = await ask('POST', '/v2/zones', zone);
  expect([status, json.type]).toEqual([409, 'duplicate_zone']);
  const below = await ask('POST', '/v2/zones', { ...zone, name: 'a.Catalog.example.' });
  expect([below.status, below.json.type]).toEqual([409, 'duplicate_zone']);
  expect(below.json.message).toBe('The name is in the catalog of a pool. Choose another name.');
  expect((await ask('POST', '/v2/zones', { ...zone, name: 'acatalog.example.' })).status).toBe(202);
});
