import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

const WARN = {
  in_use: 'warn',
  dangling_target: 'warn',
  lame_delegation: 'refuse',
  mass_deletion: 'off',
  mail_policy: 'warn',
};

let service: TestService;
let tenant: Tenant;
let reader: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_GUARDRAILS__LAME_DELEGATION: 'refuse',
    ZONEWARDEN_GUARDRAILS__MASS_DELETION: 'off',
  });
  tenant = await tenantOf(service, 'tenant');
  reader = await tenantOf(service, 'tenant', 'reader');
  stranger = await tenantOf(service, 'stranger');
});
afterAll(() => service.remove());

const pathOf = ({ id }: TestZone) => `/v2/zones/${id}/guardrails`;
const lastEvent = async (zone: TestZone) => {
  const { json } = await tenant.ask('GET', `/v2/events?target_id=${zone.id}&limit=1&sort_dir=desc`);
  return json.events[0];
};
const dangling = (zone: TestZone, label = 'alias') => ({
  name: `${label}.${zone.name}`,
  type: 'CNAME',
  records: [`gone.${zone.name}`],
});

describe('the modes of guardrails', () => {
  it('are listed with their descriptions for every caller', async () => {
    for (const caller of [tenant, reader, stranger]) {
      const { status, json } = await caller.ask('GET', '/v2/guardrails');
      expect(status).toBe(200);
      const modes = json.guardrails.map(({ name, mode }: { name: string; mode: string }) => [name, mode]);
      expect(Object.fromEntries(modes)).toEqual(WARN);
      for (const { description } of json.guardrails) expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('are those of the service until a zone has its own, and again with null', async () => {
    const zone = await tenant.makeZone();
    expect((await reader.ask('GET', pathOf(zone))).json).toEqual(WARN);
    const changed = await tenant.ask('PATCH', pathOf(zone), { in_use: 'refuse', mail_policy: 'off' });
    expect([changed.status, changed.json]).toEqual([200, { ...WARN, in_use: 'refuse', mail_policy: 'off' }]);
    const again = await tenant.ask('PATCH', pathOf(zone), { in_use: null });
    expect(again.json).toEqual({ ...WARN, mail_policy: 'off' });
    expect((await reader.ask('GET', pathOf(zone))).json).toEqual(again.json);
    expect((await tenant.ask('PATCH', pathOf(zone), { mail_policy: null })).json).toEqual(WARN);
  });

  it('change neither the serial nor the version of the zone, and are an event', async () => {
    const zone = await tenant.makeZone();
    await tenant.ask('PATCH', pathOf(zone), { in_use: 'refuse' });
    expect(await tenant.look(zone)).toEqual(zone);
    await expect
      .poll(async () => lastEvent(zone))
      .toMatchObject({
        type: 'zone.guardrails_changed',
        before: { in_use: 'warn' },
        after: { in_use: 'refuse' },
      });
    await tenant.ask('PATCH', pathOf(zone), { in_use: 'refuse' });
    await tenant.ask('PATCH', pathOf(zone), {});
    await tenant.ask('PATCH', `/v2/zones/${zone.id}`, { description: 'after it' });
    await expect.poll(async () => (await lastEvent(zone)).type).toBe('zone.changed');
    const { json } = await tenant.ask('GET', `/v2/events?target_id=${zone.id}&type=zone.guardrails_changed`);
    expect(json.events).toHaveLength(1);
    expect((await tenant.ask('GET', pathOf(zone))).json.in_use).toBe('refuse');
  });

  it('stay with a zone whatever else of it changes', async () => {
    const zone = await tenant.makeZone();
    await tenant.ask('PATCH', pathOf(zone), { in_use: 'off' });
    await tenant.ask('PATCH', `/v2/zones/${zone.id}`, { ttl: 77 });
    await tenant.create(zone, { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    expect((await tenant.ask('GET', pathOf(zone))).json.in_use).toBe('off');
  });

  it.each<[string, unknown]>([
    ['an unknown name', { in_us: 'warn' }],
    ['an unknown mode', { in_use: 'deny' }],
    ['a mode that is no text', { in_use: true }],
    ['a list', ['in_use']],
  ])('refuse %s', async (_, body) => {
    const zone = await tenant.makeZone();
    expect((await tenant.ask('PATCH', pathOf(zone), body)).status).toBe(400);
    expect((await tenant.ask('GET', pathOf(zone))).json).toEqual(WARN);
  });

  it('are changed by members of the owner alone', async () => {
    const zone = await tenant.makeZone();
    expect((await reader.ask('PATCH', pathOf(zone), {})).status).toBe(401);
    expect((await stranger.ask('PATCH', pathOf(zone), {})).status).toBe(404);
    expect((await stranger.ask('GET', pathOf(zone))).status).toBe(404);
    expect((await tenant.ask('GET', '/v2/zones/not-an-id/guardrails')).status).toBe(400);
    await tenant.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'stranger' });
    expect((await stranger.ask('GET', pathOf(zone))).status).toBe(200);
    expect((await stranger.ask('PATCH', pathOf(zone), { in_use: 'off' })).status).toBe(401);
  });

  it('are changed only as they were read, with If-Match', async () => {
    const zone = await tenant.makeZone();
    const etag = (await tenant.ask('GET', pathOf(zone))).headers.get('etag')!;
    const change = (mode: string) =>
      tenant.ask('PATCH', pathOf(zone), { in_use: mode }, { 'if-match': etag });
    expect((await change('off')).status).toBe(200);
    expect((await change('refuse')).status).toBe(412);
    expect((await tenant.ask('GET', pathOf(zone))).json.in_use).toBe('off');
  });
});

describe('a write that a guardrail does not like', () => {
  it('warns in the answer and in the event', async () => {
    const zone = await tenant.makeZone();
    const answer = await tenant.create(zone, dangling(zone));
    const warnings = [{ guardrail: 'dangling_target', message: expect.any(String) }];
    expect([answer.status, answer.json.warnings]).toEqual([202, warnings]);
    await expect
      .poll(async () => lastEvent(zone))
      .toMatchObject({ type: 'recordset.created', details: { warnings: answer.json.warnings } });
    expect((await lastEvent(zone)).details).not.toHaveProperty('overrides');
    const shown = await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets/${answer.json.id}`);
    expect(shown.json).not.toHaveProperty('warnings');
  });

  it('is refused with what to do, and leaves no trace', async () => {
    const zone = await tenant.makeZone();
    await tenant.ask('PATCH', pathOf(zone), { dangling_target: 'refuse' });
    const answer = await tenant.create(zone, dangling(zone));
    expect([answer.status, answer.json.type]).toEqual([409, 'guardrail']);
    expect(answer.json.message).toMatch(/^Guardrail dangling_target: .* override dangling_target\.$/);
    expect(await tenant.look(zone)).toEqual(zone);
    expect(await tenant.list(`/v2/zones/${zone.id}/recordsets`)).toEqual([]);
  });

  it('passes with an override, which the event names', async () => {
    const zone = await tenant.makeZone();
    await tenant.ask('PATCH', pathOf(zone), { dangling_target: 'refuse', in_use: 'refuse' });
    const headers = { 'x-zonewarden-override': 'in_use, dangling_target' };
    const send = (method: string, path: string, body?: unknown) => tenant.ask(method, path, body, headers);
    const list = `/v2/zones/${zone.id}/recordsets`;
    const made = await send('POST', list, dangling(zone));
    expect([made.status, made.json.warnings[0].guardrail]).toEqual([202, 'dangling_target']);
    await expect
      .poll(async () => lastEvent(zone))
      .toMatchObject({ type: 'recordset.created', details: { overrides: ['dangling_target'] } });
    const body = { records: [`lost.${zone.name}`] };
    expect((await tenant.ask('PUT', `${list}/${made.json.id}`, body)).status).toBe(409);
    expect((await send('PUT', `${list}/${made.json.id}`, body)).status).toBe(202);
    const host = await send('POST', list, { name: `lost.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    expect(host.json).not.toHaveProperty('warnings');
    expect((await tenant.ask('DELETE', `${list}/${host.json.id}`)).status).toBe(409);
    expect((await send('DELETE', `${list}/${host.json.id}`)).status).toBe(202);
    await expect
      .poll(async () => lastEvent(zone))
      .toMatchObject({ type: 'recordset.deleted', details: { overrides: ['in_use'] } });
  });

  it('is refused if another guardrail is overridden than the one that refuses it', async () => {
    const zone = await tenant.makeZone();
    await tenant.ask('PATCH', pathOf(zone), { dangling_target: 'refuse' });
    const headers = { 'x-zonewarden-override': 'in_use' };
    const answer = await tenant.ask('POST', `/v2/zones/${zone.id}/recordsets`, dangling(zone), headers);
    expect(answer.status).toBe(409);
  });

  it.each(['in_us', 'in_use;mail_policy', 'in_use,all'])(
    'is not made with the override %s',
    async (given) => {
      const zone = await tenant.makeZone();
      const headers = { 'x-zonewarden-override': given };
      const answer = await tenant.ask('POST', `/v2/zones/${zone.id}/recordsets`, dangling(zone), headers);
      expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining('mass_deletion')]);
      expect(await tenant.look(zone)).toEqual(zone);
    },
  );

  it('is refused for another reason first', async () => {
    const zone = await tenant.makeZone();
    await tenant.create(zone, dangling(zone));
    await tenant.ask('PATCH', pathOf(zone), { dangling_target: 'refuse' });
    expect((await tenant.create(zone, dangling(zone))).json.type).toBe('duplicate_recordset');
    await tenant.create(zone, { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    expect((await tenant.create(zone, dangling(zone, 'a'))).json.type).toBe('invalid_recordset_location');
  });

  it('is refused by the default of the service', async () => {
    const zone = await tenant.makeZone();
    const delegation = { name: `child.${zone.name}`, type: 'NS', records: ['ns1.invalid.'] };
    expect((await tenant.create(zone, delegation)).json.type).toBe('guardrail');
    await tenant.ask('PATCH', pathOf(zone), { lame_delegation: 'warn' });
    expect((await tenant.create(zone, delegation)).status).toBe(202);
  });

  it('answers a repeated create as before, with an idempotency key', async () => {
    const zone = await tenant.makeZone();
    const headers = { 'idempotency-key': 'once' };
    const send = () => tenant.ask('POST', `/v2/zones/${zone.id}/recordsets`, dangling(zone), headers);
    const [first, second] = [await send(), await send()];
    expect(second.json).toEqual(first.json);
    expect(second.json.warnings).toHaveLength(1);
  });

  it('counts in the metrics', async () => {
    const counted = async (outcome: string) => {
      const { text } = await service.request('GET', '/metrics', {
        token: service.admin,
        headers: { accept: '*/*' },
      });
      const line = `zonewarden_guardrail_findings_total{guardrail="in_use",outcome="${outcome}"} `;
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.slice(line.length),
      );
    };
    for (const outcome of ['warned', 'refused', 'overridden'])
      expect(await counted(outcome)).toBeGreaterThanOrEqual(0);
    expect(await counted('overridden')).toBeGreaterThan(0);
  });
});

describe('a project that a zone is shared with', () => {
  it('may not override, and is told nothing of other zones of the owner', async () => {
    const zone = await tenant.makeZone();
    const hidden = await tenant.makeZone();
    await tenant.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'stranger' });
    const host = await stranger.create(zone, {
      name: `host.${zone.name}`,
      type: 'A',
      records: ['192.0.2.1'],
    });
    for (const where of [zone, hidden]) {
      const alias = { name: `alias.${where.name}`, type: 'CNAME', records: [`host.${zone.name}`] };
      expect((await tenant.create(where, alias)).status).toBe(202);
    }
    const toHidden = { name: `x.${zone.name}`, type: 'CNAME', records: [`gone.${hidden.name}`] };
    expect((await stranger.create(zone, toHidden)).json).not.toHaveProperty('warnings');
    await tenant.ask('PATCH', pathOf(zone), { in_use: 'refuse' });
    const path = `/v2/zones/${zone.id}/recordsets/${host.json.id}`;
    const refused = await stranger.ask('DELETE', path);
    expect(refused.json.type).toBe('guardrail');
    expect(refused.json.message).toContain(`the CNAME at "alias.${zone.name}"`);
    expect(refused.json.message).toContain('records in other zones of its owner');
    expect(refused.text).not.toContain(hidden.name);
    const headers = { 'x-zonewarden-override': 'in_use' };
    expect((await stranger.ask('DELETE', path, undefined, headers)).status).toBe(401);
    expect((await tenant.ask('DELETE', path, undefined, headers)).status).toBe(202);
  });
});

describe('with other options', () => {
  it('a policy can forbid to override, and a wrong mode does not start the service', async () => {
    const zone = await tenant.makeZone();
    await tenant.ask('PATCH', pathOf(zone), { dangling_target: 'refuse' });
    const file = join(service.dataDir, 'policy.yaml');
    writeFileSync(file, 'override_guardrail: role:admin\n');
    await service.restart({ ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
    const headers = { 'x-zonewarden-override': 'dangling_target' };
    const answer = await tenant.ask('POST', `/v2/zones/${zone.id}/recordsets`, dangling(zone), headers);
    expect([answer.status, answer.json.type]).toEqual([401, 'access_denied']);
    expect(() => loadConfig(undefined, { ZONEWARDEN_GUARDRAILS__IN_USE: 'deny' })).toThrow(/in_use/);
  });
});
