/** What is shown of a zone changes nothing when it is sent back; and any contents end in the zone that they give. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeZone, writtenZone } from '../../support/api-zones.ts';
import { recordsetsIn } from '../../support/change-sets.ts';
import { getContents, putContents } from '../../support/contents.ts';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let token: string;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  token = await service.token('shop', 'member');
  tenant = await tenantOf(service, 'shop');
  const body = {
    zones: -1,
    zone_recordsets: -1,
    zone_records: -1,
    recordset_records: -1,
    api_export_size: -1,
  };
  await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body });
});
afterAll(() => service.remove());

const FORMS = ['application/json', 'text/dns'] as const;
const sent = (form: string, text: string): string | object => (form === 'text/dns' ? text : JSON.parse(text));

it('changes nothing when sent back, in either form', async () => {
  let [count, taken] = [0, 0];
  await fc.assert(
    fc.asyncProperty(writtenZone, fc.constantFrom(...FORMS), async (zone, form) => {
      count += 1;
      const made = await writeZone(tenant, `back${count}.example.`, zone);
      taken += made.taken.length;
      const before = (await tenant.ask('GET', `/v2/zones/${made.id}`)).json;
      const { text } = await getContents(service, made.id, token, form);
      const { status, json } = await putContents(service, made.id, sent(form, text), { token });
      expect([status, json.status, json.changes]).toEqual([200, 'UNCHANGED', []]);
      expect((await tenant.ask('GET', `/v2/zones/${made.id}`)).json).toEqual(before);
    }),
    { numRuns: runs(60, 10) },
  );
  expect(taken).toBeGreaterThan(count);
});

it('turns any zone into another one of the same name', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(writtenZone, writtenZone, fc.constantFrom(...FORMS), async (from, to, form) => {
      count += 1;
      const wanted = await writeZone(tenant, `wanted${count}.example.`, to);
      const { text } = await getContents(service, wanted.id, token, form);
      await tenant.ask('DELETE', `/v2/zones/${wanted.id}`);
      const made = await writeZone(tenant, `wanted${count}.example.`, from);
      const { status } = await putContents(service, made.id, sent(form, text), { token });
      expect(status).toBeLessThan(300);
      const again = await putContents(service, made.id, sent(form, text), { token });
      expect([again.json.status, again.json.summary.unchanged]).toEqual([
        'UNCHANGED',
        Object.keys(await recordsetsIn(service, made.id, token)).length,
      ]);
    }),
    { numRuns: runs(40, 5) },
  );
});
