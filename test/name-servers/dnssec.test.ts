import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { documented, withOwn } from '../support/name-servers/document.ts';
import type { NameServer } from '../support/name-servers/place.ts';
import { type Publishing, startPublishing } from '../support/name-servers/publishing.ts';
import { type Brand, startNameServer, type Upstream } from '../support/name-servers/servers.ts';
import { run, temporaryFolder } from '../support/process.ts';

/** The zone of the document. */
const ZONE = 'shop.example.org.';
const WWW = `www.${ZONE}`;

type Signer = (configuration: string, upstream: Upstream) => string;

const MEMBER = /(\n {2}- id: member\n(?: {4}.*\n)*)/;

const knotSigns: Signer = (configuration) => {
  expect(configuration).toMatch(MEMBER);
  return configuration.replace(MEMBER, `$1${documented('DNSSEC', 'knot')}`);
};

const bindSigns: Signer = (configuration, { port }) => {
  const zone = withOwn(documented('DNSSEC', 'bind'), {
    '192.0.2.10 port 5354': `127.0.0.1 port ${port}`,
  });
  return `${configuration}\n${zone}`;
};

function signingPool(yaml: string): string {
  const [key, signing] = documented('DNSSEC', 'yaml').split('\n');
  return withOwn(yaml, { [`  ${key}\n`]: `  ${key}\n  ${signing}\n` });
}

let publishing: Publishing | undefined;
let server: NameServer | undefined;
afterEach(async () => {
  await server?.remove();
  await publishing?.remove();
  server = undefined;
  publishing = undefined;
});

/** What delv says by the commands of the document, with the key of the server for its trust anchor. */
async function delv({ host, port }: NameServer): Promise<string> {
  const folder = temporaryFolder();
  const commands = withOwn(documented('DNSSEC', 'sh'), { '@192.0.2.12': `@${host} -p ${port}` });
  try {
    const { out, err } = await run(['sh', '-c', commands], { cwd: folder.path });
    return out + err;
  } finally {
    folder.remove();
  }
}

/** Waits until the server answers an address with a signature that holds. */
async function validated(address: string): Promise<string> {
  return eventually(async () => {
    const said = await delv(server!);
    return said.includes('; fully validated') && said.includes(address) ? said : undefined;
  });
}

describe.each<[Brand, string, Signer]>([
  ['Knot', 'of its catalog', knotSigns],
  ['BIND', 'of its own configuration', bindSigns],
])('%s', (brand, which, sign) => {
  it(`signs zones ${which}, and each change of them`, async () => {
    publishing = await startPublishing();
    const { upstream } = publishing;
    server = await startNameServer(brand, upstream, (configuration) => sign(configuration, upstream));
    await publishing.applyPool([server], signingPool);
    const { id } = await publishing.makeZone(ZONE);
    const made = await publishing.addRecordset(id, { name: WWW, type: 'A', records: ['192.0.2.1'] });
    await publishing.zoneIs(id, 'ACTIVE');
    expect(await validated('192.0.2.1')).toContain('RRSIG');
    const path = `/v2/zones/${id}/recordsets/${made.json.id}`;
    expect((await publishing.ask('PUT', path, { records: ['192.0.2.2'] })).status).toBe(202);
    await publishing.zoneIs(id, 'ACTIVE');
    await validated('192.0.2.2');
  });
});
