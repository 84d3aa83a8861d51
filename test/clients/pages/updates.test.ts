/** Clients that write by DNS UPDATE, each with the permissions that its page shows, and with less. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startD2 } from '../../support/clients/d2.ts';
import { type Desk, follow, newDesk, resolved, shown } from '../../support/clients/page.ts';
import {
  environmentOf,
  makeKey,
  makeZone,
  narrower,
  type Permissions,
  permissionsOf,
  recordsIn,
} from '../../support/clients/updating.ts';
import { documented, withOwn } from '../../support/name-servers/document.ts';

let desk: Desk;
beforeAll(() => {
  desk = newDesk();
});
afterAll(() => desk?.remove());

const pageOf = (name: string): string => `docs/clients/${name}.md`;

describe('dnspython', () => {
  const section = 'A script';
  const permissions = permissionsOf('dnspython', section);
  let zoneId: string;
  beforeAll(async () => {
    zoneId = await makeZone('python.example.org.');
  });

  const script = async (allowed: Permissions): Promise<string> => {
    const own = { '192.0.2.10': '127.0.0.1', 'port=5354': `port=${inject('cloud').primaryPort}` };
    const key = await makeKey(zoneId, allowed);
    return follow(desk, 'dnspython', section, own, environmentOf(key));
  };

  it.each(narrower(permissions))('is refused with less in "%s"', async (key, less) => {
    const [first] = (await script(less)).split('\n');
    expect(first).toBe(`REFUSED The scope of the TSIG key does not allow this: "${key}" refuses it.`);
    expect(await recordsIn(zoneId)).toEqual({});
  });

  it('prints what the page shows', async () => {
    expect(await script(permissions)).toBe(shown('dnspython', section));
    const address = () => resolved('www.python.example.org.', 'A');
    await expect.poll(address, { timeout: 30_000 }).toEqual(['192.0.2.81']);
  });
});

describe('Ansible', () => {
  const section = 'With a TSIG key';
  const permissions = permissionsOf('ansible', section);
  let zoneId: string;
  beforeAll(async () => {
    zoneId = await makeZone('ansible.example.org.');
    const play = withOwn(documented(section, 'yaml', 0, pageOf('ansible')), {
      '192.0.2.10': '127.0.0.1',
      'port: 5354': `port: ${inject('cloud').primaryPort}`,
    });
    writeFileSync(join(desk.folder, 'play.yml'), play);
  });

  const playbook = async (allowed: Permissions): Promise<string> => {
    const key = await makeKey(zoneId, allowed);
    return follow(desk, 'ansible', section, {}, environmentOf(key));
  };

  it.each(narrower(permissions))('is refused with less in "%s"', async (_, less) => {
    await expect(playbook(less)).rejects.toThrow(/REFUSED|rc: 5/);
    expect(await recordsIn(zoneId)).toEqual({});
  });

  it('creates recordsets, and changes nothing when it runs again', async () => {
    expect(await playbook(permissions)).toContain('changed=2');
    expect(await playbook(permissions)).toMatch(/ok=2 +changed=0/);
    expect(await recordsIn(zoneId)).toEqual({
      'www.ansible.example.org. A': ['192.0.2.80', '192.0.2.81'],
      'text.ansible.example.org. TXT': ['"v=spf1 -all"'],
    });
  });
});

describe('Kea', () => {
  const section = 'D2';
  const forward = permissionsOf('kea', section);
  const reverse = permissionsOf('kea', section, 1);
  const lease = { fqdn: 'host.kea.example.org.', address: '192.0.2.5', client: 1 };
  let zones: { readonly forward: string; readonly reverse: string };
  beforeAll(async () => {
    zones = {
      forward: await makeZone('kea.example.org.'),
      reverse: await makeZone('2.0.192.in-addr.arpa.'),
    };
  });

  async function d2(allowed: { readonly forward: Permissions; readonly reverse: Permissions }) {
    const [forwardKey, reverseKey] = [
      await makeKey(zones.forward, allowed.forward),
      await makeKey(zones.reverse, allowed.reverse),
    ];
    return startD2((port) =>
      withOwn(documented(section, 'json', 2, pageOf('kea')), {
        '53001': `${port}`,
        'kea-forward': forwardKey.name,
        'kea-reverse': reverseKey.name,
        FORWARD_SECRET: forwardKey.secret,
        REVERSE_SECRET: reverseKey.secret,
        '192.0.2.10': '127.0.0.1',
        '"port": 5354': `"port": ${inject('cloud').primaryPort}`,
      }),
    );
  }

  it.each([
    ...narrower(forward).map(([key, less]) => [`the forward ${key}`, { forward: less, reverse }] as const),
    ...narrower(reverse).map(([key, less]) => [`the reverse ${key}`, { forward, reverse: less }] as const),
  ])('is refused with less in %s', async (_, allowed) => {
    const server = await d2(allowed);
    expect(await server.tell('begins', lease)).toBe('ADD_FAILED');
    expect(await recordsIn(zones.reverse)).toEqual({});
    await server.remove();
  });

  it('writes the names of leases, keeps those of other clients, and removes them when leases end', async () => {
    const server = await d2({ forward, reverse });
    expect(await server.tell('begins', lease)).toBe('ADD_SUCCEEDED');
    const dhcid = expect.stringMatching(/^\\# 35 00000101/);
    expect(await recordsIn(zones.forward)).toEqual({
      'host.kea.example.org. A': ['192.0.2.5'],
      'host.kea.example.org. TYPE49': [dhcid],
    });
    expect(await recordsIn(zones.reverse)).toEqual({
      '5.2.0.192.in-addr.arpa. PTR': ['host.kea.example.org.'],
      '5.2.0.192.in-addr.arpa. TYPE49': [dhcid],
    });
    expect(await server.tell('begins', { ...lease, address: '192.0.2.6', client: 2 })).toBe('ADD_FAILED');
    expect(await server.tell('ends', lease)).toBe('REMOVE_SUCCEEDED');
    expect([await recordsIn(zones.forward), await recordsIn(zones.reverse)]).toEqual([{}, {}]);
    await server.remove();
  });
});
