import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { exportFile, importFile, unmanaged, zoneFile } from '../../support/zone-files.ts';

let service: TestService;
let member: string;
let zoneId: string;
beforeAll(async () => {
  service = await startTestService();
  member = await service.token('shop', 'member');
  const file = zoneFile(
    'shop.example.',
    'b 60 TXT "x\\"y"',
    'a 3600 A 192.0.2.2',
    'a A 192.0.2.1',
    '*.a TXT z',
  );
  zoneId = (await importFile(service, member, file)).json.zone_id;
});
afterAll(() => service.remove());

function get(path: string, token = member, headers = {}) {
  return service.request('GET', path, { token, headers });
}

it('answers 202 with the record of the export, and the file as text/dns in a stable order', async () => {
  const { serial } = (await get(`/v2/zones/${zoneId}`)).json;
  const begun = await service.request('POST', `/v2/zones/${zoneId}/tasks/export`, { token: member });
  expect(begun.status).toBe(202);
  const self = `${service.url}/v2/zones/tasks/exports/${begun.json.id}`;
  expect(begun.json).toEqual({
    id: begun.json.id,
    status: 'PENDING',
    message: null,
    zone_id: zoneId,
    project_id: 'shop',
    location: null,
    version: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{15}$/),
    updated_at: null,
    links: { self },
  });
  expect((await get(new URL(self).pathname)).json).toEqual({
    ...begun.json,
    status: 'COMPLETE',
    location: `designate://v2/zones/tasks/exports/${begun.json.id}/export`,
    links: { self, export: `${self}/export` },
  });
  const file = await get(`${new URL(self).pathname}/export`, member, { accept: 'text/dns' });
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('text/dns');
  const soa = new RegExp(`^shop.example.  IN SOA ns1.invalid. hostmaster.example.org. ${serial} `);
  expect(file.text.split('\n')).toEqual([
    '$ORIGIN shop.example.',
    '$TTL 3600',
    expect.stringMatching(soa),
    'shop.example.  IN NS ns1.invalid.',
    'a.shop.example. 3600 IN A 192.0.2.2',
    'a.shop.example. 3600 IN A 192.0.2.1',
    '*.a.shop.example.  IN TXT "z"',
    'b.shop.example. 60 IN TXT "x\\"y"',
    '',
  ]);
});

it('serves the file to whoever accepts text/dns or JSON, and nobody else', async () => {
  const { json } = await service.request('POST', `/v2/zones/${zoneId}/tasks/export`, { token: member });
  const path = `${new URL(json.links.self).pathname}/export`;
  for (const accept of ['text/dns', 'text/*', '*/*', 'application/json', 'text/html, text/dns;q=0.1']) {
    expect((await get(path, member, { accept })).status).toBe(200);
  }
  expect((await get(path, member, { accept: 'text/html' })).json).toMatchObject({ code: 406 });
  expect((await get(`/v2/zones/${zoneId}`, member, { accept: 'text/dns' })).json).toMatchObject({
    code: 406,
  });
});

it('holds the quota api_export_size, the SOA and the NS included', async () => {
  const set = (size: number) =>
    service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body: { api_export_size: size } });
  await set(5);
  expect((await exportFile(service, member, zoneId)).status).toBe(200);
  await set(4);
  const refused = await exportFile(service, member, zoneId);
  expect(refused.json).toMatchObject({ code: 413, type: 'over_quota' });
  expect(refused.json.message).toMatch('Quota exceeded for api_export_size: the limit is 4, ');
  const { serial } = (await get(`/v2/zones/${zoneId}`, member)).json;
  const past = await get(`/v2/zones/${zoneId}/contents?serial=${serial}`, member);
  expect(past.json).toMatchObject({ code: 413, type: 'over_quota' });
  await set(-1);
});

it('shows one state of the zone while it is being changed', async () => {
  const body = { zone_recordsets: -1, zone_records: -1, api_export_size: -1 };
  await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body });
  const file = zoneFile('busy.example.', ...Array.from({ length: 1400 }, (_, at) => `h${at} 60 TXT a`));
  const { zone_id } = (await importFile(service, member, file)).json;
  const path = `/v2/zones/${zone_id}/recordsets`;
  const write = async (at: number) => {
    const body = (name: string) => ({ name: `${name}${at}.busy.example.`, type: 'TXT', records: ['a'] });
    // The first of a pair is always there when the second is.
    await service.request('POST', path, { token: member, body: body('z') });
    await service.request('POST', path, { token: member, body: body('a') });
  };
  const writing = (async () => {
    for (let at = 0; at < 15; at++) await write(at);
  })();
  const files = await Promise.all(Array.from({ length: 15 }, () => exportFile(service, member, zone_id)));
  await writing;
  for (const { text } of files) {
    const count = (prefix: string) => text.split('\n').filter((line) => line.startsWith(prefix)).length;
    expect(count('z') - count('a')).toBeGreaterThanOrEqual(0);
    expect(count('z') - count('a')).toBeLessThanOrEqual(1);
  }
});

it('keeps the records of exports for the project alone, and follows the zone no further than the caller may', async () => {
  const other = await service.token('other', 'member');
  const { json } = await service.request('POST', `/v2/zones/${zoneId}/tasks/export`, { token: member });
  const path = new URL(json.links.self).pathname;
  const stored = (await get(path, member)).json;
  expect(stored).toMatchObject({ id: json.id, status: 'COMPLETE' });
  expect((await get('/v2/zones/tasks/exports', member)).json.exports).toContainEqual(stored);
  expect((await get('/v2/zones/tasks/exports', other)).json.exports).toEqual([]);
  for (const hidden of [path, `${path}/export`]) {
    expect((await get(hidden, other)).json).toMatchObject({ code: 404, type: 'zone_export_not_found' });
  }
  expect(
    (await service.request('POST', `/v2/zones/${zoneId}/tasks/export`, { token: other })).json,
  ).toMatchObject({
    code: 404,
    type: 'zone_not_found',
  });
  expect((await service.request('DELETE', path, { token: member })).status).toBe(204);
  expect((await get(path, member)).status).toBe(404);
});

it('answers 404 for the file of a zone that is gone', async () => {
  const { zone_id } = (await importFile(service, member, zoneFile('gone.example.'))).json;
  const { json } = await service.request('POST', `/v2/zones/${zone_id}/tasks/export`, { token: member });
  await service.request('DELETE', `/v2/zones/${zone_id}`, { token: member });
  expect((await get(`${new URL(json.links.self).pathname}/export`)).json).toMatchObject({
    code: 404,
    type: 'zone_not_found',
  });
});

it('exports zones whose mail address is out of the ordinary', async () => {
  for (const [at, email] of [
    'Über.Uns@bücher.example',
    `${'x'.repeat(64)}@a.example`,
    'a;b"\\(c)@d',
  ].entries()) {
    const name = `mail${at}.example.`;
    const { json } = await service.request('POST', '/v2/zones', { token: member, body: { name, email } });
    const { status, text } = await exportFile(service, member, json.id);
    expect(status).toBe(200);
    await service.request('DELETE', `/v2/zones/${json.id}`, { token: member });
    const again = await importFile(service, member, text);
    expect(again.status).toBe(202);
    const second = await exportFile(service, member, again.json.zone_id);
    expect(unmanaged(second.text)).toEqual(unmanaged(text));
    const rname = (file: string) => file.split('\n')[1]?.split(' ')[5];
    expect(rname(second.text)).toBe(rname(text));
  }
});
