/** What a token for some zones sees of its project. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let shop: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  shop = await tenantOf(service, 'shop');
});
afterAll(() => service.remove());

async function narrower(...zones: string[]): Promise<Tenant['ask']> {
  const { json } = await shop.ask('POST', '/v2/tokens', { scope: { zones } });
  const token: string = json.token;
  return (method, path, body) => service.request(method, path, { token, body });
}

it('"**." of a name is the zone of that name, too, in lists and counts', async () => {
  const zone = await shop.makeZone('one.example.');
  await shop.makeZone('sub.one.example.');
  await shop.makeZone('none.example.');
  await shop.create(zone, { name: 'www.one.example.', type: 'A', records: ['192.0.2.1'] });
  const ask = await narrower('**.one.example.');
  const { json } = await ask('GET', '/v2/zones');
  expect(json.zones.map(({ name }: { name: string }) => name)).toEqual(['one.example.', 'sub.one.example.']);
  expect(json.metadata.total_count).toBe(2);
  const { json: found } = await ask('GET', '/v2/recordsets?name=www.one.example.');
  expect(found.recordsets).toHaveLength(1);
});

it('events name no records of zones that the token does not see', async () => {
  const zone = await shop.makeZone('k.example.');
  const secret = await shop.makeZone('secret.example.');
  const host = await shop.create(zone, { name: 'h.k.example.', type: 'A', records: ['192.0.2.1'] });
  await shop.create(secret, { name: 'alias.secret.example.', type: 'CNAME', records: ['h.k.example.'] });
  await shop.create(zone, { name: 'www.child.k.example.', type: 'A', records: ['192.0.2.1'] });
  await shop.ask('DELETE', `/v2/zones/${zone.id}/recordsets/${host.json.id}`);
  const child = await shop.makeZone('child.k.example.');
  const path = (id: string) => `/v2/events?target_id=${id}`;
  const isTold = async (id: string, text: string) =>
    (await shop.ask('GET', path(id))).text.includes(text) || undefined;
  await eventually(() => isTold(zone.id, 'alias.secret.example.'));
  await eventually(() => isTold(child.id, 'www.child.k.example.'));
  for (const [seen, id, others] of [
    ['k.example.', zone.id, 'alias.secret'],
    ['child.k.example.', child.id, 'www.child'],
  ] as const) {
    const ask = await narrower(seen);
    const events = await ask('GET', '/v2/events');
    expect(events.text).toContain(id);
    expect(events.text).not.toContain(others);
    for (const { id: event } of events.json.events)
      expect((await ask('GET', `/v2/events/${event}`)).text).not.toContain(others);
  }
});
