/** Sets of changes as nobody should send them: each is refused with what is wrong, and nothing happens. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
let zone: TestZone;
beforeAll(async () => {
  service = await startTestService();
  tenant = await tenantOf(service, 'tenant');
  zone = await tenant.makeZone('hostile.example.');
});
afterAll(() => service.remove());

const send = (body: unknown) => tenant.ask('POST', `/v2/zones/${zone.id}/changes`, body);
const CHANGE = { action: 'upsert', name: 'a.hostile.example.', type: 'A', records: ['192.0.2.1'] };
const one = (more: object) => ({ changes: [{ ...CHANGE, ...more }] });
const withMembers = (members: object) => ({ changes: [CHANGE], ...members });

it.each<[string, unknown]>([
  ['__proto__ in a set', `{"changes": [], "__proto__": {"dry_run": true}}`],
  [
    '__proto__ in a change',
    `{"changes": [{"__proto__": {"action": "delete"}, "name": "a.hostile.example."}]}`,
  ],
  ['constructor as an action', one({ action: 'constructor' })],
  ['toString as a type', one({ type: 'toString' })],
  ['a set that is a list', [CHANGE]],
  ['changes that are an object', { changes: { 0: CHANGE, length: 1 } }],
  ['a change that is null', { changes: [null] }],
  ['a TTL as text', one({ ttl: '60' })],
  ['a TTL with a fraction', one({ ttl: 0.5 })],
  ['a serial as text', withMembers({ if_serial: '1' })],
  ['a number of deletions as text', withMembers({ max_deletions: '1' })],
  ['a dry run as text', withMembers({ dry_run: 'true' })],
  ['a huge description of the set', withMembers({ description: 'x'.repeat(500_000) })],
  ['a huge description of a recordset', one({ description: 'x'.repeat(500_000) })],
  ['a huge name', one({ name: `${'x.'.repeat(100_000)}hostile.example.` })],
  ['a huge record', one({ type: 'TXT', records: [`"${'x'.repeat(500_000)}"`] })],
  ['a plan of another algorithm', withMembers({ plan: `md5:${'0'.repeat(64)}` })],
  ['a plan in capitals', withMembers({ plan: `sha256:${'A'.repeat(64)}` })],
  ['a million zeros', `{"changes": [${'0,'.repeat(400_000)}0]}`],
  ['deep nesting', `{"changes": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  [
    '1,001 changes',
    { changes: Array.from({ length: 1001 }, (_, n) => ({ ...CHANGE, name: `n${n}.hostile.example.` })) },
  ],
])('refuses %s', async (_, body) => {
  const { status, json } = await send(body);
  expect([status, json.type]).toEqual([400, 'invalid_object']);
  expect(await tenant.look(zone)).toEqual(zone);
});

it('takes no plan that it did not give, for other effects or another zone', async () => {
  const other = await tenant.makeZone('other-hostile.example.');
  const path = `/v2/zones/${other.id}/changes`;
  const elsewhere = { ...CHANGE, name: 'a.other-hostile.example.' };
  const dry = await tenant.ask('POST', path, { changes: [elsewhere], dry_run: true });
  for (const plan of [dry.json.plan, `sha256:${'0'.repeat(64)}`]) {
    const { status, json } = await send(withMembers({ plan }));
    expect([status, json.type]).toEqual([409, 'plan_outdated']);
  }
  expect(await tenant.look(zone)).toEqual(zone);
});

it('makes 1,000 changes at once, and deletes a name with hundreds of types', async () => {
  const types = Array.from({ length: 490 }, (_, n) => `TYPE${65_280 + (n % 250)}`);
  const changes = [...new Set(types)].map((type) => ({
    action: 'upsert',
    name: CHANGE.name,
    type,
    records: ['\\# 1 00'],
  }));
  expect((await send({ changes })).status).toBe(202);
  const gone = await send({ changes: [{ action: 'delete', name: CHANGE.name }] });
  expect([gone.status, gone.json.summary.delete]).toEqual([202, 250]);
  const many = Array.from({ length: 1000 }, (_, n) => ({ ...CHANGE, name: `n${n}.hostile.example.` }));
  const { status, json } = await send({ changes: many });
  expect([status, json.type]).toEqual([413, 'over_quota']);
  const nothing = many.map(({ records: _, ...change }) => ({ ...change, action: 'delete' }));
  const missing = await send({ changes: nothing });
  expect([missing.status, missing.json.errors.errors.length]).toEqual([404, 100]);
});
