import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

const KEPT = 1000;

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

/** Rows of years past, put into a table behind the service's back. */
async function addOld(table: string, row: Readonly<Record<string, unknown>>, count: number): Promise<void> {
  const literal = (value: unknown) => (value === null ? 'null' : `'${value}'`);
  const columns = ['id', 'created_at', 'updated_at', ...Object.keys(row)].map((one) => `"${one}"`);
  const rest = Object.values(row).map(literal);
  const rows = Array.from({ length: count }, (_, at) => {
    const createdAt = `2001-01-01T00:00:00.${String(at).padStart(6, '0')}`;
    return `(${[literal(randomUUID()), literal(createdAt), "''", ...rest].join(', ')})`;
  });
  await inStoreOf(service.dataDir, `insert into ${table} (${columns.join(', ')}) values ${rows.join(', ')}`);
}

async function countOf(table: string, where: string): Promise<number> {
  const [row] = await inStoreOf(service.dataDir, `select count(*) as total from ${table} where ${where}`);
  return Number(row!.total);
}

const task = (kind: string, project: string) => ({
  kind,
  project_id: project,
  zone_id: randomUUID(),
  status: 'COMPLETE',
  message: null,
  version: 1,
});

it.each(['import', 'export'])(
  'keeps the newest records of one %s kind and project, and no others',
  async (kind) => {
    await addOld('zone_tasks', task(kind, 'tenant'), KEPT + 7);
    await addOld('zone_tasks', task(kind, 'other'), KEPT + 7);
    const token = await service.token('tenant', 'member');
    const { json } = await importFile(service, token, zoneFile(`${kind}.example.`));
    if (kind === 'export') await tenant.ask('POST', `/v2/zones/${json.zone_id}/tasks/export`);
    expect(await countOf('zone_tasks', `kind = '${kind}' and project_id = 'tenant'`)).toBe(KEPT);
    expect(await countOf('zone_tasks', `kind = '${kind}' and project_id = 'other'`)).toBe(KEPT + 7);
    const { json: newest } = await tenant.ask('GET', `/v2/zones/tasks/${kind}s?sort_dir=desc&limit=2`);
    expect(newest[`${kind}s`].map(({ zone_id }: { zone_id: string }) => zone_id)[0]).toBe(json.zone_id);
  },
);

it('keeps the newest transfer requests that are not open, and every one that is', async () => {
  const request = {
    zone_name: 'a.example.',
    project_id: 'tenant',
    target_project_id: null,
    description: null,
  };
  const rest = { ...request, key: 'K', wrong_keys: 0 };
  await addOld('zone_transfer_requests', { ...rest, zone_id: randomUUID(), status: 'COMPLETE' }, KEPT + 5);
  await addOld('zone_transfer_requests', { ...rest, zone_id: randomUUID(), status: 'ACTIVE' }, 1);
  const zone = await tenant.makeZone();
  const { status } = await tenant.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
  expect(status).toBe(201);
  expect(await countOf('zone_transfer_requests', "status = 'COMPLETE'")).toBe(KEPT);
  expect(await countOf('zone_transfer_requests', "status = 'ACTIVE'")).toBe(2);
});

it('keeps the newest transfer accepts of a project', async () => {
  const accept = {
    zone_transfer_request_id: randomUUID(),
    zone_id: randomUUID(),
    key: 'K',
    status: 'COMPLETE',
  };
  await addOld('zone_transfer_accepts', { ...accept, project_id: 'tenant' }, KEPT + 5);
  const owner = await tenantOf(service, 'owner');
  const zone = await owner.makeZone();
  const { json } = await owner.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
  const body = { zone_transfer_request_id: json.id, key: json.key };
  expect((await tenant.ask('POST', '/v2/zones/tasks/transfer_accepts', body)).status).toBe(201);
  expect(await countOf('zone_transfer_accepts', "project_id = 'tenant'")).toBe(KEPT);
});
