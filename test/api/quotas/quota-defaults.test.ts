import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';

const PATH = '/v2/quota_defaults';
const DEFAULTS = {
  zones: 7,
  zone_recordsets: 500,
  zone_records: -1,
  recordset_records: 20,
  api_export_size: 1000,
  max_zone_size: 123_456,
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '7',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
    ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: '123456',
  });
});
afterAll(() => service.remove());

it('shows the limits of projects that have none of their own, as they are configured', async () => {
  const { status, json } = await service.request('GET', PATH, { token: service.admin });
  expect(status).toBe(200);
  expect(json).toEqual(DEFAULTS);
});

it('is not the project of that name', async () => {
  const body = { zones: 99 };
  const changed = await service.request('PATCH', '/v2/quotas/defaults', { token: service.admin, body });
  expect(changed.json.zones).toBe(99);
  expect((await service.request('GET', PATH, { token: service.admin })).json).toEqual(DEFAULTS);
});

it('is for those who may see what all projects use', async () => {
  const token = await service.token('shop', 'member');
  expect((await service.request('GET', PATH, { token })).status).toBe(401);
  expect((await service.request('GET', PATH)).status).toBe(401);
});
