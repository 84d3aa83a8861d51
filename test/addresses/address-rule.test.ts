/** Which addresses tenants and operators may make the service ask, as masters of zones and as receivers of webhooks. */

import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { receiversOf } from '../../src/assembly/webhook-config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { until } from '../support/eventually.ts';
import { temporaryFolder } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type Tenant, tenantOf } from '../support/tenant.ts';

/** In no registry of special-purpose addresses, or in one as globally reachable. */
const PUBLIC = [
  '1.1.1.1',
  '9.9.9.9',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2001:200::1',
  '2003::1',
  '2606:4700:4700::1111',
  '2620:4f:8000::1',
  '2a00:1450:4001:80b::200e',
];
const DOCUMENTATION = ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'];
const PRIVATE = [
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '::1',
  '100::1',
  '100:0:0:1::1',
  '2001:2::1',
  '2001:1ff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  // Not assigned to anybody.
  '200::1',
  '4000::1',
];
const NEVER = [
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  'ff02::1',
  // The metadata services of clouds.
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
];
/** Ways to write an IPv4 address, or to reach it, in IPv6, each with 8.8.8.8, 10.0.0.1, 127.0.0.1 and 169.254.169.254. */
const EMBEDDED = {
  NAT64: ['64:ff9b::808:808', '64:ff9b::a00:1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'],
  ISATAP: [
    '2a00:1::5efe:808:808',
    '2a00:1::5efe:a00:1',
    '2a00:1::200:5efe:7f00:1',
    '2a00:1::5efe:169.254.169.254',
  ],
  '6to4': ['2002:808:808::1', '2002:a00:1::1', '2002:7f00:1::1', '2002:a9fe:a9fe::1'],
  'a server of Teredo': [
    '2001:0:808:808::1:fefe:fefe',
    '2001:0:a00:1::fefe:fefe',
    '2001:0:7f00:1::fefe:fefe',
    '2001:0:a9fe:a9fe::fefe:fefe',
  ],
  'a client of Teredo': [
    '2001:0:808:808::f7f7:f7f7',
    '2001:0:808:808::f5ff:fffe',
    '2001:0:808:808::80ff:fffe',
    '2001:0:808:808::5601:5601',
  ],
  'IPv4-compatible': ['::808:808', '::a00:1', '::7f00:1', '::169.254.169.254'],
} as const;
/** No master is written like that, wherever it is. */
const TRANSLATED = ['::ffff:0:808:808', '::ffff:0:a00:1', '::ffff:0:7f00:1', '::ffff:0:a9fe:a9fe'];
const MAPPED = ['::ffff:8.8.8.8', '::ffff:10.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:a9fe:a9fe'];
/** These have no gateway that the service may use: the operator has to name them. */
const OWN_NETWORK = Object.entries(EMBEDDED).filter(([name]) => !/NAT64|ISATAP/.test(name));

const EVERYTHING = '0.0.0.0/1, 128.0.0.0/1, ::/1, 8000::/1';
const QUOTA = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };

let service: TestService;
let shop: Tenant;
const folder = temporaryFolder();
const secret = join(folder.path, 'secret');
beforeAll(async () => {
  writeFileSync(secret, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n');
  service = await startTestService(QUOTA);
  shop = await tenantOf(service, 'shop');
});
afterAll(async () => {
  await service.remove();
  folder.remove();
});

let drawn = 0;
const MAX_MASTERS = 10;
/** Those of some addresses that no zone may have as its master. */
async function refusedOf(addresses: readonly string[]): Promise<readonly string[]> {
  const refused: string[] = [];
  for (let at = 0; at < addresses.length; at += MAX_MASTERS) {
    const masters = addresses.slice(at, at + MAX_MASTERS);
    const body = { name: `zone-${++drawn}.example.`, type: 'SECONDARY', masters };
    const { status, json } = await shop.ask('POST', '/v2/zones', body);
    if (status === 202) continue;
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    const faults: readonly { path: [string, number] }[] = json.errors.errors;
    refused.push(...faults.map(({ path }) => masters[path[1]]!));
  }
  return refused;
}

function faultOfReceiver(address: string, allowPrivate: boolean): string {
  const host = address.includes(':') ? `[${address}]` : address;
  const option = (name: string, value: string) => [`ZONEWARDEN_WEBHOOK_X__${name}`, value] as const;
  const environment = Object.fromEntries([
    option('URL', `https://${host}/`),
    option('SECRET_FILE', secret),
    option('ALLOW_PRIVATE', String(allowPrivate)),
  ]);
  try {
    receiversOf(loadConfig(undefined, environment));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const withAllowed = async (allowed: string): Promise<void> => {
  await service.restart({ ...QUOTA, ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: allowed });
};

describe('a master', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('may be anywhere on the Internet and in documentation, and nowhere else', async () => {
    expect(await refusedOf([...PUBLIC, ...DOCUMENTATION])).toEqual([]);
    expect(await refusedOf([...PRIVATE, ...NEVER])).toEqual([...PRIVATE, ...NEVER]);
  });

  it.each(Object.entries(EMBEDDED))('is where its IPv4 address is: %s', async (name, [open, ...closed]) => {
    const isClosed = OWN_NETWORK.some(([one]) => one === name);
    expect(await refusedOf([open, ...closed])).toEqual(isClosed ? [open, ...closed] : closed);
  });

  it('is not in the network of a local NAT64, and no IPv4 address in another spelling', async () => {
    const local = ['64:ff9b:1::808:808', '64:ff9b:1::a00:1', '64:ff9b:1:7f00:0:100::'];
    expect(await refusedOf(local)).toEqual(local);
    expect(await refusedOf([...MAPPED, ...TRANSLATED])).toEqual([...MAPPED, ...TRANSLATED]);
  });

  it('is no address of this machine', async () => {
    const real = os.networkInterfaces();
    const own = (address: string, family: 'IPv4' | 'IPv6') =>
      ({
        address,
        family,
        netmask: '',
        mac: '',
        internal: false,
        cidr: null,
        scopeid: 0,
      }) as os.NetworkInterfaceInfo;
    const wan = [own('9.9.9.77', 'IPv4'), own('2a00:1::77', 'IPv6'), own('192.0.2.2', 'IPv4')];
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ ...real, wan });
    syncBuiltinESMExports();
    await until(async () => expect(await refusedOf(['9.9.9.77'])).toEqual(['9.9.9.77']));
    const others = ['2a00:1::77', '64:ff9b::909:94d'];
    expect(await refusedOf([...others, '2a00:1::78', '9.9.9.78', '192.0.2.2'])).toEqual(others);
    expect(faultOfReceiver('9.9.9.77', false)).toContain('set allow_private');
    expect(faultOfReceiver('9.9.9.77', true)).toBe('');
  });

  it('may be where the operator says, but for addresses of nobody and the metadata of clouds', async () => {
    await withAllowed(EVERYTHING);
    expect(await refusedOf([...PUBLIC, ...PRIVATE])).toEqual([]);
    expect(await refusedOf(NEVER)).toEqual(NEVER);
    const embedded = Object.values(EMBEDDED).flat();
    expect(await refusedOf(embedded)).toEqual(Object.values(EMBEDDED).map(([, , , metadata]) => metadata));
  });

  it('is not in a private network because a network that leads there is allowed', async () => {
    await withAllowed('public, 2000::/3, ::/8, 10.0.0.0/8');
    const embedded = Object.values(EMBEDDED).flatMap((four) => four.slice(0, 3));
    expect(await refusedOf(embedded)).toEqual(Object.values(EMBEDDED).map(([, , loopback]) => loopback));
    expect(await refusedOf(['1.1.1.1', '10.1.2.3', '192.168.0.1'])).toEqual(['192.168.0.1']);
  });

  it('is only where the operator says', async () => {
    await withAllowed('192.168.7.0/24, 2001:db8::7');
    const closed = ['192.168.8.1', '2001:db8::8', '1.1.1.1', '10.0.0.1'];
    expect(await refusedOf(['192.168.7.9', '2001:db8::7', ...closed])).toEqual(closed);
    await withAllowed('');
    expect(await refusedOf(['1.1.1.1', '10.0.0.1'])).toEqual(['10.0.0.1']);
  });
});

describe('a receiver of webhooks', () => {
  const open = [...PUBLIC, EMBEDDED.NAT64[0], EMBEDDED.ISATAP[0], MAPPED[0]!];
  const embedded = Object.values(EMBEDDED);
  const advised = [
    ...DOCUMENTATION,
    ...PRIVATE,
    ...OWN_NETWORK.map(([, [first]]) => first),
    ...embedded.flatMap(([, ten, loopback]) => [ten, loopback]),
    ...MAPPED.slice(1, 3),
    ...TRANSLATED.slice(0, 3),
    '64:ff9b:1::a00:1',
  ];
  const nobodys = [...NEVER, ...embedded.map(([, , , metadata]) => metadata), MAPPED[3]!, TRANSLATED[3]!];

  it.each(open)('may be %s', (address) => {
    expect([faultOfReceiver(address, false), faultOfReceiver(address, true)]).toEqual(['', '']);
  });

  it.each(advised)('may be %s where private addresses are allowed', (address) => {
    expect(faultOfReceiver(address, false)).toContain('set allow_private');
    expect(faultOfReceiver(address, true)).toBe('');
  });

  it.each(nobodys)('is never %s', (address) => {
    expect(faultOfReceiver(address, false)).toMatch(/is not a public address\.$/);
    expect(faultOfReceiver(address, true)).toMatch(/is not a public address\.$/);
  });
});
