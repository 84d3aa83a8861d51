/** Small things on which clients that were written for Designate rely. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { type Tenant, tenantOf } from '../support/tenant.ts';
import { importFile, zoneFile } from '../support/zone-files.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

it('a body null is no body where a body is optional, and only there', async () => {
  const zone = await tenant.makeZone();
  const path = `/v2/zones/${zone.id}`;
  const offered = await tenant.ask('POST', `${path}/tasks/transfer_requests`, ' null ');
  expect([offered.status, offered.json.target_project_id]).toEqual([201, null]);
  expect((await tenant.ask('POST', `${path}/tasks/export`, 'null')).status).toBe(202);
  expect((await tenant.ask('PATCH', path, 'null')).json).toMatchObject({ code: 400, type: 'invalid_object' });
});

describe('the singular paths of imports and exports', () => {
  it.each(['import', 'export'] as const)('answer as the plural ones: %s', async (kind) => {
    const token = await service.token('tenant', 'member');
    const singular = `/v2/zones/tasks/${kind}`;
    const body = zoneFile(`${kind}.example.`);
    const headers = { 'content-type': 'text/dns' };
    const imported = await service.request('POST', '/v2/zones/tasks/import', { token, body, headers });
    expect(imported.status).toBe(202);
    const { zone_id } = imported.json;
    const exported = await tenant.ask('POST', `/v2/zones/${zone_id}/tasks/export`);
    const { id } = (kind === 'import' ? imported : exported).json;
    const one = await tenant.ask('GET', `${singular}/${id}`);
    expect(one.json).toEqual((await tenant.ask('GET', `${singular}s/${id}`)).json);
    expect(one.json.links.self).toBe(`${service.url}${singular}s/${id}`);
    const list = await tenant.ask('GET', `${singular}/?limit=1&sort_dir=desc`);
    expect(list.json).toEqual((await tenant.ask('GET', `${singular}s?limit=1&sort_dir=desc`)).json);
    expect(list.json[`${kind}s`]).toEqual([one.json]);
    if (kind === 'export') {
      const file = await tenant.ask('GET', `${singular}/${id}/export`);
      expect([file.status, file.text.split('\n')[0]]).toEqual([200, '$ORIGIN export.example.']);
    }
    expect((await tenant.ask('PUT', singular)).status).toBe(405);
    expect((await tenant.ask('DELETE', `${singular}/${id}`)).status).toBe(204);
    expect((await tenant.ask('GET', `${singular}s/${id}`)).status).toBe(404);
    expect((await tenant.ask('GET', `${singular}er`)).json.type).toBe('not_found');
  });
});

it('an import says where its zone is', async () => {
  const token = await service.token('tenant', 'member');
  const { json } = await importFile(service, token, zoneFile('linked.example.'));
  expect(json.links.zone).toBe(`${service.url}/v2/zones/${json.zone_id}`);
  expect((await tenant.ask('GET', json.links.self.slice(service.url.length))).json.links).toEqual(json.links);
});

it.each([
  ['/v2/zones/foo', 'zone_id', 'foo'],
  ['/v2/zones/7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001/recordsets/a%20b', 'recordset_id', 'a b'],
  ['/v2/zones/tasks/imports/foo', 'import_id', 'foo'],
  ['/v2/zones/tasks/exports/foo/export', 'export_id', 'foo'],
  ['/v2/zones/tasks/transfer_requests/foo', 'transfer_request_id', 'foo'],
  ['/v2/zones/tasks/transfer_accepts/foo', 'transfer_accept_id', 'foo'],
  [`/v2/zones/${'x'.repeat(500)}`, 'zone_id', `${'x'.repeat(100)}…`],
])('names the parameter of %s that is no UUID as Designate does', async (path, name, value) => {
  expect((await tenant.ask('GET', path)).json).toMatchObject({
    code: 400,
    type: 'invalid_uuid',
    message: `Invalid UUID ${name}: ${value}`,
  });
});

describe('all projects', () => {
  const namesIn = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await service.request('GET', `/v2/zones${query}`, { token: service.admin, headers });
    return answer.json.zones.map(({ name }: { name: string }) => name);
  };

  it.each(['1', 't', 'True', 'ON', 'y', 'Yes'])('are asked for with %s', async (value) => {
    const { name } = await tenant.makeZone();
    expect(await namesIn(`?name=${name}`)).toEqual([]);
    expect(await namesIn(`?name=${name}`, { 'x-auth-all-projects': value })).toEqual([name]);
    expect(await namesIn(`?name=${name}&all_projects=${value}`)).toEqual([name]);
    expect(await namesIn(`?all_tenants=${value}&name=${name}`)).toEqual([name]);
  });

  it.each(['0', 'False', '', 'maybe'])('are not asked for with %j', async (value) => {
    const { name } = await tenant.makeZone();
    expect(await namesIn(`?name=${name}`, { 'x-auth-all-projects': value })).toEqual([]);
    expect(await namesIn(`?name=${name}&all_projects=${value}`)).toEqual([]);
  });

  it('are for administrators, however they are asked for', async () => {
    for (const query of ['all_projects=true', 'all_tenants=1']) {
      expect((await tenant.ask('GET', `/v2/zones?${query}`)).json.type).toBe('access_denied');
      const { zones, links } = (
        await service.request('GET', `/v2/zones?limit=1&${query}`, { token: service.admin })
      ).json;
      expect(zones).toHaveLength(1);
      expect(links.next).toContain(query);
    }
  });
});
