/** Attempts to get past a boundary, of which not one may succeed: masters in closed networks, and keys beyond their scope. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { type Client, connect, expectSuccess } from '../../../test/support/client.ts';
import { type Address, type Ask, askByUdp, DnsConnection } from '../../../test/support/dns-client.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { type Answers, type Attack, atOnce, pause } from '../attack.ts';
import { makeZone, type Site } from '../site.ts';

/** Counts whoever connects or sends a datagram to any address of this machine. */
async function startListener(): Promise<{ readonly port: number; readonly heard: () => number }> {
  let heard = 0;
  const count = () => {
    heard += 1;
  };
  const tcp = createServer((socket) => {
    count();
    socket.destroy();
  });
  tcp.listen(0);
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  for (const type of ['udp4', 'udp6'] as const) {
    const udp = createSocket({ type, ipv6Only: type === 'udp6' });
    udp.on('message', count);
    // There may be no IPv6.
    udp.on('error', () => {});
    udp.bind(port);
  }
  return { port, heard: () => heard };
}

/** An IPv4 address as two groups of an IPv6 address. */
function groupsOf(ipv4: string): string {
  const [a, b, c, d] = ipv4.split('.').map(Number) as [number, number, number, number];
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** An IPv4 address as it is, and in each kind of IPv6 address that has one inside. */
function disguises(ipv4: string): string[] {
  const groups = groupsOf(ipv4);
  const inverted = groupsOf(
    ipv4
      .split('.')
      .map((byte) => 255 - Number(byte))
      .join('.'),
  );
  return [
    ipv4,
    `[::ffff:${ipv4}]`,
    `[::ffff:${groups}]`,
    `[::ffff:0:${groups}]`,
    `[::${groups}]`,
    `[64:ff9b::${groups}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[2001:db8::5efe:${groups}]`,
  ];
}

/** Networks for documentation, which are allowed also where a sandbox has its own address there. */
const DOCUMENTATION = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^2001:db8:/;
/** Nothing is there, but it is allowed. */
const ALLOWED = '127.99.99.99';

/** Addresses of this machine alone: should the service ask one, nobody else is disturbed. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const own = all.filter(({ address }) => !DOCUMENTATION.test(address));
  const ipv4 = own.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  const ipv6 = own.filter(({ family }) => family === 'IPv6').map(({ address }) => `[${address}]`);
  return [...new Set(['127.0.0.1', '127.1.2.3', '0.0.0.0', ...ipv4])]
    .flatMap(disguises)
    .concat(ipv6, '[::1]', '[::]');
}

const MASTERS: Attack = {
  name: 'closed-masters',
  title:
    "secondary zones and changes of masters to this machine's own addresses, in every spelling, 8 at once",
  environment: { ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: `public, ${ALLOWED}/32` },
  holds: (answers) => answers.count('202') === 0 && answers.count('asked') === 0,
  async prepare(site) {
    const attacker = site.client('attacker', 8);
    await site.allow('attacker', { zones: -1 });
    const { port, heard } = await startListener();
    const allowed = `${ALLOWED}:9`;
    const body = { name: 'hostile.example.', type: 'SECONDARY', masters: [allowed] };
    const { id } = await expectSuccess(attacker, 'POST', '/v2/zones', body);
    const addresses = ownAddresses();
    let asked = 0;
    return async (answers, round) => {
      await atOnce(addresses.length, async (at) => {
        const masters = [`${addresses[at]}:${port}`];
        const zone = { name: `hostile-${round}-${at}.example.`, type: 'SECONDARY', masters };
        await answers.ask(attacker, 'POST', '/v2/zones', zone);
        await answers.ask(attacker, 'PATCH', `/v2/zones/${id}`, { masters: [allowed, ...masters] });
      });
      await pause(1000);
      for (; asked < heard(); asked += 1) answers.note('asked');
    };
  },
};

const SECRET = 'dGhlIHNlY3JldCBvZiBhbiBhdHRhY2tlcg==';
const CATALOG = 'catalog.hostile.example.';
const DEFAULT_POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const ZONE = 'own.hostile.example.';

let primary: Address | undefined;

async function withPrimary(): Promise<Readonly<Record<string, string>>> {
  primary ??= { host: '127.0.0.1', port: await freePort() };
  return { ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${primary.port}` };
}

/** A pool with a catalog and one name server, which is not there. */
async function applyPool(site: Site): Promise<void> {
  const file = join(site.service.dataDir, '..', 'pools.yaml');
  const pool = {
    name: 'default',
    ns_records: [{ hostname: 'ns1.example.net.', priority: 1 }],
    nameservers: [{ host: '127.0.0.1', port: await freePort() }],
    catalog_zone: { fqdn: CATALOG },
  };
  writeFileSync(file, JSON.stringify([pool]));
  site.service.command('pool', 'apply', file, '--yes');
}

const keyOf = (name: string, scope: 'POOL' | 'ZONE', resource: string) => ({
  name,
  algorithm: 'hmac-sha256' as const,
  secret: SECRET,
  scope,
  resource_id: resource,
});

const signingAs = (
  name: string,
  secret = SECRET,
  algorithm: TsigSecret['algorithm'] = 'hmac-sha256',
): TsigSecret => ({
  name: `${name}.`,
  algorithm,
  secret: Buffer.from(secret, 'base64'),
});

/** What a question brings, by TCP for transfers: `opened` if it is any record. */
async function ask(question: Ask): Promise<string> {
  const isTransfer = question.type === 'AXFR' || question.type === 'IXFR';
  const connection = isTransfer ? await DnsConnection.open(primary!) : undefined;
  try {
    const { answers, header } = await (connection?.ask(question) ?? askByUdp(primary!, question));
    return answers.length > 0 ? 'opened' : `rcode ${header.rcode}`;
  } finally {
    connection?.socket.destroy();
  }
}

const TYPES = [{ type: 'SOA' }, { type: 'NS' }, { type: 'AXFR' }, { type: 'IXFR', serial: 1 }] as const;
/** Keys that an administrator has made with the ID of the other kind, which open nothing. */
const MISFITS = [keyOf('pool-as-zone', 'ZONE', DEFAULT_POOL), keyOf('of-nobody', 'POOL', NOBODY)];
const SIGNERS = [
  undefined,
  signingAs('own'),
  signingAs('own', 'YW5vdGhlciBzZWNyZXQ='),
  signingAs('own', SECRET, 'hmac-sha512'),
  signingAs('pool-as-zone'),
  signingAs('zone-as-pool'),
  signingAs('of-nobody'),
  signingAs('unknown'),
];

type Change = readonly [method: string, path: string, body: object];

async function tryChange(client: Client, change: Change, answers: Answers): Promise<void> {
  const { status } = await client.send(...change);
  answers.note(`key: ${status < 300 ? 'accepted' : status}`);
}

const KEYS: Attack = {
  name: 'foreign-keys',
  title:
    'questions about the zones of others and the catalog, with the key of one zone and others, and changes of keys by a member',
  environment: withPrimary,
  holds: (answers) =>
    answers.count('own zone: opened') > 0 &&
    answers.count('opened') === 0 &&
    answers.count('key: accepted') === 0,
  async prepare(site) {
    await applyPool(site);
    const attacker = site.client('attacker', 4);
    const admin = connect(site.service.url, site.service.admin, 1);
    const zone = await makeZone(attacker, ZONE);
    const { id } = await expectSuccess(admin, 'POST', '/v2/tsigkeys', keyOf('own', 'ZONE', zone));
    for (const key of [...MISFITS, keyOf('zone-as-pool', 'POOL', zone)])
      await expectSuccess(admin, 'POST', '/v2/tsigkeys', key);
    const own = { name: ZONE, type: 'SOA', key: signingAs('own') } as const;
    // The primary has to learn of the key.
    for (let left = 100; left > 0 && (await ask(own)) !== 'opened'; left -= 1) await pause(100);
    const changes = [
      ['POST', '/v2/tsigkeys', keyOf('another', 'POOL', DEFAULT_POOL)],
      ['POST', '/v2/tsigkeys', keyOf('another', 'ZONE', DEFAULT_POOL)],
      ['PATCH', `/v2/tsigkeys/${id}`, { resource_id: DEFAULT_POOL }],
      ['PATCH', `/v2/tsigkeys/${id}`, { scope: 'POOL' }],
      ['PATCH', `/v2/tsigkeys/${id}`, { secret: SECRET }],
    ] as const;
    const questions = ['other.example.', CATALOG].flatMap((name) =>
      TYPES.flatMap((type) => SIGNERS.map((key) => ({ name, ...type, key }))),
    );
    return async (answers) => {
      answers.note(`own zone: ${await ask(own)}`);
      for (const question of questions) answers.note(await ask(question));
      for (const change of changes) await tryChange(attacker, change, answers);
    };
  },
};

export const BOUNDARY_ATTACKS: readonly Attack[] = [MASTERS, KEYS];
