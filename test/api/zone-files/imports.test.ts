import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

let service: TestService;
let member: string;
let other: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_SERVICE_API__MAX_IMPORT_SIZE: '4000000' });
  member = await service.token('shop', 'member');
  other = await service.token('other', 'member');
  await setQuotas('shop', { zones: -1 });
});
afterAll(() => service.remove());

function setQuotas(project: string, body: object) {
  return service.request('PATCH', `/v2/quotas/${project}`, { token: service.admin, body });
}

async function zoneNamed(name: string, token = member) {
  return (await service.request('GET', `/v2/zones?name=${name}`, { token })).json.zones[0];
}

async function recordsetsOf(name: string) {
  const { id } = await zoneNamed(name);
  return (await service.request('GET', `/v2/zones/${id}/recordsets`, { token: member })).json.recordsets;
}

/** Imports, and proves that a refusal keeps nothing. */
async function refusalOf(file: string | Uint8Array, name: string, headers = {}) {
  const usage = () => service.request('GET', '/v2/quotas/shop/usage', { token: service.admin });
  const before = (await usage()).text;
  const answer = await importFile(service, member, file, headers);
  expect((await usage()).text).toBe(before);
  expect(await zoneNamed(name)).toBeUndefined();
  return answer;
}

describe('an import that is accepted', () => {
  it('answers 202 and COMPLETE, and the zone is there with all that the file holds', async () => {
    const file = zoneFile(
      'full.example.',
      'www 60 A 192.0.2.2',
      'www 60 A 192.0.2.1',
      '@ 3600 MX 10 www',
      'txt TXT v=spf1 -all',
    );
    const answer = await importFile(service, member, file);
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      status: 'COMPLETE',
      project_id: 'shop',
      version: 1,
      updated_at: null,
    });
    expect(answer.headers.get('location')).toBe(answer.json.links.self);
    expect(answer.json.links.zone).toBe(`${service.url}/v2/zones/${answer.json.zone_id}`);
    const zone = await zoneNamed('full.example.');
    expect(zone).toMatchObject({
      id: answer.json.zone_id,
      email: 'hostmaster@example.org',
      ttl: 3600,
      status: 'ACTIVE',
    });
    const soa = expect.stringMatching(`^ns1.invalid. hostmaster.example.org. ${zone.serial} `);
    const recordsets = await recordsetsOf('full.example.');
    expect(recordsets).toHaveLength(5);
    expect(recordsets).toEqual(
      expect.arrayContaining(
        [
          { name: 'full.example.', type: 'SOA', records: [soa], ttl: null },
          { name: 'full.example.', type: 'NS', records: ['ns1.invalid.'], ttl: null },
          { name: 'www.full.example.', type: 'A', records: ['192.0.2.2', '192.0.2.1'], ttl: 60 },
          { name: 'full.example.', type: 'MX', records: ['10 www.full.example.'], ttl: 3600 },
          { name: 'txt.full.example.', type: 'TXT', records: ['"v=spf1" "-all"'], ttl: null },
        ].map((one) => expect.objectContaining(one)),
      ),
    );
  });

  it.each([
    ['that lies behind', 7, (serial: number, now: number) => serial >= now],
    ['that lies ahead', 2_147_483_000, (serial: number) => serial === 2_147_483_001],
    ['that is half the circle away', 3_500_000_000, (serial: number, now: number) => serial >= now],
  ])('begins with a serial not before now nor before the serial of the file %s', async (_, serial, holds) => {
    const now = Math.floor(Date.now() / 1000);
    const name = `s${serial}.example.`;
    const file = zoneFile(name).replace(' 7 3600', ` ${serial} 3600`);
    expect((await importFile(service, member, file)).status).toBe(202);
    expect(holds((await zoneNamed(name)).serial, now)).toBe(true);
  });

  it('reads the mail address out of the SOA, escapes included', async () => {
    const file = zoneFile('mail.example.').replace('hostmaster.', 'John\\.Doe\\@x.');
    expect((await importFile(service, member, file)).json).toMatchObject({ code: 400 });
    expect((await importFile(service, member, file.replace('\\@x', ''))).status).toBe(202);
    expect(await zoneNamed('mail.example.')).toMatchObject({ email: 'john.doe@example.org' });
  });

  it('does not keep others waiting, however large it is', async () => {
    await setQuotas('shop', { zone_recordsets: -1, zone_records: -1 });
    const count = Math.min(50_000, runs(50_000, 8000));
    const lines = Array.from({ length: count }, (_, at) => `h${at} 60 A 192.0.2.1`);
    let done = false;
    const importing = importFile(service, member, zoneFile('large.example.', ...lines)).finally(() => {
      done = true;
    });
    let answered = 0;
    while (!done) {
      expect((await service.request('GET', '/v2/zones?limit=1', { token: member })).status).toBe(200);
      if (!done) answered += 1;
    }
    expect((await importing).status).toBe(202);
    expect(answered).toBeGreaterThan(10);
    const { usage, fullest_zone } = (
      await service.request('GET', '/v2/quotas/shop/usage', { token: service.admin })
    ).json;
    expect(usage.recordsets).toBeGreaterThanOrEqual(count);
    expect(fullest_zone).toMatchObject({ name: 'large.example.', recordsets: count, records: count });
    await setQuotas('shop', { zone_recordsets: 500, zone_records: 500 });
  });
});

describe('a zone file of another program', () => {
  it('may have an SOA without names, and gives the zone the mailbox of RFC 2142', async () => {
    const file = 'nameless.example. 60 SOA . . 1 2 3 4 5\nnameless.example. 60 NS a.example.\n';
    expect((await importFile(service, member, file)).status).toBe(202);
    expect((await zoneNamed('nameless.example.')).email).toBe('hostmaster@nameless.example');
  });

  it('may have comments in Latin-1, but no records', async () => {
    const latin1 = (...lines: string[]) => Buffer.from(zoneFile('latin.example.', ...lines), 'latin1');
    const refused = await refusalOf(
      latin1('a 60 A 192.0.2.1 ; f\u00fcr', 'b 60 TXT "f\u00fcr"'),
      'latin.example.',
    );
    expect(refused.json.message).toMatch(/^Line 5: The line is not UTF-8/);
    const taken = await importFile(service, member, latin1('; \u00fc\u00ff', 'a 60 A 192.0.2.1 ; f\u00fcr'));
    expect(taken.status, taken.text).toBe(202);
  });
});

describe('records that a signer makes', () => {
  const KEYS = ['@ 60 DNSKEY 257 3 13 AQID', '@ 60 CDS 0 0 0 00', '@ 60 CDNSKEY 0 3 0 AA=='];
  const SIGNED = [
    '@ 60 RRSIG SOA 13 2 60 20300101000000 20200101000000 1 @ AQID',
    '@ 60 NSEC a NS SOA RRSIG',
    '@ 60 NSEC3PARAM 1 0 0 -',
    'x 60 NSEC3 1 0 0 - 0123456789abcdefghij A',
    '@ 60 ZONEMD 1 1 1 ab',
  ];
  const typesOf = async (zone: string) =>
    (await recordsetsOf(zone)).map(({ type }: { type: string }) => type).sort();

  it('are skipped, with the keys at the apex of a signed zone, and the message names them', async () => {
    const lines = [...KEYS, '_dsboot.a._signal 60 CDS 0 0 0 00', ...SIGNED, 'b 60 TXT x'];
    const { json } = await importFile(service, member, zoneFile('signed.example.', ...lines));
    expect(json.message).toMatch(
      /^signed\.example\. imported; 8 records of DNSSEC signers were skipped: line 8 \(signed\.example\.\), .*line 11 \(x\.signed/,
    );
    expect(await typesOf('signed.example.')).toEqual(['CDS', 'NS', 'SOA', 'TXT']);
  });

  it('do not count in a quota', async () => {
    await setQuotas('signed-quota', { zone_recordsets: 1 });
    const token = await service.token('signed-quota', 'member');
    const file = zoneFile('counted.example.', ...KEYS, 'b 60 TXT x', ...SIGNED);
    expect((await importFile(service, token, file)).status).toBe(202);
    const unsigned = zoneFile('uncounted.example.', 'b 60 TXT x', ...KEYS);
    expect((await importFile(service, token, unsigned)).status).toBe(413);
  });

  it('are keys only if the file has an RRSIG', async () => {
    const { json } = await importFile(service, member, zoneFile('keys.example.', ...KEYS));
    expect(json.message).toBe('keys.example. imported');
    expect(await typesOf('keys.example.')).toEqual(['CDNSKEY', 'CDS', 'DNSKEY', 'NS', 'SOA']);
  });

  it('are refused with strict=true', async () => {
    const refused = await service.request('POST', '/v2/zones/tasks/imports?strict=true', {
      token: member,
      body: zoneFile('strict-signed.example.', ...SIGNED),
      headers: { 'content-type': 'text/dns' },
    });
    expect(refused.json).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(refused.json.errors.errors).toHaveLength(SIGNED.length);
  });
});

describe('records outside the zone', () => {
  const OUTSIDE = ['www.example.net. 60 A 192.0.2.1', '  60 A 192.0.2.2', 'notskip.example. 60 TXT x'];
  const importStrictly = (file: string, strict: string) =>
    service.request('POST', `/v2/zones/tasks/imports?strict=${strict}`, {
      token: member,
      body: file,
      headers: { 'content-type': 'text/dns' },
    });

  it('are skipped, and the message of the import names them', async () => {
    const lines = ['a 60 A 192.0.2.1', ...OUTSIDE, 'b 60 TXT x'];
    const answer = await importFile(service, member, zoneFile('skip.example.', ...lines));
    expect(answer.json.message).toBe(
      'skip.example. imported; 3 records outside the zone were skipped: ' +
        'line 5 (www.example.net.), line 6 (www.example.net.), line 7 (notskip.example.)',
    );
    const names = (await recordsetsOf('skip.example.')).map(({ name }: { name: string }) => name);
    expect(names.slice(2)).toEqual(['a.skip.example.', 'b.skip.example.']);
    const stored = await service.request('GET', `/v2/zones/tasks/imports/${answer.json.id}`, {
      token: member,
    });
    expect(stored.json.message).toBe(answer.json.message);
  });

  it('are skipped before the SOA too', async () => {
    const soa = 'early.example. 60 SOA a.example. b.example. 1 2 3 4 5';
    const before = [...OUTSIDE.slice(0, 2), 'x.early.example. 60 A 192.0.2.9', ...OUTSIDE.slice(2)];
    const answer = await importFile(service, member, [...before, soa, ''].join('\n'));
    expect(answer.json.message).toBe(
      'early.example. imported; 3 records outside the zone were skipped: ' +
        'line 1 (www.example.net.), line 4 (notskip.example.), and 1 more; ' +
        'SOA timers adjusted: refresh from 2 to 300, retry from 3 to 60, expire from 4 to 360',
    );
    expect(await recordsetsOf('early.example.')).toHaveLength(3);
  });

  it('are named up to the first ten, and one is called one', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `h${at}.example.net. 60 A 192.0.2.1`);
    const { json } = await importFile(service, member, zoneFile('many.example.', ...many));
    expect(json.message).toMatch(/; 12 records .*line 13 \(h9\.example\.net\.\), and 2 more$/);
    const one = await importFile(service, member, zoneFile('one.example.', many[0]!));
    expect(one.json.message).toBe(
      'one.example. imported; 1 record outside the zone was skipped: line 4 (h0.example.net.)',
    );
    const none = await importFile(service, member, zoneFile('none.example.'));
    expect(none.json.message).toBe('none.example. imported');
  });

  it('are refused with strict=true', async () => {
    const file = zoneFile('strict.example.', ...OUTSIDE);
    const refused = await importStrictly(file, 'true');
    expect(refused.json).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(refused.json.errors.errors.map(({ path }: { path: unknown[] }) => path[1])).toEqual([4, 5, 6]);
    expect((await importStrictly(file, 'yes')).json).toMatchObject({ code: 400, type: 'bad_request' });
    expect((await importStrictly(file, 'false')).status).toBe(202);
  });
});

describe('an import that is refused', () => {
  it.each([
    ['syntax', 'www 60 A 192.0.2.300', 'invalid_object', 4],
    ['two CNAME records', 'www 60 CNAME a\nwww 60 CNAME b', 'invalid_object', 4],
    ['a CNAME beside other data', 'www 60 A 192.0.2.1\nwww 60 CNAME b', 'invalid_recordset_location', 4],
    ['a CNAME at the apex', '@ 60 CNAME b.example.', 'invalid_recordset_location', 4],
    [
      'data below a delegation',
      'sub 60 NS a.example.\n\nx.sub 60 A 192.0.2.1',
      'invalid_recordset_location',
      6,
    ],
    [
      'data above which a delegation follows',
      'x.sub 60 TXT a\nsub 60 NS b.example.',
      'invalid_recordset_location',
      4,
    ],
    ['data below a DNAME', 'x.d 60 TXT a\nd 60 DNAME b.example.', 'invalid_recordset_location', 4],
  ])('names the line: %s', async (_, lines, type, line) => {
    const answer = await refusalOf(zoneFile('refused.example.', lines), 'refused.example.');
    expect(answer.json).toMatchObject({ code: 400, type });
    expect(answer.json.message).toMatch(`Line ${line}: `);
    expect(answer.json.errors.errors[0].path).toEqual(['line', line]);
  });

  it('keeps glue, and says nothing against it', async () => {
    const lines = ['sub 60 NS ns.sub', 'ns.sub 60 A 192.0.2.1', `sub 60 DS 1 8 2 ${'00'.repeat(32)}`];
    expect((await importFile(service, member, zoneFile('glue.example.', ...lines))).status).toBe(202);
  });

  it('keeps sibling glue, and refuses an address that no delegation names (RFC 9471)', async () => {
    const lines = [
      'sub 60 NS ns.sub2',
      'ns.sub2 60 A 192.0.2.1',
      'sub2 60 NS ns.sub',
      'ns.sub 60 AAAA 2001:db8::1',
    ];
    expect((await importFile(service, member, zoneFile('sibling.example.', ...lines))).status).toBe(202);
    const more = zoneFile('stray.example.', ...lines, 'other.sub 60 A 192.0.2.2');
    const answer = await refusalOf(more, 'stray.example.');
    expect(answer.json.errors.errors).toHaveLength(1);
    expect(answer.json.message).toMatch('Line 8: ');
  });

  it('names every line that cannot be taken, and the first hundred of very many', async () => {
    const file = zoneFile(
      'faults.example.',
      'a 60 A 192.0.2.256',
      'b 60 TXT "open',
      'c 60 CNAME d',
      'c 60 A 192.0.2.1',
      'd 2147483647 A 192.0.2.1',
      'e 60 MX mail',
    );
    const { json } = await refusalOf(file, 'faults.example.');
    expect(json).toMatchObject({ code: 400, type: 'invalid_object' });
    const lines = json.message.split('\n');
    expect(lines.map((line: string) => line.split(':')[0])).toEqual([4, 5, 9].map((line) => `Line ${line}`));
    expect(json.errors.errors.map(({ path }: { path: unknown }) => path)).toEqual(
      [4, 5, 9].map((line) => ['line', line]),
    );
    const many = await refusalOf(zoneFile('faults.example.', ...Array(150).fill('x')), 'faults.example.');
    expect(many.json.errors.errors).toHaveLength(100);
    expect(many.json.message).toMatch(/^Line 4: .*\nAnd 50 more lines are invalid\.$/s);
    const hostile = await refusalOf(zoneFile('faults.example.', 'x\n'.repeat(200_000)), 'faults.example.');
    expect(hostile.json.message).toMatch(/\nAnd at least 9900 more lines are invalid\.$/);
  });

  it('names faults of lines beside those of the zone and of what stands together', async () => {
    const lines = ['a 60 A 192.0.2.256', 'c 60 CNAME d', 'c 60 A 192.0.2.1', '* 60 NS ns.elsewhere.example.'];
    const file = zoneFile('beside.example.', ...lines).replace('hostmaster.example.org.', 'org.');
    const { json } = await refusalOf(file, 'beside.example.');
    expect(json).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(json.errors.errors.map(({ path }: { path: unknown[] }) => path[1])).toEqual([2, 4, 5, 6, 7]);
    const together = await refusalOf(zoneFile('beside.example.', ...lines.slice(1, 3)), 'beside.example.');
    expect(together.json).toMatchObject({ code: 400, type: 'invalid_recordset_location' });
    expect(together.json.message).toMatch(/^Line 4: [^\n]+\nLine 5: [^\n]+$/);
  });

  it('holds names to the rule of zone names, and to the blacklists', async () => {
    const body = { pattern: '^evil\\.example\\.$' };
    await service.request('POST', '/v2/blacklists', { token: service.admin, body });
    expect((await refusalOf(zoneFile('evil.example.'), 'evil.example.')).json).toMatchObject({
      code: 400,
      type: 'invalid_zone_name',
      message: 'Blacklisted domain name',
    });
    const tld = await refusalOf(zoneFile('example.'), 'example.');
    expect(tld.json).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(tld.json.message).toMatch('Line 2: A zone name must have at least two labels');
  });

  it.each([
    ['zones', { zones: 0 }],
    ['zone_recordsets', { zone_recordsets: 1 }],
    ['zone_records', { zone_records: 2 }],
    ['recordset_records', { recordset_records: 1 }],
  ])('holds the quota %s', async (key, quota) => {
    const file = zoneFile('quota.example.', 'a 60 A 192.0.2.1', 'a 60 A 192.0.2.2', 'b 60 A 192.0.2.1');
    await setQuotas('shop', quota);
    const answer = await refusalOf(file, 'quota.example.');
    expect(answer.json).toMatchObject({ code: 413, type: 'over_quota' });
    expect(answer.json.message).toMatch(
      `Quota exceeded for ${key}: the limit is ${Object.values(quota)[0]}, `,
    );
    await setQuotas('shop', { zones: -1, zone_recordsets: 2, zone_records: 3, recordset_records: 2 });
    expect((await importFile(service, member, file.replaceAll('quota', key.replace('_', '')))).status).toBe(
      202,
    );
    await setQuotas('shop', { zone_recordsets: 500, zone_records: 500, recordset_records: 20 });
  });

  it('is read up to the first line that a quota refuses, and no further', async () => {
    await setQuotas('shop', { recordset_records: 1 });
    const lines = ['a 60 A 192.0.2.1', 'a 60 A 192.0.2.1', 'a 60 A 192.0.2.2', 'no record'];
    const { json } = await refusalOf(zoneFile('line.example.', ...lines), 'line.example.');
    expect(json).toMatchObject({ code: 413, type: 'over_quota' });
    expect(json.message).toMatch('Line 6: Quota exceeded for recordset_records: the limit is 1, ');
    expect(json.errors.errors[0].path).toEqual(['line', 6]);
    const before = await refusalOf(zoneFile('line.example.', 'no record', ...lines), 'line.example.');
    expect(before.json).toMatchObject({ code: 400, type: 'invalid_object' });
    await setQuotas('shop', { recordset_records: 20 });
  });

  it.each(['first', 'last'])('does not count what lies outside the zone, with the SOA %s', async (place) => {
    const name = `outside-${place}.example.`;
    await setQuotas('shop', { zone_recordsets: 1, zone_records: 2, recordset_records: 2 });
    const outside = ['1', '2', '3'].map((one) => `ns.elsewhere.example. 60 A 192.0.2.${one}`);
    const lines = [...outside, 'mx.elsewhere.example. 60 A 192.0.2.1', `a.${name} 60 A 192.0.2.1`];
    const file = (place === 'first' ? [zoneFile(name), ...lines] : [...lines, zoneFile(name)]).join('\n');
    expect((await importFile(service, member, file)).json).toMatchObject({ status: 'COMPLETE' });
    await setQuotas('shop', { zone_recordsets: 500, zone_records: 500, recordset_records: 20 });
  });

  it('is refused by the blacklist first, and by a quota although its SOA comes last', async () => {
    const body = { pattern: '^listed\\.example\\.$' };
    await service.request('POST', '/v2/blacklists', { token: service.admin, body });
    await setQuotas('shop', { zone_records: 1 });
    const lines = (name: string) => [`a.${name} 60 A 192.0.2.1`, `b.${name} 60 A 192.0.2.1`];
    const listed = zoneFile('listed.example.', ...lines('listed.example.'));
    expect((await refusalOf(listed, 'listed.example.')).json.message).toBe('Blacklisted domain name');
    const last = [...lines('last.example.'), zoneFile('last.example.')].join('\n');
    const { json } = await refusalOf(last, 'last.example.');
    expect(json).toMatchObject({ code: 413, type: 'over_quota' });
    expect(json.message).toMatch('Line 2: Quota exceeded for zone_records: the limit is 1, ');
    await setQuotas('shop', { zone_records: 500 });
  });

  it.each(['first', 'last'])('does not count the NS at the apex, with the SOA %s', async (place) => {
    const name = `apex-${place}.example.`;
    await setQuotas('shop', { zone_recordsets: 1, zone_records: 2, recordset_records: 2 });
    const servers = ['1', '2', '3'].map((one) => `${name} 60 NS ns${one}.${name}`);
    const own = ['1', '2'].map((one) => `sub.${name} 60 NS ns${one}.elsewhere.example.`);
    const soa = zoneFile(name);
    const file = (place === 'first' ? [soa, ...servers, ...own] : [...servers, ...own, soa]).join('\n');
    expect((await importFile(service, member, file)).status).toBe(202);
    await setQuotas('shop', { zone_recordsets: 500, zone_records: 500, recordset_records: 20 });
  });

  it('answers 409 for a zone that exists, 403 below or above a zone of others, 400 for data of a child zone', async () => {
    const create = (name: string, token: string) =>
      service.request('POST', '/v2/zones', { token, body: { name, email: 'a@b.example' } });
    await create('taken.example.', member);
    await create('sub.theirs.example.', other);
    await create('child.ours.example.', member);
    expect((await importFile(service, member, zoneFile('taken.example.'))).json).toMatchObject({ code: 409 });
    const above = await refusalOf(zoneFile('theirs.example.'), 'theirs.example.');
    expect(above.json).toMatchObject({ code: 403, type: 'illegal_parent' });
    const below = await refusalOf(zoneFile('a.sub.theirs.example.'), 'a.sub.theirs.example.');
    expect(below.json).toMatchObject({ code: 403, type: 'illegal_child' });
    const inside = await refusalOf(zoneFile('ours.example.', '', 'x.child 60 TXT a'), 'ours.example.');
    expect(inside.json).toMatchObject({ code: 400, type: 'invalid_recordset_location' });
    expect(inside.json.message).toMatch('Line 5: The name belongs to the zone "child.ours.example."');
    const delegated = zoneFile('ours.example.', 'child 60 NS ns.child', 'ns.child 60 A 192.0.2.1');
    expect((await importFile(service, member, delegated)).status).toBe(202);
  });

  it('takes text/dns in UTF-8, up to its own limit of size, and no other text', async () => {
    for (const type of ['application/xml', 'text/plain', 'text/dns; charset=latin1']) {
      const answer = await refusalOf(zoneFile('t.example.'), 't.example.', { 'content-type': type });
      expect(answer.json).toMatchObject({ code: 415, type: 'unsupported_content_type' });
    }
    const bytes = Buffer.from(zoneFile('t.example.', 'a 60 TXT "\u00fc"'), 'latin1');
    expect((await refusalOf(bytes, 't.example.')).json).toMatchObject({ code: 400, type: 'invalid_object' });
    expect((await refusalOf('', 't.example.')).json).toMatchObject({ code: 400, type: 'empty_request_body' });
    const large = zoneFile('t.example.', `; ${'x'.repeat(4_000_000)}`);
    expect((await refusalOf(large, 't.example.')).json).toMatchObject({
      code: 413,
      type: 'request_too_large',
    });
    const charset = { 'content-type': 'Text/DNS; charset=utf-8' };
    expect((await importFile(service, member, zoneFile('t.example.'), charset)).status).toBe(202);
  });
});

describe('the records of imports', () => {
  it('are listed, shown and deleted by those of the project alone, and by administrators who ask for it', async () => {
    const keeper = await service.token('keeper', 'member');
    const reader = await service.token('keeper', 'reader');
    const { json: first } = await importFile(service, keeper, zoneFile('kept1.example.'));
    const { json: second } = await importFile(service, keeper, zoneFile('kept2.example.'));
    const path = new URL(first.links.self).pathname;
    const list = await service.request('GET', '/v2/zones/tasks/imports', { token: reader });
    expect(list.json.imports).toEqual([first, second]);
    const page = await service.request('GET', '/v2/zones/tasks/imports?limit=1', { token: reader });
    expect(page.json.links.next).toMatch(`limit=1&marker=${first.id}`);
    const filtered = `/v2/zones/tasks/imports?zone_id=${second.zone_id}&status=COMPLETE`;
    expect((await service.request('GET', filtered, { token: reader })).json.imports).toEqual([second]);
    expect((await service.request('GET', path, { token: reader })).json).toEqual(first);
    expect((await service.request('GET', path, { token: member })).json).toMatchObject({
      code: 404,
      type: 'zone_import_not_found',
    });
    const everywhere = { token: service.admin, headers: { 'x-auth-all-projects': 'true' } };
    expect((await service.request('GET', path, everywhere)).status).toBe(200);
    expect((await service.request('DELETE', path, { token: reader })).status).toBe(401);
    expect((await service.request('DELETE', path, { token: member })).status).toBe(404);
    expect((await service.request('DELETE', path, { token: keeper })).status).toBe(204);
    expect((await service.request('GET', path, { token: keeper })).status).toBe(404);
    expect(await zoneNamed('kept1.example.', keeper)).toMatchObject({ status: 'ACTIVE' });
  });

  it('refuses a reader who would import', async () => {
    const reader = await service.token('shop', 'reader');
    expect((await importFile(service, reader, zoneFile('reader.example.'))).status).toBe(401);
  });
});
