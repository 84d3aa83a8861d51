/** dyndns2: what each request is answered, and what it changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Change, recordsetsIn, sendSet } from '../../support/change-sets.ts';
import { basic, DYNDNS_ON, sendUpdate } from '../../support/dyndns.ts';
import { eventsOf } from '../../support/events.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({ ...DYNDNS_ON, ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

interface MadeZone {
  readonly id: string;
  /** Without a final dot, as clients write names. */
  readonly name: string;
}

async function makeZone(name: string, changes: readonly Change[] = [], owner = token): Promise<MadeZone> {
  const body = { name: `${name}.`, email: 'a@example.org' };
  const { json } = await service.request('POST', '/v2/zones', { token: owner, body });
  if (changes.length > 0) {
    expect((await sendSet(service, json.id, changes, { token: owner })).status).toBe(202);
  }
  return { id: json.id, name };
}

const update = (query: string): Promise<Answer> => sendUpdate(service, token, query);
const recordsets = ({ id }: MadeZone) => recordsetsIn(service, id, token);
const serialOf = async ({ id }: MadeZone) =>
  (await service.request('GET', `/v2/zones/${id}`, { token })).json.serial;
const setOf = (name: string, type: string, ...records: string[]): Change => ({
  action: 'create',
  name: `${name}.`,
  type,
  records,
});
const shown = ({ status, text }: Answer) => [status, text];

describe('an update', () => {
  it('creates an A recordset with a TTL of 60, and then has nothing to change', async () => {
    const zone = await makeZone('one.example');
    const host = `home.${zone.name}`;
    const first = await update(`system=dyndns&hostname=${host}&myip=192.0.2.1`);
    expect(shown(first)).toEqual([200, 'good 192.0.2.1\n']);
    expect(first.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(first.headers.get('content-length')).toBe('15');
    expect(first.headers.get('transfer-encoding')).toBeNull();
    const serial = await serialOf(zone);
    expect(shown(await update(`hostname=${host}&myip=192.0.2.1`))).toEqual([200, 'nochg 192.0.2.1\n']);
    expect(await serialOf(zone)).toBe(serial);
    expect(await recordsets(zone)).toEqual({
      [`${host}. A`]: { ttl: 60, records: ['192.0.2.1'], description: null },
    });
  });

  it('sets A and AAAA together, or one of them, and leaves the other alone', async () => {
    const zone = await makeZone('two.example');
    const host = `home.${zone.name}`;
    const both = `hostname=${host}&myip=`;
    expect(shown(await update(`${both}2001:DB8:0::1,192.0.2.1`))).toEqual([
      200,
      'good 192.0.2.1,2001:db8::1\n',
    ]);
    expect(shown(await update(`${both}192.0.2.1,2001:db8::1`))).toEqual([
      200,
      'nochg 192.0.2.1,2001:db8::1\n',
    ]);
    expect(shown(await update(`${both}2001:db8::2`))).toEqual([200, 'good 2001:db8::2\n']);
    expect(shown(await update(`${both}192.0.2.1,2001:db8::3`))).toEqual([
      200,
      'good 192.0.2.1,2001:db8::3\n',
    ]);
    expect(await recordsets(zone)).toMatchObject({
      [`${host}. A`]: { records: ['192.0.2.1'] },
      [`${host}. AAAA`]: { records: ['2001:db8::3'] },
    });
  });

  it('replaces several addresses by the one, and keeps TTL, description and spelling', async () => {
    const zone = await makeZone('three.example', [
      { ...setOf('many.three.example', 'A', '192.0.2.1', '192.0.2.2'), ttl: 900, description: 'office' },
      setOf('six.three.example', 'AAAA', '2001:DB8::1'),
      setOf('other.three.example', 'A', '192.0.2.9'),
    ]);
    expect(shown(await update('hostname=many.three.example&myip=192.0.2.1'))).toEqual([
      200,
      'good 192.0.2.1\n',
    ]);
    expect(shown(await update('hostname=six.three.example&myip=2001:db8::1'))).toEqual([
      200,
      'nochg 2001:db8::1\n',
    ]);
    expect(await recordsets(zone)).toEqual({
      'many.three.example. A': { ttl: 900, records: ['192.0.2.1'], description: 'office' },
      'six.three.example. AAAA': { ttl: null, records: ['2001:DB8::1'], description: null },
      'other.three.example. A': { ttl: null, records: ['192.0.2.9'], description: null },
    });
  });

  it('works at the apex, at a wildcard, and with a final dot', async () => {
    const zone = await makeZone('four.example');
    const hosts = [`${zone.name}`, `*.${zone.name}`, `dot.${zone.name}.`];
    const { text } = await update(`hostname=${hosts.join(',')}&myip=10.0.0.1`);
    expect(text).toBe('good 10.0.0.1\n'.repeat(3));
    expect(Object.keys(await recordsets(zone)).sort()).toEqual([
      '*.four.example. A',
      'dot.four.example. A',
      'four.example. A',
    ]);
  });

  it('reads names as elsewhere: in any case, and in Unicode', async () => {
    const zone = await makeZone('five.example');
    const { text } = await update(
      `hostname=HOME.Five.example,${encodeURIComponent('bücher')}.five.example&myip=192.0.2.1`,
    );
    expect(text).toBe('good 192.0.2.1\ngood 192.0.2.1\n');
    expect(Object.keys(await recordsets(zone)).sort()).toEqual([
      'home.five.example. A',
      'xn--bcher-kva.five.example. A',
    ]);
  });

  it('answers a line for each host in order, and makes one change for each zone', async () => {
    const [zone, below] = [await makeZone('six.example'), await makeZone('sub.six.example')];
    const hosts = [
      'a.six.example',
      'nowhere.test',
      'single',
      'x.sub.six.example',
      'b.six.example',
      'a_-.six.example',
    ];
    const before = [await serialOf(zone), await serialOf(below)];
    const { status, text } = await update(`hostname=${hosts.join(',')}&myip=192.0.2.1`);
    const good = 'good 192.0.2.1';
    expect([status, text.split('\n')]).toEqual([200, [good, 'nohost', 'notfqdn', good, good, 'notfqdn', '']]);
    expect([await serialOf(zone), await serialOf(below)]).not.toEqual(before);
    const changesOf = async ({ id }: MadeZone) =>
      (await service.request('GET', `/v2/zones/${id}/changes?door=dyndns`, { token })).json.changes;
    expect(await changesOf(zone)).toMatchObject([{ door: 'dyndns', summary: { create: 2 } }]);
    expect(await changesOf(below)).toMatchObject([{ door: 'dyndns', summary: { create: 1 } }]);
    const events = await eventsOf(service, `&target_id=${zone.id}&type=recordsets.changed`);
    expect(events[0]).toMatchObject({ details: { door: 'dyndns' }, actor: { project_id: 'shop' } });
  });

  it('gives a host that is named twice two lines', async () => {
    await makeZone('seven.example');
    const { text } = await update('hostname=a.seven.example,A.seven.example.&myip=192.0.2.1');
    expect(text).toBe('good 192.0.2.1\ngood 192.0.2.1\n');
  });

  it('finds the longest zone that the token sees, shared ones too', async () => {
    const other = await service.token('other', 'member');
    const mine = await makeZone('eight.example');
    expect((await sendUpdate(service, other, 'hostname=a.eight.example&myip=192.0.2.1')).text).toBe(
      'nohost\n',
    );
    const share = await service.request('POST', `/v2/zones/${mine.id}/shares`, {
      token,
      body: { target_project_id: 'other' },
    });
    expect(share.status).toBe(201);
    const { text } = await sendUpdate(service, other, 'hostname=a.eight.example&myip=192.0.2.1');
    expect(text).toBe('good 192.0.2.1\n');
  });

  it('takes the address of the client if the request names none', async () => {
    const zone = await makeZone('nine.example');
    for (const query of ['', '&myip=', '&myip=,']) {
      expect((await update(`hostname=a.nine.example${query}`)).text).toMatch(/^(good|nochg) 127\.0\.0\.1\n$/);
    }
    expect(await recordsets(zone)).toMatchObject({ 'a.nine.example. A': { records: ['127.0.0.1'] } });
  });

  it('of one name is made by each of many at once, and the last address stays', async () => {
    const zone = await makeZone('ten.example');
    const addresses = Array.from({ length: 24 }, (_, number) => `192.0.2.${(number % 6) + 1}`);
    const answers = await Promise.all(
      addresses.map((address) => update(`hostname=a.ten.example,b.ten.example&myip=${address}`)),
    );
    for (const [number, { status, text }] of answers.entries()) {
      expect(status).toBe(200);
      expect(text).toMatch(new RegExp(`^((good|nochg) ${addresses[number]}\n){2}$`));
    }
    const { 'a.ten.example. A': a, 'b.ten.example. A': b } = await recordsets(zone);
    expect(a!.records).toHaveLength(1);
    expect(b!.records).toEqual(a!.records);
    expect(addresses).toContain(a!.records[0]);
  });
});

describe('an update that a rule refuses', () => {
  it('is answered 911, alone for all hosts, and the reason stands in a header', async () => {
    const zone = await makeZone('cname.example', [setOf('alias.cname.example', 'CNAME', 'example.org.')]);
    const refused = await update('hostname=new.cname.example,alias.cname.example&myip=192.0.2.1');
    expect(shown(refused)).toEqual([200, '911\n']);
    expect(refused.headers.get('warning')).toMatch(/^299 - ".*CNAME/);
    expect(Object.keys(await recordsets(zone))).toEqual(['alias.cname.example. CNAME']);
  });

  it('is answered 911 in the lines of the hosts of its zone beside others', async () => {
    await makeZone('fine.example');
    await makeZone('bad.example', [setOf('alias.bad.example', 'CNAME', 'example.org.')]);
    const hosts = 'alias.bad.example,a.fine.example,b.bad.example,x.nowhere.test';
    const { status, text, headers } = await update(`hostname=${hosts}&myip=192.0.2.1`);
    expect([status, text]).toEqual([200, '911\ngood 192.0.2.1\n911\nnohost\n']);
    expect(headers.get('warning')).toContain('CNAME');
  });

  it('because of a quota is answered 911', async () => {
    const limited = await service.token('small', 'member');
    await makeZone('quota.example', [], limited);
    const body = { zone_recordsets: 1 };
    const set = await service.request('PATCH', '/v2/quotas/small', { token: service.admin, body });
    expect(set.status).toBe(200);
    const send = (host: string) => sendUpdate(service, limited, `hostname=${host}&myip=192.0.2.1`);
    expect((await send('a.quota.example')).text).toBe('good 192.0.2.1\n');
    expect(shown(await send('b.quota.example'))).toEqual([200, '911\n']);
    expect((await send('a.quota.example')).text).toBe('nochg 192.0.2.1\n');
  });

  it('because of protection is answered 911, unless nothing changes', async () => {
    const { id } = await makeZone('kept.example', [setOf('a.kept.example', 'A', '192.0.2.1')]);
    const { json } = await service.request('GET', `/v2/zones/${id}/recordsets?name=a.kept.example.`, {
      token,
    });
    const kept = await service.request('PUT', `/v2/zones/${id}/recordsets/${json.recordsets[0].id}`, {
      token,
      body: { protected: true },
    });
    expect(kept.status).toBeLessThan(300);
    expect((await update('hostname=a.kept.example&myip=192.0.2.1')).text).toBe('nochg 192.0.2.1\n');
    expect(shown(await update('hostname=a.kept.example&myip=192.0.2.2'))).toEqual([200, '911\n']);
  });

  it('because the caller may only read is answered 911', async () => {
    await makeZone('read.example');
    const reader = await service.token('shop', 'reader');
    const refused = await sendUpdate(service, reader, 'hostname=a.read.example&myip=192.0.2.1');
    expect(shown(refused)).toEqual([200, '911\n']);
    expect(refused.headers.get('www-authenticate')).toBeNull();
  });
});

describe('the credentials', () => {
  it('are a token as the password, with any user name, and nothing else', async () => {
    await makeZone('login.example');
    const query = 'hostname=a.login.example&myip=192.0.2.1';
    for (const user of ['', 'alice', 'b%C3%BCro', 'büro']) {
      expect((await sendUpdate(service, token, query, basic(token, user))).status).toBe(200);
    }
    const others = [
      basic('zw_wrong'),
      basic(''),
      basic(`${token}\n`),
      basic('pass word'),
      { authorization: 'Basic' },
      { authorization: `Basic ${Buffer.from(token).toString('base64')}` },
      { authorization: 'Basic *' },
      { authorization: `Bearer ${token}` },
      { authorization: undefined },
      { authorization: undefined, 'x-auth-token': token },
      { ...basic(token), 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of others) {
      const refused = await sendUpdate(service, token, query, headers);
      expect([headers, refused.status, refused.text]).toEqual([headers, 401, 'badauth\n']);
      expect(refused.headers.get('www-authenticate')).toBe('Basic realm="Zonewarden", charset="UTF-8"');
      expect(refused.headers.get('content-length')).toBe('8');
    }
  });

  it('act for their own project, whatever headers and parameters say', async () => {
    const zone = await makeZone('sudo.example');
    const query = 'hostname=a.sudo.example&myip=192.0.2.1';
    const sudo = { 'x-auth-sudo-project-id': 'shop', 'x-auth-all-projects': 'true' };
    expect((await sendUpdate(service, service.admin, query, sudo)).text).toBe('nohost\n');
    const all = await fetch(`${service.url}/nic/update?${query}&all_projects=true`, {
      headers: basic(service.admin),
    });
    expect(await all.text()).toBe('nohost\n');
    expect(await recordsets(zone)).toEqual({});
  });

  it('that fail too often are answered abuse', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => sendUpdate(service, 'zw_wrong', 'hostname=a.login.example')),
    );
    const seen = new Set(answers.map((answer) => shown(answer).join(' ')));
    expect(seen).toEqual(new Set(['401 badauth\n', '429 abuse\n']));
  });

  it('never get into the log', async () => {
    const lines = JSON.stringify(service.logged);
    // A secret may have any character of base64url, `_` included.
    const secret = token.slice(-20);
    expect(lines).toContain('/nic/update');
    for (const text of [secret, basic(token).authorization.slice(6), 'pass word', 'zw_wrong']) {
      expect(lines).not.toContain(text);
    }
  });
});
