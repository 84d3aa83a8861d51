/** The name servers at the apex of zones follow the option and the pool, whatever is under way. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { eventually, until } from '../../support/eventually.ts';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const withOption = (text: string) => ({
  ZONEWARDEN_DEFAULT__NS_RECORDS: text,
  ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
});

let service: TestService;
let admin: string;
beforeEach(async () => {
  service = await startTestService(withOption('ns1.old.example.'));
  admin = await service.token('mine', 'admin');
});
afterEach(() => service.remove());

const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token: admin, ...(body === undefined ? {} : { body }) });
const create = (name: string, attributes = {}) =>
  ask('POST', '/v2/zones', { name, email: 'a@example.org', attributes });

/** The apex NS of every zone, and the primary name server in its SOA. */
async function apexes(): Promise<Map<string, string>> {
  const { recordsets } = (await ask('GET', '/v2/recordsets?limit=max&sort_dir=desc')).json;
  const found = new Map<string, string>();
  for (const { zone_name, type, records } of recordsets) {
    const own = type === 'NS' ? records.join() : records[0].split(' ')[0];
    found.set(`${zone_name} ${type}`, own);
  }
  return found;
}

it('those of the option come to the zones that exist when it is changed, and the serial takes a step', async () => {
  const zones = await Promise.all(['one.example.', 'two.example.'].map((name) => create(name)));
  const other = { name: 'other', ns_records: [{ hostname: 'ns1.other.example.', priority: 1 }] };
  const { id } = (await ask('POST', '/v2/pools', other)).json;
  await create('three.example.', { pool_id: id });
  await service.restart(withOption('ns1.new.example.'));
  await eventually(async () => {
    const found = await apexes();
    const isDone = ['one', 'two'].every((name) => found.get(`${name}.example. SOA`) === 'ns1.new.example.');
    return isDone || undefined;
  });
  const found = await apexes();
  expect(found.get('one.example. NS')).toBe('ns1.new.example.');
  expect(found.get('three.example. NS')).toBe('ns1.other.example.');
  for (const { json } of zones) {
    expect((await ask('GET', `/v2/zones/${json.id}`)).json.serial).toBeGreaterThan(json.serial);
  }
  // With the same option, nothing changes any more.
  const serials = async () => {
    const { zones } = (await ask('GET', '/v2/zones?name=*o*e.example.')).json;
    return zones.map(({ name, serial }: { name: string; serial: number }) => `${name} ${serial}`);
  };
  const before = await serials();
  await service.restart(withOption('ns1.new.example.'));
  await create('four.example.');
  expect((await apexes()).get('four.example. NS')).toBe('ns1.new.example.');
  expect(await serials()).toEqual(before);
});

it('those of the pool come to every zone, also to the ones that are created while they change', async () => {
  let made = 0;
  let isOver = false;
  const clients = Array.from({ length: 4 }, async (_, number) => {
    for (let count = 0; !isOver; count++) {
      expect((await create(`z${number}-${count}.round${number % 3}.org.`)).status).toBe(202);
      made += 1;
    }
  });
  let last = '';
  for (let round = 0; round < runs(3); round++) {
    const before = made;
    await until(async () => expect(made).toBeGreaterThan(before + 4));
    last = `ns${round}.new.example.`;
    const ns_records = [{ hostname: last, priority: 1 }];
    expect((await ask('PATCH', `/v2/pools/${DEFAULT_POOL_ID}`, { ns_records })).status).toBe(202);
  }
  isOver = true;
  await Promise.all(clients);
  await eventually(async () => {
    const found = [...(await apexes()).values()];
    return found.every((one) => one === last) || undefined;
  });
});
