/** What a list that compares a lot costs others, and what becomes of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

/** Each comparison of one of the texts with the filter takes millions of steps, and there are 150. */
const TEXT = Array(250)
  .fill(`"${'a'.repeat(250)}"`)
  .join(' ');
/** Two zones of the size that a zone may have by default. */
const ZONE_SIZE = 16_777_216;
const RECORDSETS = 150;
const options = (readTimeout: string) => ({
  ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: `${ZONE_SIZE}`,
  ZONEWARDEN_STORAGE__READ_TIMEOUT: readTimeout,
});
const SLOW = `/v2/recordsets?limit=1&data=*${'a'.repeat(249)}b*`;

let service: TestService;
let hostile: Tenant;
let other: Tenant;
let zone: TestZone;
beforeAll(async () => {
  service = await startTestService(options('5'));
  hostile = await tenantOf(service, 'hostile');
  other = await tenantOf(service, 'other');
  zone = await hostile.makeZone();
  for (let number = 0; number < RECORDSETS; number++) {
    const name = `n${number}.${zone.name}`;
    const { status } = await hostile.create(zone, { name, type: 'TXT', records: [TEXT] });
    expect(status).toBe(202);
  }
});
afterAll(() => service.remove());

const restart = (seconds: string) => service.restart(options(seconds));
const summary = ({ status, json, headers }: Answer) => [
  status,
  json.type,
  json.message,
  headers.get('retry-after'),
];

it('a list that takes longer than read_timeout is refused with what to do, and the next ones are answered', async () => {
  await restart('0.5');
  for (let round = 0; round < 3; round++) {
    expect(summary(await hostile.ask('GET', SLOW))).toEqual([
      503,
      'service_unavailable',
      'The query took too long and was cancelled. Filter by an exact value, list one zone, use a smaller limit, or hide the counts.',
      null,
    ]);
    const { status, json } = await hostile.ask('GET', `/v2/recordsets?limit=1&name=n*.${zone.name}`);
    expect([status, json.recordsets.length, json.metadata.total_count]).toEqual([200, 1, RECORDSETS]);
  }
});

it('while a project has many slow lists, others read, filter, count and write', async () => {
  await restart('2');
  let ended = 0;
  const lists = Array.from({ length: 24 }, async () => {
    const { status } = await hostile.ask('GET', SLOW);
    ended += 1;
    return status;
  });
  const made = await other.makeZone();
  const record = { name: `www.${made.name}`, type: 'A', records: ['192.0.2.1'] };
  expect((await other.create(made, record)).status).toBe(202);
  expect(await other.list(`/v2/recordsets?data=192.*`)).toEqual([record.name]);
  expect((await other.ask('GET', '/v2/zones?name=zone-*')).json.metadata.total_count).toBe(1);
  expect((await service.request('GET', '/healthcheck')).status).toBe(200);
  expect(ended).toBeLessThan(lists.length);
  for (const status of await Promise.all(lists)) expect([200, 503]).toContain(status);
});

it('a project may have a hundred lists that take long, and the rest is refused at once', async () => {
  await restart('0.1');
  const answers = await Promise.all(Array.from({ length: 230 }, () => hostile.ask('GET', SLOW)));
  const refusal = [
    503,
    'service_unavailable',
    'Too many slow queries of the project are running. Retry when some have finished.',
    '1',
  ];
  expect(answers.map(summary)).toContainEqual(refusal);
  await until(async () => {
    expect((await hostile.ask('GET', '/v2/zones?name=zone-*')).status).toBe(200);
  });
});

it('a filtered list shows what has just been acknowledged', async () => {
  await restart('5');
  for (let round = 0; round < 20; round++) {
    const name = `w${round}.${zone.name}`;
    const { json: created } = await hostile.create(zone, { name, type: 'A', records: ['192.0.2.1'] });
    const { json } = await hostile.ask('GET', `/v2/zones/${zone.id}/recordsets?name=w${round}.*`);
    expect(json.recordsets.map(({ id }: { id: string }) => id)).toEqual([created.id]);
    await hostile.ask('DELETE', `/v2/zones/${zone.id}/recordsets/${created.id}`);
    const { json: after } = await hostile.ask('GET', `/v2/zones/${zone.id}/recordsets?name=w${round}.*`);
    expect(after.metadata.total_count).toBe(0);
  }
});
