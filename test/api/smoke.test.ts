import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

it('refuses a name that an administrator has blacklisted, and creates any other', async () => {
  const { request, admin } = service;
  const member = await service.token('tenant', 'member');
  const body = { pattern: '^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$' };
  expect((await request('POST', '/v2/blacklists', { token: admin, body })).status).toBe(201);
  const create = (name: string) =>
    request('POST', '/v2/zones', { token: member, body: { name, email: 'a@example.org' } });
  expect((await create('Sub.Example.COM.')).json).toMatchObject({
    code: 400,
    type: 'invalid_zone_name',
    message: 'Blacklisted domain name',
  });
  expect((await create('myexample.com.')).status).toBe(202);
});
