import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

const SIZE = 20_000;

let service: TestService;
let owner: Tenant;
let receiver: Tenant;
let zoneId: string;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
  });
  owner = await tenantOf(service, 'owner');
  receiver = await tenantOf(service, 'receiver');
  const lines = Array.from({ length: SIZE }, (_, at) => `h${at} 60 A 192.0.2.1`);
  const token = await service.token('owner', 'member');
  const { json } = await importFile(
    service,
    token,
    zoneFile('large.example.', ...lines, 'h7 60 A 192.0.2.2'),
  );
  zoneId = json.zone_id;
});
afterAll(() => service.remove());

/** How often others were answered while something large went on. */
async function answeredDuring(work: Promise<Answer>, status: number): Promise<number> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  let answered = 0;
  while (!done) {
    expect((await service.request('GET', '/')).status).toBe(200);
    if (!done) answered += 1;
  }
  expect((await ended).status).toBe(status);
  return answered;
}

const usageOf = async (project: string) =>
  (await service.request('GET', `/v2/quotas/${project}/usage`, { token: service.admin })).json.usage;

it('asks every recordset of a large zone for the quota recordset_records', async () => {
  const { json } = await owner.ask('POST', `/v2/zones/${zoneId}/tasks/transfer_requests`, {});
  const accept = { zone_transfer_request_id: json.id, key: json.key };
  const body = { recordset_records: 1 };
  await service.request('PATCH', '/v2/quotas/receiver', { token: service.admin, body });
  const refused = await receiver.ask('POST', '/v2/zones/tasks/transfer_accepts', accept);
  expect(refused.json).toMatchObject({ code: 413, type: 'over_quota' });
  expect(refused.json.message).toMatch('Quota exceeded for recordset_records: the limit is 1, ');
  await service.request('DELETE', '/v2/quotas/receiver', { token: service.admin });
  await owner.ask('DELETE', `/v2/zones/tasks/transfer_requests/${json.id}`);
});

it('answers others while a large zone goes to another project, whole', async () => {
  const { json } = await owner.ask('POST', `/v2/zones/${zoneId}/tasks/transfer_requests`, {});
  const accept = { zone_transfer_request_id: json.id, key: json.key };
  const transferring = receiver.ask('POST', '/v2/zones/tasks/transfer_accepts', accept);
  expect(await answeredDuring(transferring, 201)).toBeGreaterThan(5);
  expect(await usageOf('owner')).toMatchObject({ zones: 0, recordsets: 0 });
  expect(await usageOf('receiver')).toMatchObject({ zones: 1, recordsets: SIZE });
  const { metadata } = (await receiver.ask('GET', '/v2/recordsets?name=*&limit=1')).json;
  expect(metadata).toEqual({ total_count: SIZE + 2 });
});

it('answers others while a large zone is deleted, whole', async () => {
  const deleting = receiver.ask('DELETE', `/v2/zones/${zoneId}`);
  expect(await answeredDuring(deleting, 202)).toBeGreaterThan(5);
  expect(await usageOf('receiver')).toMatchObject({ zones: 0, recordsets: 0 });
  const everywhere = { token: service.admin, headers: { 'x-auth-all-projects': 'true' } };
  const { metadata } = (await service.request('GET', '/v2/recordsets?name=*', everywhere)).json;
  expect(metadata).toEqual({ total_count: 0 });
});

it('answers others while a large zone is restored, whole', async () => {
  const restoring = receiver.ask('POST', `/v2/deleted_zones/${zoneId}/restore`);
  expect(await answeredDuring(restoring, 202)).toBeGreaterThan(5);
  expect(await usageOf('receiver')).toMatchObject({ zones: 1, recordsets: SIZE });
  const { metadata } = (await receiver.ask('GET', '/v2/recordsets?name=*&limit=1')).json;
  expect(metadata).toEqual({ total_count: SIZE + 2 });
});
