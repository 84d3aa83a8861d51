/** `pool init`: what it writes, prints and refuses. test/name-servers starts servers from it. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bindConfiguration } from '../../src/cli/name-servers/bind.ts';
import { knotConfiguration } from '../../src/cli/name-servers/knot.ts';
import { powerDnsConfiguration, powerDnsSetup } from '../../src/cli/name-servers/powerdns.ts';
import { documented } from '../support/name-servers/document.ts';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { makeStore, storeOptions } from '../support/store.ts';

const NS = ['--ns', 'ns1.example.net.'];
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
});
afterEach(() => folder.remove());

const pool = (...args: string[]) => runHere(['pool', ...args], storeOptions(folder.path));

it('writes files for their owner alone, and prints the commands that start the server and apply the pool', async () => {
  const place = join(folder.path, 'bind');
  const { status, out, err } = await pool('init', '--bind', place, ...NS, '--ns', 'ns2.example.net.');
  expect([status, err]).toEqual([0, '']);
  expect(out.trim().split('\n')).toEqual([
    '# The service must run with ZONEWARDEN_SERVICE_MDNS__LISTEN=127.0.0.1:5354.',
    `named -g -X none -c ${place}/named.conf`,
    expect.stringMatching(/ pool apply \S+\/bind\/pool\.yaml --yes$/),
  ]);
  for (const name of ['named.conf', 'pool.yaml'])
    expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
  expect(await pool('apply', join(place, 'pool.yaml'), '--yes')).toMatchObject({ status: 0, err: '' });
  const { out: shown } = await pool('show');
  for (const text of ['ns1.example.net.', 'ns2.example.net.', 'pool-key', '5300'])
    expect(shown).toContain(text);
  const again = await pool('init', '--knot', join(folder.path, 'knot'), ...NS);
  expect([again.status, again.err]).toEqual([2, expect.stringContaining('already has name servers')]);
});

it('prints the commands with the configuration file that it was given', async () => {
  const file = join(folder.path, 'my zonewarden.conf');
  writeFileSync(file, '[DEFAULT]\n');
  const { out } = await pool('init', '--bind', join(folder.path, 'bind'), ...NS, '--config', file);
  expect(out).toContain(` --config '${file}' pool apply `);
});

it('overwrites nothing, and writes nothing where it is refused', async () => {
  const place = join(folder.path, 'knot');
  mkdirSync(place);
  writeFileSync(join(place, 'pool.yaml'), 'mine');
  const taken = await pool('init', '--knot', place, ...NS);
  expect([taken.status, taken.err]).toEqual([2, expect.stringContaining('pool.yaml already exists')]);
  expect([readFileSync(join(place, 'pool.yaml'), 'utf8'), existsSync(join(place, 'knot.conf'))]).toEqual([
    'mine',
    false,
  ]);
  const other = join(folder.path, 'other');
  for (const args of [
    ['--bind', other],
    ['--bind', other, '--ns', 'ns1.invalid.'],
    ['--bind', other, '--ns', 'no name'],
    ['--bind', other, '--knot', other, ...NS],
    ['--bind', `${other}"`, ...NS],
    ['--bind', other, ...NS, '--listen', 'nowhere'],
    NS,
  ]) {
    expect([args, (await pool('init', ...args)).status]).toEqual([args, 2]);
  }
  expect(existsSync(other)).toBe(false);
});

it('gives every server the key that the pool has', async () => {
  await pool('init', '--bind', join(folder.path, 'bind'), ...NS);
  await pool('init', '--knot', join(folder.path, 'knot'), ...NS);
  const [, secret] = /secret "(.*)"/.exec(readFileSync(join(folder.path, 'bind/named.conf'), 'utf8'))!;
  expect(readFileSync(join(folder.path, 'knot/knot.conf'), 'utf8')).toContain(`secret: ${secret}\n`);
});

it('writes what docs/name-servers.md shows', () => {
  const settingAt = (host: string, directory: string) => ({
    listen: { host, port: 53 },
    primary: { host: '192.0.2.10', port: 5354 },
    key: { name: 'pool-key', algorithm: 'hmac-sha256', secret: 'SECRET' },
    catalog: 'catalog.invalid',
    directory,
    isInFolder: false,
  });
  expect(bindConfiguration(settingAt('192.0.2.11', '/var/cache/bind'))).toBe(documented('BIND', 'named'));
  expect(knotConfiguration(settingAt('192.0.2.12', '/var/lib/knot'))).toBe(documented('Knot', 'knot'));
  const powerDns = settingAt('192.0.2.13', '/var/lib/powerdns');
  expect(powerDnsConfiguration(powerDns)).toBe(documented('PowerDNS', 'pdns'));
  expect(powerDnsSetup(powerDns)).toBe(documented('PowerDNS', 'sh'));
});
