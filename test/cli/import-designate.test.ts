/** `import-designate`, from a small Designate, beside a service that runs. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Importing } from '../support/designate/importing.ts';
import { answer, POOL } from '../support/designate/scripted.ts';

let site: Importing;
let service: Importing['service'];
let designate: Importing['designate'];
beforeEach(async () => {
  site = await Importing.start();
  ({ service, designate } = site);
});
afterEach(() => site.stop());

const run: Importing['run'] = (...given) => site.run(...given);
const importAll: Importing['importAll'] = (...flags) => site.importAll(...flags);
const get: Importing['get'] = (path) => site.get(path);
const told: Importing['told'] = (step) => site.told(step);
const unsettled: Importing['unsettled'] = (step) => site.unsettled(step);
const verify: Importing['verify'] = () => site.verify();

it('takes over everything with its ids, projects, times and serials, and compares', async () => {
  const { data } = designate;
  const zone = data.zone('Example.COM.', { project_id: 'two', serial: 4123456789, description: 'the first' });
  const www = data.recordset(zone, 'WWW.example.com.', 'AAAA', ['2001:DB8::2', '2001:db8::1'], { ttl: 60 });
  data.zone('empty.example.');
  data.quotas.set('two', { zones: 77, recordset_records: 33 });
  const key = { algorithm: 'hmac-sha256', secret: 'c2VjcmV0', scope: 'POOL', resource_id: POOL };
  data.tsigkeys.push(data.entry({ name: 'Key.Example', ...key }));
  data.tlds.push(data.entry({ name: 'com', description: 'commerce' }));
  data.blacklists.push(data.entry({ pattern: '^example\\.com\\.$', description: 'taken already' }));
  const offer = {
    zone_id: zone.id,
    zone_name: zone.name,
    project_id: 'two',
    target_project_id: 'three',
    description: null,
  };
  const request = data.entry({ ...offer, key: 'DI9HRUGT', status: 'ACTIVE' });
  data.transfer_requests.push(request, data.entry({ ...offer, key: 'OLDOLDOL', status: 'COMPLETE' }));

  const first = await importAll();
  expect(first).toMatchObject({ status: 0, err: '' });
  expect(first.out).toContain('imported zone: 2 added\n');
  expect(first.out).toContain('compared zone: 2 present\n');
  expect((await get(`/v2/zones/${zone.id}`)).json).toMatchObject({
    ...zone,
    name: 'example.com.',
    links: expect.anything(),
  });
  expect((await get(`/v2/zones/${zone.id}/recordsets/${www.id}`)).json).toMatchObject({
    ...www,
    name: 'www.example.com.',
    zone_name: 'example.com.',
    records: ['2001:DB8::2', '2001:db8::1'],
  });
  const { json: list } = await get(`/v2/zones/${zone.id}/recordsets`);
  expect(list.recordsets.find((one: { type: string }) => one.type === 'NS').records).toEqual([
    'ns1.example.org.',
    'ns2.example.org.',
  ]);
  expect((await get('/v2/quotas/two')).json).toMatchObject({ zones: 77, recordset_records: 33 });
  for (const [path, entry] of [
    ['tsigkeys', data.tsigkeys[0]!],
    ['tlds', data.tlds[0]!],
    ['blacklists', data.blacklists[0]!],
    ['zones/tasks/transfer_requests', { ...request, zone_name: 'example.com.' }],
  ] as const) {
    expect((await get(`/v2/${path}/${entry.id}`)).json).toMatchObject(entry);
  }

  const again = await importAll();
  expect(again).toMatchObject({ status: 0, err: '' });
  expect(again.out).not.toMatch(/added|updated|different/);
  expect(await verify()).toBe(0);
});

it('goes on where it was after a source that failed in the middle, whatever it answered', async () => {
  const { data } = designate;
  for (let number = 0; number < 7; number++) {
    const zone = data.zone(`z${number}.example.`);
    data.recordset(zone, `www.z${number}.example.`, 'A', ['192.0.2.1']);
  }
  const broken = `/v2/zones/${data.zones[4]!.id}/recordsets`;
  const page = (text: string, status = 200) => [status, text] as const;
  for (const [status, text, reason] of [
    [...page('{"code": 500, "type": "unknown"}', 500), /answered 500/],
    [...page('{"error": {"code": 401}}', 401), /answered 401.*token/],
    [...page('{}', 403), /answered 403.*admin role/],
    [...page('<h1>It works!</h1>'), /not a JSON object/],
    [...page('{"zones": []}'), /no list "recordsets"/],
  ] as const) {
    designate.fault = (path, response) => {
      if (path.startsWith(broken)) response.writeHead(status).end(text);
      return path.startsWith(broken);
    };
    const { status: exit, err } = await importAll('--parallel', '2');
    expect([exit, err.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(err).toMatch(reason);
    expect((await get('/v2/zones')).json.metadata.total_count).toBe(4);
  }
  designate.fault = (path, response) => {
    if (path.startsWith(broken)) response.socket?.destroy();
    return path.startsWith(broken);
  };
  expect((await importAll()).err).toMatch(/cannot be reached/);
  designate.fault = undefined;
  const { status, out } = await importAll();
  expect([status, out.match(/imported zone: .*/)?.[0]]).toEqual([0, 'imported zone: 4 present, 3 added']);
  expect(await verify()).toBe(0);
});

it('asks again with growing waits where a failure may pass', async () => {
  designate.data.zone('example.com.');
  const failed = new Set<string>();
  designate.fault = (path, response) => {
    if (failed.has(path)) return false;
    failed.add(path);
    answer(response, 503, {});
    return true;
  };
  const { status } = await importAll('--retries', '1');
  expect(status).toBe(0);
});

it('leaves out what a rule refuses, says why, and takes everything else', async () => {
  const { data } = designate;
  const good = data.zone('good.example.');
  data.recordset(good, 'www.good.example.', 'A', ['192.0.2.1']);
  data.recordset(good, 'bad.good.example.', 'A', ['192.0.2.256']);
  data.recordset(good, 'other.example.', 'A', ['192.0.2.1']);
  data.recordset(good, 'WWW.good.example.', 'A', ['192.0.2.2']);
  data.recordset(good, 'odd.good.example.', 'WKS', ['x']);
  data.recordset(good, 'sub.good.example.', 'NS', ['ns.example.']);
  data.recordset(good, 'hidden.sub.good.example.', 'TXT', ['"x"']);
  data.recordset(good, 'going.good.example.', 'A', ['192.0.2.3'], { action: 'DELETE' });
  data.zone('GOOD.example.');
  data.zone('-bad-.example.');
  data.zone('sub.of.good.example.', { project_id: 'two' });
  data.zone('second.example.', { type: 'SECONDARY', masters: ['ns.example.net'] });
  data.zone('going.example.', { action: 'DELETE' });
  data.zone('much.example.', { project_id: 'poor' });
  data.quotas.set('poor', { zones: 0 });
  data.zone('nowhere.example.', { pool_id: '11111111-2222-4333-8444-555555555555' });
  data.zone('last.example.');
  data.blacklists.push(
    data.entry({ pattern: '(', description: null }),
    data.entry({ pattern: 'fine', description: null }),
  );
  const key = { secret: 'c2VjcmV0', scope: 'POOL', resource_id: POOL };
  data.tsigkeys.push(data.entry({ name: 'old', algorithm: 'hmac-md4', ...key }));

  const { status, err } = await importAll();
  expect(status).toBe(1);
  const expected = [
    'refused tsigkey old',
    'refused recordset www.good.example. A',
    'refused recordset bad.good.example. A',
    'refused recordset odd.good.example.',
    'refused recordset other.example. A',
    'refused recordset hidden.sub.good.example. TXT',
    'refused zone good.example.',
    'refused zone -bad-.example.',
    'refused zone sub.of.good.example.',
    'refused secondary zone second.example.',
    'left out zone going.example.',
    'refused zone much.example.',
    'refused zone nowhere.example.',
    'refused blacklist (',
  ];
  expect(unsettled('imported').sort()).toEqual(expected.sort());
  expect(told('imported').filter(({ outcome, reason }) => outcome === 'refused' && !reason)).toEqual([]);
  expect(err).toMatch(/refused: zone much.example. \([^)]+\): Quota exceeded for zones: the limit is 0/);
  const { json } = await get('/v2/zones');
  expect(json.zones.map(({ name }: { name: string }) => name)).toEqual(['good.example.', 'last.example.']);
  const { json: list } = await get(`/v2/zones/${good.id}/recordsets`);
  expect(list.recordsets.length).toBe(4);
  // Servers that have the zone whole have to fetch it anew.
  const soa = list.recordsets.find(({ type }: { type: string }) => type === 'SOA');
  expect(soa.records[0].split(' ')[2]).not.toBe(String(good.serial));
  expect(
    (await get('/v2/blacklists')).json.blacklists.map((one: { pattern: string }) => one.pattern),
  ).toEqual(['fine']);
  expect(await verify()).toBe(0);
});

it('tells what differs, and brings it here only when asked to', async () => {
  const { data } = designate;
  const zone = data.zone('example.com.');
  const [www, mail] = ['www', 'mail'].map((label) =>
    data.recordset(zone, `${label}.example.com.`, 'A', ['192.0.2.1']),
  );
  const gone = data.zone('gone.example.');
  expect((await importAll()).status).toBe(0);

  Object.assign(zone, { serial: (zone.serial as number) + 5, email: 'new@example.org' });
  www!.records = ['192.0.2.7', '192.0.2.8'];
  data.recordsets.set(
    zone.id,
    data.recordsets.get(zone.id)!.filter((one) => one !== mail),
  );
  const added = data.recordset(zone, 'new.example.com.', 'TXT', ['"new"']);
  data.zones = data.zones.filter((one) => one !== gone);

  const differing = await importAll();
  expect(differing.status).toBe(1);
  expect(differing.err).toContain(
    `different: zone example.com. (${zone.id}): email differs, serial differs, www.example.com. A differs, new.example.com. TXT is missing here, mail.example.com. A is only here`,
  );
  expect(unsettled('compared')).toEqual(['different zone example.com.', 'only here zone gone.example.']);
  expect((await get(`/v2/zones/${zone.id}`)).json.email).toBe('hostmaster@example.org');

  const updated = await importAll('--update');
  expect(updated.out).toContain('imported zone: 1 updated\n');
  expect(unsettled('compared')).toEqual(['only here zone gone.example.']);
  const { json } = await get(`/v2/zones/${zone.id}`);
  expect(json.email).toBe('new@example.org');
  expect(json.serial).toBeGreaterThan(zone.serial as number);
  expect((await get(`/v2/zones/${zone.id}/recordsets/${added.id}`)).json.records).toEqual(['"new"']);
  expect((await get(`/v2/zones/${zone.id}/recordsets/${mail!.id}`)).status).toBe(404);
  expect(await verify()).toBe(0);
});

it('leaves protected recordsets as they are, and the protection of what it brings here', async () => {
  const { data } = designate;
  const zone = data.zone('example.com.');
  const [www, mail, free] = ['www', 'mail', 'free'].map((label) =>
    data.recordset(zone, `${label}.example.com.`, 'A', ['192.0.2.1']),
  );
  expect((await importAll()).status).toBe(0);
  const put = async (path: string, method: string, body: object) => {
    const request = { token: service.admin, headers: { 'x-auth-all-projects': 'true' }, body };
    expect((await service.request(method, path, request)).status).toBe(202);
  };
  const pathOf = ({ id }: { id?: unknown }) => `/v2/zones/${zone.id}/recordsets/${id}`;
  await put(`/v2/zones/${zone.id}`, 'PATCH', { protected: true });
  for (const one of [www!, mail!]) await put(pathOf(one), 'PUT', { protected: true });

  expect((await importAll('--update')).status).toBe(0);
  for (const one of [www!, free!]) one.records = ['192.0.2.7'];
  data.recordsets.set(
    zone.id,
    data.recordsets.get(zone.id)!.filter((one) => one !== mail),
  );
  const updated = await importAll('--update');
  expect(updated.status).toBe(1);
  expect(updated.err).toMatch(
    /different: zone example\.com\. .*www\.example\.com\. A differs, mail\.example\.com\. A is only here\n/,
  );
  for (const one of [www!, mail!])
    expect((await get(pathOf(one))).json).toMatchObject({ records: ['192.0.2.1'], protected: true });
  expect((await get(pathOf(free!))).json).toMatchObject({ records: ['192.0.2.7'] });
  expect((await get(`/v2/zones/${zone.id}`)).json.protected).toBe(true);
  expect(await verify()).toBe(0);
});

it('keeps the timers of an SOA that are not those of the options, within their bounds', async () => {
  const { data } = designate;
  const timersOf = async (zone: { readonly id: string }) => (await get(`/v2/zones/${zone.id}`)).json.soa;
  const setTimers = (zone: { readonly id: string }, timers: string) => {
    const soa = data.recordsets.get(zone.id)!.find(({ type }) => type === 'SOA')!;
    soa.records = [`ns1.example.org. hostmaster.example.org. 1714979289 ${timers}`];
  };
  const [usual, own, hasty] = ['usual', 'own', 'hasty'].map((label) => data.zone(`${label}.example.`));
  setTimers(own!, '7200 900 2419200 300');
  setTimers(hasty!, '10 900 2419200 300');
  const { status, err } = await importAll();
  expect([status, err]).toEqual([0, expect.stringMatching(/^added: zone hasty.* from 10 to 300\n$/)]);
  const kept = { refresh: 7200, retry: 900, expire: 2_419_200, minimum: 300 };
  expect(await timersOf(usual!)).toBeUndefined();
  expect(await timersOf(own!)).toEqual(kept);
  expect(await timersOf(hasty!)).toEqual({ ...kept, refresh: 300 });
  expect(told('imported').find(({ id }) => id === hasty!.id)).toMatchObject({
    outcome: 'added',
    reason: 'SOA timers adjusted: refresh from 10 to 300',
  });

  setTimers(own!, '7200 900 1209600 300');
  expect((await importAll()).err).toContain('soa differs');
  expect((await importAll('--update')).status).toBe(0);
  expect(await timersOf(own!)).toEqual({ ...kept, expire: 1_209_600 });
  expect(await verify()).toBe(0);
});

it('takes shares, and the recordsets of other projects in a zone', async () => {
  const { data } = designate;
  const zone = data.zone('example.com.', { shared: true });
  const about = { zone_id: zone.id, project_id: 'one' };
  const share = data.entry({ ...about, target_project_id: 'guest' });
  data.shares.set(zone.id, [share]);
  const guests = data.recordset(zone, 'guest.example.com.', 'A', ['192.0.2.1'], { project_id: 'guest' });
  const strays = data.recordset(zone, 'stray.example.com.', 'A', ['192.0.2.1'], { project_id: 'gone' });
  expect(await importAll()).toMatchObject({ status: 0, err: '' });
  expect((await get(`/v2/zones/${zone.id}/shares/${share.id}`)).json).toMatchObject(share);
  const { json } = await get(`/v2/zones/${zone.id}/recordsets`);
  const owners = new Map(json.recordsets.map((one: Record<string, string>) => [one.id, one.project_id]));
  expect([owners.get(guests.id), owners.get(strays.id)]).toEqual(['guest', 'one']);

  const later = data.entry({ ...about, target_project_id: 'later' });
  data.shares.set(zone.id, [share, later]);
  data.recordset(zone, 'later.example.com.', 'A', ['192.0.2.1'], { project_id: 'later' });
  expect((await importAll()).err).toContain('shares differs, later.example.com. A is missing here');
  expect(await importAll('--update')).toMatchObject({ status: 0, err: '' });
  expect((await get(`/v2/zones/${zone.id}/shares/${later.id}`)).json).toMatchObject(later);
  expect(await verify()).toBe(0);
});

it('changes nothing in a dry run', async () => {
  designate.data.zone('example.com.');
  const { status, out } = await importAll('--dry-run');
  expect([status, out.match(/found zone: .*/)?.[0]]).toEqual([1, 'found zone: 1 missing']);
  expect((await get('/v2/zones')).json.zones).toEqual([]);
  expect((await importAll()).status).toBe(0);
  expect((await importAll('--dry-run')).status).toBe(0);
});

it('reads every page, also where the end of one is deleted meanwhile', async () => {
  const { data } = designate;
  for (let number = 0; number < 6; number++) data.zone(`z${number}.example.`);
  const third = data.zones[2]!;
  designate.fault = (path) => {
    if (path.includes(`/${third.id}/recordsets`)) data.zones = data.zones.filter((one) => one !== third);
    return false;
  };
  await importAll('--page-size', '3', '--parallel', '1');
  const names = ['z0', 'z1', 'z2', 'z3', 'z4', 'z5'].map((label) => `${label}.example.`);
  expect((await get('/v2/zones')).json.zones.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(designate.asked.filter((path) => path.includes('marker')).length).toBeGreaterThan(2);
  expect(unsettled('compared')).toEqual(['only here zone z2.example.']);
});

it('takes a zone whose name a pattern here refuses, as zones that exist are not judged again', async () => {
  const body = { pattern: '^example\\.com\\.$' };
  const { json } = await service.request('POST', '/v2/blacklists', { token: service.admin, body });
  designate.data.zone('example.com.');
  const { status, err } = await importAll();
  expect([status, err]).toEqual([
    0,
    `added: zone example.com. (${designate.data.zones[0]!.id}): its name matches the blacklist ${json.id}\n`,
  ]);
});

it('gets a token of Keystone by the usual variables, and a new one when it ends', async () => {
  designate.data.zone('example.com.');
  let tokens = 0;
  const bodies: string[] = [];
  designate.fault = (path, response, request) => {
    if (path.startsWith('/v3/auth/tokens')) {
      request.on('data', (part: Buffer) => void bodies.push(part.toString()));
      request.on('end', () => {
        const expires = new Date(Date.now() + 3_600_000).toISOString();
        response.writeHead(201, { 'x-subject-token': `token-${++tokens}` });
        response.end(JSON.stringify({ token: { expires_at: expires } }));
      });
      return true;
    }
    if (path.includes('/recordsets') && request.headers['x-auth-token'] === 'token-1') {
      answer(response, 401, {});
      return true;
    }
    return false;
  };
  const environment = {
    OS_AUTH_URL: `${designate.url}/v3`,
    OS_USERNAME: 'admin',
    OS_PASSWORD: 'hidden',
    OS_PROJECT_NAME: 'ops',
    OS_USER_DOMAIN_NAME: 'Default',
  };
  expect((await run([], environment)).status).toBe(0);
  expect(bodies.map((body) => JSON.parse(body).auth)).toEqual(
    Array.from({ length: 2 }, () => ({
      identity: {
        methods: ['password'],
        password: { user: { name: 'admin', domain: { name: 'Default' }, password: 'hidden' } },
      },
      scope: { project: { name: 'ops', domain: { id: 'default' } } },
    })),
  );
});

it('refuses options that make no sense, and credentials that are not there', async () => {
  const folder = dirname(site.report);
  const file = join(folder, 'token');
  writeFileSync(file, 'secret\n');
  const empty = join(folder, 'empty');
  writeFileSync(empty, '\n');
  for (const [flags, reason] of [
    [[], /OS_AUTH_URL is not set.*--token-file/],
    [['--token', 'x', '--parallel', '0'], /from 1 to 64/],
    [['--token', 'x', '--project', 'a b'], /project id/],
    [['--token', 'x', '--from', 'designate'], /URL of the Designate API/],
    [['--token', 'x', '--from', 'http://admin:hidden@controller:9001'], /URL of the Designate API/],
    [['--token', 'two\nlines'], /token is empty, too long/],
    [['--token-file', empty], /token is empty/],
    [['--token-file', join(folder, 'missing')], /cannot be read/],
    [['--token-file', file, '--report', folder], /cannot be written/],
  ] as const) {
    const { status, out, err } = await run(flags);
    expect([status, out, err.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    expect(err).toMatch(reason);
  }
  expect((await run(['--token-file', file])).status).toBe(0);
});
