import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { signedWith, transfer } from '../support/name-servers/dig.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { storeOptions } from '../support/store.ts';
import { tenantOf } from '../support/tenant.ts';
import { type UpdateWorld, updateWorld } from '../support/updates.ts';

const POOL = `- name: default
  ns_records: [{ hostname: ns1.example.net., priority: 1 }]
  nameservers: [{ host: 127.0.0.1, port: 9 }]
`;

let world: UpdateWorld;
let ownKey: string;
beforeAll(async () => {
  world = await updateWorld();
  ownKey = await keyTextOf({ update: {} });
});
afterAll(() => world.service.remove());

/** A key as both clients take it. */
async function keyTextOf(permissions: object): Promise<string> {
  const { key } = await world.makeKey(permissions);
  return `hmac-sha256:${key.name.slice(0, -1)}:${key.secret.toString('base64')}`;
}

const CLIENTS = [
  ['nsupdate', []],
  ['nsupdate', ['-v']],
  ['knsupdate', []],
  ['knsupdate', ['-v']],
] as const;

/** Runs a client; it finds out the zone by itself unless a line names it. */
function tell(client: string, flags: readonly string[], lines: readonly string[], key = ownKey) {
  const { host, port } = world.address;
  const input = [`server ${host} ${port}`, ...lines, 'send', ''].join('\n');
  return run([client, ...flags, '-y', key], { input, env: { PATH: process.env.PATH! } });
}

describe.each(CLIENTS)('%s %j', (client, flags) => {
  const named = client === 'knsupdate' ? ['zone shop.example.'] : [];

  it('adds, replaces and deletes records, with prerequisites', async () => {
    const name = `real.shop.example.`;
    const change = (...lines: string[]) => tell(client, flags, [...named, ...lines]);
    expect(await change(`update add ${name} 60 A 192.0.2.1`)).toMatchObject({ status: 0, err: '' });
    expect(await world.contents()).toEqual({ [`${name} A`]: [60, ['192.0.2.1']] });
    const steps = [`prereq yxrrset ${name} A`, `update delete ${name}`, `update add ${name} 90 TXT "a text"`];
    expect(await change(...steps)).toMatchObject({ status: 0, err: '' });
    expect(await world.contents()).toEqual({ [`${name} TXT`]: [90, ['"a text"']] });
    expect(await change(`update delete ${name} TXT "a text"`)).toMatchObject({ status: 0, err: '' });
    expect(await world.contents()).toEqual({});
  });

  it('says which prerequisite did not hold', async () => {
    const lines = [
      ...named,
      'prereq yxdomain missing.shop.example.',
      'update add a.shop.example. 60 A 192.0.2.1',
    ];
    const { status, out, err } = await tell(client, flags, lines);
    expect(status).not.toBe(0);
    expect(out + err).toContain('NXDOMAIN');
    expect(await world.contents()).toEqual({});
  });

  it('is refused what the scope of its key does not allow', async () => {
    const key = await keyTextOf({ update: { names: ['_acme-challenge.**'], types: ['TXT'] } });
    const [acme, host] = ['_acme-challenge.shop.example.', 'host.shop.example.'];
    const allowed = await tell(client, flags, [...named, `update add ${acme} 60 TXT "token"`], key);
    expect(allowed).toMatchObject({ status: 0, err: '' });
    const refused = await tell(client, flags, [...named, `update add ${host} 60 TXT "token"`], key);
    expect(refused.status).not.toBe(0);
    expect(refused.out + refused.err).toContain('REFUSED');
    await tell(client, flags, [...named, `update delete ${acme} TXT`], key);
    expect(await world.contents()).toEqual({});
  });

  it('changes many records with one message', async () => {
    const names = Array.from({ length: 400 }, (_, place) => `host-${place}.shop.example.`);
    const added = names.map((name) => `update add ${name} 60 A 192.0.2.1`);
    expect(await tell(client, flags, [...named, ...added])).toMatchObject({ status: 0, err: '' });
    expect(Object.keys(await world.contents())).toHaveLength(400);
    const removed = names.map((name) => `update delete ${name}`);
    expect(await tell(client, flags, [...named, ...removed])).toMatchObject({ status: 0, err: '' });
    expect(await world.contents()).toEqual({});
  });
});

describe('a key that a project has made', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  // A zone can be transferred once its pool has a server.
  beforeAll(async () => {
    const file = join(folder.path, 'pools.yaml');
    writeFileSync(file, POOL);
    const options = storeOptions(world.service.dataDir);
    expect(await runHere(['pool', 'apply', file, '--yes'], options)).toMatchObject({ status: 0 });
  });

  const recordsBy = async ({ name, secret }: { name: string; secret: string }, zone: string) =>
    (await transfer(world.address, zone, ...signedWith(name, secret))).records;

  /** Makes a key as a member; its text is as the clients take it. */
  async function ownKeyOf(name: string, permissions?: object) {
    const body = { name, scope: 'ZONE', resource_id: world.zone.id, ...(permissions && { permissions }) };
    const { status, json } = await world.tenant.ask('POST', '/v2/tsigkeys', body);
    expect(status).toBe(201);
    return { id: json.id as string, name: json.name as string, secret: json.secret as string };
  }
  const textOf = ({ name, secret }: { name: string; secret: string }) => `hmac-sha256:${name}:${secret}`;

  it.each(['nsupdate', 'knsupdate'])('changes its zone by %s until it is deleted', async (client) => {
    const key = await ownKeyOf(`by-${client}`, { update: { types: ['TXT'] } });
    const change = (what: string) => tell(client, [], ['zone shop.example.', `update ${what}`], textOf(key));
    expect(await change('add own.shop.example. 60 TXT "x"')).toMatchObject({ status: 0, err: '' });
    expect(await world.contents()).toEqual({ 'own.shop.example. TXT': [60, ['"x"']] });
    expect((await change('add own.shop.example. 60 A 192.0.2.1')).status).not.toBe(0);
    expect(await change('delete own.shop.example. TXT')).toMatchObject({ status: 0, err: '' });
    expect((await world.tenant.ask('DELETE', `/v2/tsigkeys/${key.id}`)).status).toBe(204);
    expect((await change('add own.shop.example. 60 TXT "y"')).status).not.toBe(0);
    expect(await world.contents()).toEqual({});
  });

  it('transfers its zone, and changes nothing, without permissions', async () => {
    const key = await ownKeyOf('transfers');
    await until(async () => expect((await recordsBy(key, world.zone.name)).length).toBeGreaterThan(2));
    const refused = await tell(
      'knsupdate',
      [],
      ['zone shop.example.', 'update add x.shop.example. 60 TXT "x"'],
      textOf(key),
    );
    expect([refused.status === 0, refused.out + refused.err]).toEqual([
      false,
      expect.stringContaining('REFUSED'),
    ]);
  });

  it('changes and transfers nothing once the zone has another owner', async () => {
    const zone = await world.tenant.makeZone('given.example.');
    const bank = await tenantOf(world.service, 'bank');
    const body = { name: 'old', scope: 'ZONE', resource_id: zone.id };
    const permissions = { transfer: true, update: {} };
    const { json: key } = await world.tenant.ask('POST', '/v2/tsigkeys', { ...body, permissions });
    const change = () =>
      tell(
        'nsupdate',
        [],
        ['zone given.example.', 'update add x.given.example. 60 A 192.0.2.1'],
        textOf(key),
      );
    expect((await change()).status).toBe(0);
    await until(async () => expect((await recordsBy(key, zone.name)).length).toBeGreaterThan(2));
    const offer = await world.tenant.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
    const accept = { zone_transfer_request_id: offer.json.id, key: offer.json.key };
    expect((await bank.ask('POST', '/v2/zones/tasks/transfer_accepts', accept)).status).toBe(201);
    const names = await bank.list(`/v2/zones/${zone.id}/recordsets`);
    expect((await change()).status).not.toBe(0);
    expect(await bank.list(`/v2/zones/${zone.id}/recordsets`)).toEqual(names);
    await until(async () => expect(await recordsBy(key, zone.name)).toEqual([]));
  });
});
