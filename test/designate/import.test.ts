/** `import-designate` from Debian's Designate, with the records of every type that it knows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RealDesignate, startDesignate } from '../support/designate/real.ts';
import { runHere } from '../support/run-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';

const ZONES = 200;
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.2', '192.0.2.1'],
  AAAA: ['2001:DB8::1'],
  CAA: ['0 issue ca.example.net'],
  CERT: ['PKIX 1 RSASHA256 KR1L0GbocaIOOim1+qdHtOSrDcOsGiI2NCcxuX2/Tqc='],
  MX: ['10 Mail.example.net.'],
  PTR: ['host.example.com.'],
  SPF: ['"v=spf1 -all"'],
  SSHFP: ['1 2 9F2C7DE4B1A80536E9D4F07A6B3C218875CD10EF94AB62735E0D8C1F47B69A32'],
  TXT: ['"one word"', 'unquoted'],
};

let service: TestService;
let designate: RealDesignate;
beforeAll(async () => {
  service = await startTestService();
  designate = await startDesignate(ZONES);
});
afterAll(async () => {
  await designate.stop();
  await service.remove();
});

const importAll = (...flags: string[]) =>
  runHere(
    ['import-designate', '--from', designate.url, '--token', 'any', ...flags],
    storeOptions(service.dataDir),
  );
const get = async (path: string) =>
  (await service.request('GET', path, { token: service.admin, headers: { 'x-auth-all-projects': 'true' } }))
    .json;

/** Everything of a zone that clients see, apart from what each service makes itself. */
async function contents(
  ask: (path: string) => Promise<{ recordsets: Record<string, unknown>[] }>,
  zone: string,
) {
  const { recordsets } = await ask(`/v2/zones/${zone}/recordsets?limit=1000`);
  return recordsets
    .filter(({ type }) => type !== 'SOA' && type !== 'NS')
    .map(({ links: _, status: __, action: ___, records, ...rest }) => ({
      ...rest,
      records: (records as string[]).toSorted(),
    }))
    .sort((one, other) => ((one as { id?: string }).id! < (other as { id?: string }).id! ? -1 : 1));
}

it('takes over everything from it, compares equal, and takes what comes later', async () => {
  const { request } = designate;
  const zone = await request(
    'POST',
    '/v2/zones',
    { name: 'Example.COM.', email: 'a@example.org', ttl: 300 },
    'two',
  );
  for (const [type, records] of Object.entries(RECORDS)) {
    const name = `${type.toLowerCase()}.Example.COM.`;
    await request(
      'POST',
      `/v2/zones/${zone.id}/recordsets`,
      { name, type, records, description: type },
      'two',
    );
  }
  const srv = {
    name: '_sip._tcp.Example.COM.',
    type: 'SRV',
    records: ['0 5 5060 sip.example.com.'],
    ttl: 60,
  };
  await request('POST', `/v2/zones/${zone.id}/recordsets`, srv, 'two');
  const alias = { name: '*.Example.COM.', type: 'CNAME', records: ['a.example.com.'] };
  await request('POST', `/v2/zones/${zone.id}/recordsets`, alias, 'two');
  await request('PATCH', '/v2/quotas/two', { zones: 7 });
  const key = { algorithm: 'hmac-sha512', secret: 'c2VjcmV0', scope: 'POOL', resource_id: POOL };
  const tsigkey = await request('POST', '/v2/tsigkeys', { name: 'key', ...key });
  const offer = await request(
    'POST',
    `/v2/zones/${zone.id}/tasks/transfer_requests`,
    { description: 'take it' },
    'two',
  );
  await request('POST', '/v2/tlds', { name: 'com' });
  await request('POST', '/v2/tlds', { name: 'org' });
  await request('POST', '/v2/blacklists', { pattern: '^([a-z]+\\.)*example\\.com\\.$' });

  const first = await importAll();
  expect(first).toMatchObject({ status: 0, err: '' });
  expect(first.out).toContain(`imported zone: ${ZONES + 1} added\n`);
  expect(first.out).toContain(`compared zone: ${ZONES + 1} present\n`);
  const { status: _, action: __, links: ___, ...there } = await request('GET', `/v2/zones/${zone.id}`);
  expect(await get(`/v2/zones/${zone.id}`)).toMatchObject({ ...there, name: 'example.com.' });
  const fold = (text: string) => JSON.parse(text.replaceAll('Example.COM.', 'example.com.'));
  const expected = fold(JSON.stringify(await contents((path) => request('GET', path), zone.id)));
  expect(await contents(get, zone.id)).toMatchObject(expected);
  expect(await get(`/v2/tsigkeys/${tsigkey.id}`)).toMatchObject({ id: tsigkey.id, name: 'key', ...key });
  expect(await get(`/v2/zones/tasks/transfer_requests/${offer.id}`)).toMatchObject({ key: offer.key });
  expect((await get('/v2/quotas/two')).zones).toBe(7);
  expect((await get(`/v2/pools/${POOL}`)).ns_records.length).toBe(2);

  await request('PATCH', `/v2/zones/${zone.id}`, { email: 'b@example.org' }, 'two');
  await request('POST', '/v2/zones', { name: 'later.org.', email: 'a@example.org' });
  const second = await importAll('--update');
  expect(second).toMatchObject({ status: 0, err: '' });
  expect(second.out).toContain(`imported zone: ${ZONES} present, 1 updated, 1 added\n`);
  expect((await runHere(['verify'], storeOptions(service.dataDir))).status).toBe(0);
});
