/** Lists by an exact name, which are looked up: the same as a search that finds it among others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

/** Types without a form of their own, so that one name can have any number of recordsets. */
const typeOf = (number: number): string => `TYPE${65_300 + number}`;
const SORT_KEYS = [
  'created_at',
  'id',
  'updated_at',
  'zone_id',
  'tenant_id',
  'name',
  'type',
  'ttl',
  'records',
];

let service: TestService;
let owner: Tenant;
let guest: Tenant;
let stranger: Tenant;
let zone: TestZone;
beforeAll(async () => {
  service = await startTestService();
  owner = await tenantOf(service, 'owner');
  guest = await tenantOf(service, 'guest');
  stranger = await tenantOf(service, 'stranger');
  zone = await owner.makeZone('exact.example.');
  await owner.makeZone('other-exact.example.');
  await owner.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest' });
});
afterAll(() => service.remove());

async function fill(name: string, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const draft = { name, type: typeOf(number), records: [`\\# 1 ${number.toString(16).padStart(2, '0')}`] };
    expect((await owner.create(zone, draft)).status).toBe(202);
  }
}

/** The entries of a list, page by page, and the total of each page. */
async function pages(
  tenant: Tenant,
  path: string,
  key: string,
): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = [];
  const totals: number[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, json } = await tenant.ask('GET', next.replace(/^https?:\/\/[^/]+/, ''));
    expect(status).toBe(200);
    ids.push(...json[key].map(({ id }: { id: string }) => id));
    totals.push(json.metadata.total_count);
    next = json.links.next;
  }
  return { ids, totals };
}

describe('a zone by its exact name', () => {
  const asked = async (tenant: Tenant, headers = {}) => {
    const { json } = await tenant.ask('GET', `/v2/zones?name=${zone.name}`, undefined, headers);
    return [json.zones.map(({ name }: TestZone) => name), json.metadata.total_count];
  };

  it('is found by its owner, and by a project that it is shared with, but by no other', async () => {
    expect(await asked(owner)).toEqual([[zone.name], 1]);
    expect(await asked(guest)).toEqual([[zone.name], 1]);
    expect(await asked(stranger)).toEqual([[], 0]);
  });

  it('is found among all projects by an administrator', async () => {
    const admin = await tenantOf(service, 'administrators', 'admin');
    expect(await asked(admin)).toEqual([[], 0]);
    expect(await asked(admin, { 'x-auth-all-projects': 'true' })).toEqual([[zone.name], 1]);
  });

  it('is what `GET` of its id returns', async () => {
    const { json } = await owner.ask('GET', `/v2/zones?name=${zone.name}`);
    expect(json.zones).toEqual([(await owner.ask('GET', `/v2/zones/${zone.id}`)).json]);
  });

  it('must match the other filters, too', async () => {
    const { json } = await owner.ask('GET', `/v2/zones?name=${zone.name}&type=SECONDARY`);
    expect(json.zones).toEqual([]);
  });
});

describe.each([
  { name: 'few.exact.example.', count: 7 },
  { name: 'many.exact.example.', count: 25 },
])('$count recordsets of one exact name', ({ name, count }) => {
  beforeAll(() => fill(name, count));
  const paths = () => [`/v2/zones/${zone.id}/recordsets`, '/v2/recordsets'];

  it('are sorted and paged like those of a search that finds them alone', async () => {
    for (const path of paths()) {
      for (const key of casesOf(SORT_KEYS, 2, count)) {
        for (const dir of ['asc', 'desc']) {
          const order = `sort_key=${key}&sort_dir=${dir}`;
          const found = await pages(owner, `${path}?name=${name}&${order}`, 'recordsets');
          const searched = await pages(owner, `${path}?name=*${name.slice(1)}&${order}`, 'recordsets');
          expect([key, dir, found.ids]).toEqual([key, dir, searched.ids]);
          expect(found.ids).toHaveLength(count);
          const paged = await pages(owner, `${path}?name=${name}&${order}&limit=3`, 'recordsets');
          expect([key, dir, paged.ids]).toEqual([key, dir, searched.ids]);
          expect(new Set(paged.totals)).toEqual(new Set([count]));
        }
      }
    }
  });

  it('are one of each type', async () => {
    for (const path of paths()) {
      const { json } = await owner.ask('GET', `${path}?name=${name}&type=${typeOf(3)}`);
      expect(json.recordsets).toEqual([expect.objectContaining({ name, type: typeOf(3) })]);
      expect(json.metadata.total_count).toBe(1);
    }
  });

  it('belong to their owner alone', async () => {
    expect((await pages(stranger, `/v2/recordsets?name=${name}`, 'recordsets')).ids).toEqual([]);
    const { status } = await stranger.ask('GET', `/v2/zones/${zone.id}/recordsets?name=${name}`);
    expect(status).toBe(404);
  });
});
