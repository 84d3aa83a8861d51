import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { account, type Desk, follow, newDesk, resolved, shown } from '../../support/clients/page.ts';
import { requireOpenstack } from '../../support/openstack/command.ts';

let desk: Desk;
beforeAll(async () => {
  await requireOpenstack();
  desk = newDesk();
});
afterAll(() => desk?.remove());

it.each(['With a password', 'With a token', 'With an application credential'])(
  'finds the service in the catalogue of Keystone: %s',
  async (section) => {
    expect(await follow(desk, 'openstack', section)).toBe(shown('openstack', section));
  },
);

it('publishes what it writes', async () => {
  expect(await resolved('www.shop.example.org.', 'A')).toEqual(['192.0.2.80']);
});

it('needs no Keystone with a token of the service', async () => {
  const own = { 'https://dns.example.com': inject('cloud').dns };
  expect(await follow(desk, 'openstack', 'Without Keystone', own, '')).toBe(
    shown('openstack', 'Without Keystone'),
  );
});

it('is told by a credential with access rules that a request is outside of them', async () => {
  const rules = JSON.stringify([{ service: 'dns', method: 'GET', path: '/v2/zones' }]);
  const create = `openstack application credential create bound --secret hush --role member -f value -c id`;
  const { out } = await desk.sh(`${account()}\n${create} --access-rules '${rules}'`);
  const as = `openstack --os-auth-type v3applicationcredential --os-auth-url ${inject('cloud').keystone}/v3`;
  const bound = `${as} --os-region-name RegionOne --os-application-credential-id ${out.trim()} --os-application-credential-secret hush`;
  expect(await desk.sh(`${bound} zone list`)).toMatchObject({ status: 0 });
  const refused = await desk.sh(`${bound} zone create --email a@example.org bound.example.org.`);
  expect([refused.status, refused.err]).toEqual([1, 'Access Denied\n']);
});
