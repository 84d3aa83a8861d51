/** What is shown of name servers, to whom. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';

/** Nobody answers there. */
const SERVERS = [
  { host: '127.0.0.1', port: 9 },
  { host: '127.0.0.1', port: 19 },
];

let service: TestService;
let member: string;
let zone: { id: string; serial: number };
beforeEach(async () => {
  service = await startTestService();
  member = await service.token('mine', 'member');
});
afterEach(() => service.remove());

const ask = (method: string, path: string, token = service.admin, body?: object): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });
const command = (...args: string[]) => runHere(args, storeOptions(service.dataDir));

async function publish(): Promise<void> {
  const file = join(service.dataDir, 'pools.yaml');
  const ns_records = [{ hostname: 'ns1.example.net.', priority: 1 }];
  writeFileSync(file, JSON.stringify([{ name: 'default', ns_records, nameservers: SERVERS }]));
  const { status, err } = await command('pool', 'apply', file, '--yes');
  expect([status, err]).toEqual([0, '']);
}

async function makeZone(): Promise<void> {
  zone = (await ask('POST', '/v2/zones', member, { name: 'zone.example.', email: 'a@example.org' })).json;
}

const shown = async (token = member) => (await ask('GET', `/v2/zones/${zone.id}/publication`, token)).json;

describe('the publication of a zone', () => {
  it('is nothing where its pool has no name servers', async () => {
    await makeZone();
    expect(await shown()).toEqual({
      zone_id: zone.id,
      status: 'ACTIVE',
      action: 'NONE',
      serial: zone.serial,
      published_serial: null,
      pending_since: null,
      error: null,
      servers: [],
    });
    const { status, err } = await command('publication', 'status', 'zone.example');
    expect([status, err]).toEqual([0, expect.stringContaining('no name servers')]);
    const again = await command('publication', 'again', 'zone.example.');
    expect([again.status, again.err]).toEqual([2, expect.stringContaining('no name servers')]);
  });

  it('tells its project what each server has, and administrators which server that is', async () => {
    await publish();
    await makeZone();
    const found = await shown();
    expect(found).toEqual({
      zone_id: zone.id,
      status: 'PENDING',
      action: 'CREATE',
      serial: zone.serial,
      published_serial: null,
      pending_since: expect.any(String),
      error: null,
      servers: SERVERS.map(() => ({
        serial: null,
        expected_serial: zone.serial,
        since: found.servers[0].since === null ? null : expect.any(String),
        fault: expect.any(String),
      })),
    });
    const admin = await ask('GET', `/v2/zones/${zone.id}/publication`, await service.token('mine', 'admin'));
    expect(admin.json.servers).toEqual(SERVERS.map((server) => expect.objectContaining(server)));
    const other = await ask(
      'GET',
      `/v2/zones/${zone.id}/publication`,
      await service.token('other', 'member'),
    );
    expect([other.status, other.json.type]).toEqual([404, 'zone_not_found']);
  });
});

describe('a zone that is abandoned', () => {
  const abandon = (token = service.admin) => ask('POST', `/v2/zones/${zone.id}/tasks/abandon`, token);
  let admin: string;
  beforeEach(async () => {
    admin = await service.token('mine', 'admin');
  });

  it('is gone here at once, whatever its servers have, and can be made again with a later serial', async () => {
    await publish();
    await makeZone();
    const { id, serial } = zone;
    const { status, text } = await abandon(admin);
    expect([status, text]).toEqual([204, '']);
    expect((await ask('GET', `/v2/zones/${id}`, member)).status).toBe(404);
    expect((await abandon(admin)).json.type).toBe('zone_not_found');
    expect((await ask('GET', '/v2/quotas/mine/usage', member)).json.usage.zones).toBe(0);
    const told = service.logged.filter(({ event }) => event === 'zone.abandoned');
    expect(told).toMatchObject([{ audit: true, zone: 'zone.example.', zone_id: id }]);
    await makeZone();
    expect(zone.serial).toBeGreaterThan(serial);
  });

  it('is abandoned while it waits for its removal, too', async () => {
    await publish();
    await makeZone();
    await ask('DELETE', `/v2/zones/${zone.id}`, member);
    expect((await abandon(admin)).status).toBe(204);
    expect((await ask('GET', `/v2/zones/${zone.id}`, member)).status).toBe(404);
  });

  it('is abandoned by administrators alone, who see it, and not with zones below it', async () => {
    await makeZone();
    const refused = await abandon(member);
    expect([refused.status, refused.json.type]).toEqual([401, 'access_denied']);
    expect((await abandon()).status).toBe(404);
    const child = { name: 'child.zone.example.', email: 'a@example.org' };
    await ask('POST', '/v2/zones', member, child);
    const { status, json } = await abandon(admin);
    expect([status, json.type]).toEqual([400, 'zone_has_sub_zone']);
    expect((await ask('GET', `/v2/zones/${zone.id}`, member)).status).toBe(200);
  });
});
