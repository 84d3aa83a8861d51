/** Guardrails look at what a set leaves behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Change, sendSet } from '../../support/change-sets.ts';
import { eventsOf } from '../../support/events.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token, ...(body && { body }) });
let zones = 0;
async function makeZone() {
  const name = `guarded-${++zones}.example.`;
  const { json } = await ask('POST', '/v2/zones', { name, email: 'a@example.org' });
  return { id: json.id as string, name, n: (label: string) => `${label}.${name}` };
}
const send = (id: string, changes: readonly unknown[], members = {}) =>
  sendSet(service, id, changes, { token, with: members });
const setMode = (id: string, modes: object) => ask('PATCH', `/v2/zones/${id}/guardrails`, modes);
const create = (name: string, type: string, record: string): Change => {
  return { action: 'create', name, type, records: [record] };
};

describe('guardrails on a set', () => {
  it('warn beside the recordset that they concern, and in the event', async () => {
    const { id, n } = await makeZone();
    await send(id, [create(n('host'), 'A', '192.0.2.1'), create(n('www'), 'CNAME', n('host'))]);
    const { status, json } = await send(id, [{ action: 'delete', name: n('host') }]);
    expect(status).toBe(202);
    const warning = { guardrail: 'in_use', message: expect.stringContaining(n('www')) };
    expect(json.changes[0].warnings).toEqual([warning]);
    expect(json.warnings).toEqual([]);
    const [event] = await eventsOf(service, `&target_id=${id}&type=recordsets.changed`);
    expect(event).toMatchObject({ details: { warnings: [warning], overrides: [] } });
  });

  it('see the zone after the set: what points at the name may go with it', async () => {
    const { id, n } = await makeZone();
    await send(id, [create(n('host'), 'A', '192.0.2.1'), create(n('www'), 'CNAME', n('host'))]);
    const both = [
      { action: 'delete', name: n('host') },
      { action: 'delete', name: n('www') },
    ];
    expect((await send(id, both, { dry_run: true })).json.changes[0].warnings).toEqual([]);
    const pair = [create(n('new'), 'CNAME', n('there')), create(n('there'), 'A', '192.0.2.2')];
    const made = await send(id, pair);
    expect(made.json.changes.flatMap(({ warnings }: { warnings: unknown[] }) => warnings)).toEqual([]);
    const dangling = await send(id, [create(n('lost'), 'CNAME', n('nowhere'))]);
    expect(dangling.json.changes[0].warnings).toMatchObject([{ guardrail: 'dangling_target' }]);
  });

  it('refuse where they shall, unless the set overrides them; a plan knows who warned', async () => {
    const { id, n } = await makeZone();
    await send(id, [create(n('host'), 'A', '192.0.2.1'), create(n('www'), 'CNAME', n('host'))]);
    await setMode(id, { in_use: 'refuse' });
    const gone = [{ action: 'delete', name: n('host') }];
    const refused = await send(id, gone);
    expect([refused.status, refused.json.type]).toEqual([409, 'guardrail']);
    expect(refused.json.errors.errors).toMatchObject([{ path: ['changes', 0], type: 'guardrail' }]);
    const dry = await send(id, gone, { dry_run: true });
    expect(dry.json.changes[0].refusal).toMatchObject({ code: 409, type: 'guardrail' });
    expect(dry.json.status).toBe('REFUSED');
    const planned = await send(id, gone, { dry_run: true, override: ['in_use'] });
    expect([planned.json.status, planned.json.plan === dry.json.plan]).toEqual(['PLANNED', false]);
    const made = await send(id, gone, { override: ['in_use'], plan: planned.json.plan });
    expect(made.status).toBe(202);
    const [event] = await eventsOf(service, `&target_id=${id}&type=recordsets.changed`);
    expect(event).toMatchObject({ details: { overrides: ['in_use'] } });
    const unknown = await send(id, gone, { override: ['no_such'] });
    expect([unknown.status, unknown.json.type]).toEqual([400, 'invalid_object']);
  });

  it('notice the deletion of most of a zone', async () => {
    const { id, n } = await makeZone();
    const names = Array.from({ length: 24 }, (_, place) => n(`h${place}`));
    await send(
      id,
      names.map((name) => create(name, 'A', '192.0.2.1')),
    );
    const some = (count: number) => names.slice(0, count).map((name) => ({ action: 'delete', name }));
    expect((await send(id, some(12), { dry_run: true })).json.warnings).toEqual([]);
    const most = await send(id, some(13), { dry_run: true });
    expect(most.json.warnings).toMatchObject([{ guardrail: 'mass_deletion' }]);
    await setMode(id, { mass_deletion: 'refuse' });
    const refused = await send(id, some(13));
    expect(refused.json.errors.errors).toMatchObject([{ path: ['changes'], type: 'guardrail' }]);
    const dry = await send(id, some(13), { dry_run: true });
    expect(dry.json.refusal).toMatchObject({ type: 'guardrail' });
  });
});
