/** Who the caller is, and what that lets them do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Request, startTestService, type TestService } from '../../support/service.ts';

const UNKNOWN_ID = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';
const BASE = {
  ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
  ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '1000000',
};

let service: TestService;
let member: string;
let reader: string;
let memberZone: string;
let drawn = 0;
const freshName = (): string => `callers-${++drawn}.org.`;

const createZone = (
  token: string,
  headers: Record<string, string> = {},
  name = freshName(),
): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, headers, body: { name, email: 'a@example.org' } });

beforeAll(async () => {
  service = await startTestService(BASE);
  member = await service.token('tenant', 'member');
  reader = await service.token('tenant', 'reader');
  memberZone = (await createZone(member)).json.id;
});
afterAll(() => service.remove());

async function verdict(
  method: string,
  path: string,
  request: Request = {},
): Promise<[number, string | undefined]> {
  const { status, json } = await service.request(method, path, request);
  return [status, status < 400 ? undefined : json.type];
}
const DENIED = [401, 'access_denied'];
const UNKNOWN = 'Bearer error="invalid_token", error_description="The token is unknown."';
const needs = (rule: string, role: string): string =>
  `Bearer error="insufficient_scope", error_description="The rule ${rule} needs the role ${role}."`;

describe('credentials', () => {
  it('come in X-Auth-Token or as a bearer token', async () => {
    const authorization = [`Bearer ${member}`, `bearer ${member}`, `BEARER   ${member} `];
    for (const headers of [
      { 'X-Auth-Token': member },
      ...authorization.map((value) => ({ Authorization: value })),
    ]) {
      expect((await service.request('GET', '/v2/zones', { headers })).status).toBe(200);
    }
  });

  it('are refused when they are missing, unknown, damaged or of another scheme', async () => {
    const other = member.at(-2) === 'A' ? 'B' : 'A';
    const damaged = [
      `${member}x`,
      `${member.slice(0, -2)}${other}${member.at(-1)}`,
      member.toUpperCase(),
      'zw_',
      '',
      'x'.repeat(5000),
    ];
    for (const token of damaged)
      expect([token, await verdict('GET', '/v2/zones', { token })]).toEqual([token, DENIED]);
    const basic = { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    expect(await verdict('GET', '/v2/zones', { headers: basic })).toEqual(DENIED);
    expect(await verdict('GET', '/v2/zones')).toEqual(DENIED);
  });

  it('that lack are asked for as a bearer token', async () => {
    const expired = await service.tokenUntil('2001-01-01T00:00:00.000000', 'tenant', 'admin');
    // RFC 6750, section 3.1.
    for (const [token, challenge] of [
      [{}, 'Bearer'],
      [{ token: 'zw_wrong' }, UNKNOWN],
      // Its id alone is no secret.
      [{ token: `${expired.slice(0, -8)}AAAAAAAA` }, UNKNOWN],
      [{ token: expired }, 'Bearer error="invalid_token", error_description="The token has expired."'],
      [{ token: reader }, needs('find_blacklists', 'admin')],
    ] as const) {
      const answer = await service.request('GET', '/v2/blacklists', token);
      expect(answer.json).toMatchObject({ code: 401, type: 'access_denied', message: 'Access Denied' });
      expect(answer.headers.get('www-authenticate')).toBe(challenge);
    }
    const body = { name: 'needs-a-role.example.', email: 'a@example.org' };
    const create = await service.request('POST', '/v2/zones', { token: reader, body });
    expect(create.headers.get('www-authenticate')).toBe(needs('create_zone', 'member'));
  });

  it('end when they expire, and when they are revoked', async () => {
    const past = await service.tokenUntil('2001-01-01T00:00:00.000000', 'tenant', 'admin');
    const future = await service.tokenUntil('2999-01-01T00:00:00.000000', 'tenant', 'admin');
    expect(await verdict('GET', '/v2/blacklists', { token: past })).toEqual(DENIED);
    expect(await verdict('GET', '/v2/blacklists', { token: future })).toEqual([200, undefined]);
    await service.revoke(future);
    expect(await verdict('GET', '/v2/blacklists', { token: future })).toEqual(DENIED);
  });

  it('never stand in the log', () => {
    const log = JSON.stringify(service.logged);
    for (const token of [member, reader, service.admin]) expect(log).not.toContain(token.slice(-20));
  });
});

describe('roles', () => {
  it('let a reader read and nothing else', async () => {
    for (const path of [
      '/v2/zones',
      `/v2/zones/${memberZone}`,
      '/v2/quotas',
      '/v2/quotas/tenant',
      '/v2/limits',
    ]) {
      expect([path, await verdict('GET', path, { token: reader })]).toEqual([path, [200, undefined]]);
    }
    expect((await createZone(reader)).json.type).toBe('access_denied');
    for (const [method, path] of [
      ['PATCH', `/v2/zones/${memberZone}`],
      ['DELETE', `/v2/zones/${memberZone}`],
      ['PUT', '/v1/quotas/tenant'],
      ['PATCH', '/v2/quotas/tenant'],
      ['DELETE', '/v2/quotas/tenant'],
      ['DELETE', '/v1/quotas/tenant'],
    ] as const) {
      expect([method, path, await verdict(method, path, { token: reader })]).toEqual([method, path, DENIED]);
    }
  });

  it('let a member write zones, and touch neither blacklists nor quotas', async () => {
    expect((await createZone(member)).status).toBe(202);
    for (const [method, path] of [
      ['GET', '/v2/blacklists'],
      ['POST', '/v2/blacklists'],
      ['GET', `/v2/blacklists/${UNKNOWN_ID}`],
      ['PATCH', `/v2/blacklists/${UNKNOWN_ID}`],
      ['DELETE', `/v2/blacklists/${UNKNOWN_ID}`],
      ['PUT', '/v1/quotas/tenant'],
      ['DELETE', '/v1/quotas/tenant'],
      ['PATCH', '/v2/quotas/tenant'],
    ] as const) {
      expect([method, path, await verdict(method, path, { token: member })]).toEqual([method, path, DENIED]);
    }
  });

  it("let anyone of a project read its quotas, and of another's only an administrator", async () => {
    const plain = await service.token('tenant', 'other-role');
    for (const token of [member, reader, plain, service.admin]) {
      expect(await verdict('GET', '/v1/quotas/tenant', { token })).toEqual([201, undefined]);
    }
    for (const path of ['/v1/quotas/other', '/v2/quotas/other', '/v2/quotas/other/usage']) {
      for (const token of [member, reader]) expect(await verdict('GET', path, { token })).toEqual(DENIED);
    }
    expect(await verdict('GET', '/v1/quotas/other', { token: service.admin })).toEqual([201, undefined]);
  });

  it('that mean nothing here let nobody in', async () => {
    const plain = await service.token('tenant', 'other-role');
    const none = await service.token('tenant');
    for (const token of [plain, none]) expect(await verdict('GET', '/v2/zones', { token })).toEqual(DENIED);
  });
});

describe('an administrator', () => {
  it('sees only the zones of its own project without a header', async () => {
    const own = (await createZone(service.admin)).json.id;
    const { json } = await service.request('GET', '/v2/zones', { token: service.admin });
    expect(json.zones.map(({ id }: { id: string }) => id)).toEqual([own]);
    expect(json.metadata).toEqual({ total_count: 1 });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const request = { token: service.admin, ...(method === 'PATCH' ? { body: {} } : {}) };
      expect(await verdict(method, `/v2/zones/${memberZone}`, request)).toEqual([404, 'zone_not_found']);
    }
  });

  it.each(['true', 'True', 'TRUE'])('sees those of all with X-Auth-All-Projects: %s', async (value) => {
    const request = { token: service.admin, headers: { 'X-Auth-All-Projects': value } };
    const { json } = await service.request('GET', '/v2/zones', request);
    const projects = json.zones.map((zone: { project_id: string }) => zone.project_id);
    expect(new Set(projects)).toEqual(new Set(['tenant', 'admin']));
    expect(json.metadata.total_count).toBe(json.zones.length);
    expect(await verdict('GET', `/v2/zones/${memberZone}`, request)).toEqual([200, undefined]);
  });

  it.each(['X-Auth-Sudo-Project-ID', 'X-Auth-Sudo-Tenant-ID', 'x-auth-sudo-project-id'])(
    'acts for another project with %s',
    async (header) => {
      const headers = { [header]: 'tenant' };
      expect(await verdict('GET', `/v2/zones/${memberZone}`, { token: service.admin, headers })).toEqual([
        200,
        undefined,
      ]);
      const created = await createZone(service.admin, headers);
      expect([created.status, created.json.project_id]).toEqual([202, 'tenant']);
      const { json } = await service.request('GET', `/v2/zones/${created.json.id}`, { token: member });
      expect(json.project_id).toBe('tenant');
      const limits = await service.request('GET', '/v2/quotas', { token: service.admin, headers });
      expect(limits.status).toBe(200);
    },
  );

  it('is told when the project to act for cannot be one', async () => {
    for (const project of ['a b', '..', 'x'.repeat(65), 'a/b']) {
      const headers = { 'X-Auth-Sudo-Project-ID': project };
      expect(await verdict('GET', '/v2/zones', { token: service.admin, headers })).toEqual([
        400,
        'bad_request',
      ]);
    }
  });
});

describe('anyone else who sends the headers of an administrator', () => {
  it.each(['X-Auth-Sudo-Project-ID', 'X-Auth-Sudo-Tenant-ID'])(
    'is refused as for a missing role: %s',
    async (header) => {
      for (const value of ['admin', 'other', 'a b', 'TENANT']) {
        expect(await verdict('GET', '/v2/zones', { token: member, headers: { [header]: value } })).toEqual(
          DENIED,
        );
      }
      expect((await createZone(member, { [header]: 'other' })).status).toBe(401);
    },
  );

  it('is refused as for a missing role: X-Auth-All-Projects', async () => {
    for (const value of ['true', 'True', 'TRUE']) {
      expect(
        await verdict('GET', '/v2/zones', { token: member, headers: { 'X-Auth-All-Projects': value } }),
      ).toEqual(DENIED);
    }
    expect(
      await verdict('GET', '/v2/zones', { token: member, headers: { 'X-Auth-All-Projects': 'false' } }),
    ).toEqual([200, undefined]);
  });

  it('is served where the header names its own project', async () => {
    for (const header of ['X-Auth-Sudo-Project-ID', 'X-Auth-Sudo-Tenant-ID']) {
      expect(
        await verdict('GET', `/v2/zones/${memberZone}`, { token: reader, headers: { [header]: 'tenant' } }),
      ).toEqual([200, undefined]);
    }
  });

  it('is served by the quota operations that name the project in their path, which ignore both', async () => {
    const headers = { 'X-Auth-Sudo-Project-ID': 'other', 'X-Auth-All-Projects': 'True' };
    expect(await verdict('GET', '/v1/quotas/tenant', { token: member, headers })).toEqual([201, undefined]);
    expect(await verdict('GET', '/v2/quotas/tenant', { token: member, headers })).toEqual([200, undefined]);
    expect(await verdict('GET', '/v1/quotas/other', { token: member, headers })).toEqual(DENIED);
    const request = { token: service.admin, headers: { 'X-Auth-Sudo-Project-ID': 'not a project' } };
    await service.request('PUT', '/v1/quotas/in-the-path', { ...request, body: { domains: 42 } });
    expect((await service.request('GET', '/v1/quotas/in-the-path', request)).json.domains).toBe(42);
    expect((await service.request('DELETE', '/v1/quotas/in-the-path', request)).status).toBe(200);
  });
});

describe('the status of a missing role', () => {
  it('is 403 where the operator says so, and 401 without credentials all the same', async () => {
    await service.restart({ ...BASE, ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS: '403' });
    const known = await service.request('GET', '/v2/blacklists', { token: member });
    expect(known.status).toBe(403);
    expect(known.json).toMatchObject({ code: 403, type: 'access_denied', message: 'Access Denied' });
    expect(known.headers.get('www-authenticate')).toBe(needs('find_blacklists', 'admin'));
    const sudo = { token: member, headers: { 'X-Auth-Sudo-Project-ID': 'other' } };
    expect(await verdict('GET', '/v2/zones', sudo)).toEqual([403, 'access_denied']);
    expect(await verdict('GET', '/v2/blacklists')).toEqual(DENIED);
    expect(await verdict('GET', '/v2/blacklists', { token: 'zw_wrong' })).toEqual(DENIED);
    await service.restart();
  });
});

describe('too many failed credentials', () => {
  it('are 429 with Retry-After, for failing attempts alone', async () => {
    await service.restart({ ...BASE, ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '1' });
    const attempts = await Promise.all(
      Array.from({ length: 60 }, () => service.request('GET', '/v2/zones', { token: 'zw_wrong' })),
    );
    const refused = attempts.filter(({ status }) => status === 429);
    expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(refused[0]!.json).toMatchObject({ code: 429, type: 'too_many_requests' });
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    const mixed = await Promise.all(
      Array.from({ length: 40 }, (_, place) =>
        service.request('GET', '/v2/zones', { token: place % 2 ? member : 'zw_wrong' }),
      ),
    );
    expect(mixed.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(await verdict('GET', '/v2/zones')).toEqual(DENIED);
    await service.restart();
  });

  it('are counted for each address behind a trusted proxy, and for the peer itself behind any other', async () => {
    const attempt = (client: number) =>
      service.request('GET', '/v2/zones', {
        token: 'zw_wrong',
        headers: { 'X-Forwarded-For': `192.0.2.${client}` },
      });
    const burst = async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, (_, client) => attempt(client)));
      return new Set(answers.map(({ status }) => status));
    };
    const one = { ...BASE, ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '1' };
    await service.restart(one);
    expect(await burst()).toEqual(new Set([401, 429]));
    await service.restart({ ...one, ZONEWARDEN_SERVICE_API__TRUSTED_PROXIES: '127.0.0.1' });
    expect(await burst()).toEqual(new Set([401]));
    await service.restart();
  });
});

describe('a policy file', () => {
  const withPolicy = async (text: string) => {
    const file = join(service.dataDir, 'policy.yaml');
    writeFileSync(file, text);
    await service.restart({ ...BASE, ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
  };

  it('may let administrators use a blacklisted name, which the answer and the log then say', async () => {
    const body = { pattern: '^bypassed.*\\.org\\.$' };
    const blacklist = (await service.request('POST', '/v2/blacklists', { token: service.admin, body })).json;
    expect((await createZone(service.admin, {}, 'bypassed-0.org.')).json.message).toBe(
      'Blacklisted domain name',
    );
    await withPolicy('use_blacklisted_zone: role:admin\n');
    const created = await createZone(service.admin, {}, 'bypassed-1.org.');
    expect(created.status).toBe(202);
    expect(created.headers.get('x-zonewarden-blacklist-bypassed')).toBe(blacklist.id);
    expect(service.logged.filter(({ audit }) => audit === true)).toEqual([
      expect.objectContaining({
        audit: true,
        blacklist: blacklist.id,
        zone: 'bypassed-1.org.',
        project: 'admin',
        request_id: created.headers.get('x-openstack-request-id'),
      }),
    ]);
    const sudo = await createZone(service.admin, { 'X-Auth-Sudo-Project-ID': 'tenant' }, 'bypassed-2.org.');
    expect(sudo.headers.get('x-zonewarden-blacklist-bypassed')).toBe(blacklist.id);
    expect((await createZone(member, {}, 'bypassed-3.org.')).json.message).toBe('Blacklisted domain name');
    const innocent = await createZone(service.admin);
    expect(innocent.headers.has('x-zonewarden-blacklist-bypassed')).toBe(false);
    const taken = await createZone(service.admin, {}, 'bypassed-1.org.');
    expect([taken.status, taken.headers.has('x-zonewarden-blacklist-bypassed')]).toEqual([409, false]);
    expect(service.logged.filter(({ audit }) => audit === true)).toHaveLength(2);
    await service.restart();
  });

  it('is asked about the zone itself, whoever may see the zones of all projects', async () => {
    const { id } = (await createZone(service.admin, {}, 'of-admin.example.')).json;
    await withPolicy('all_tenants: role:auditor\n');
    const token = await service.token('tenant', 'auditor', 'member');
    const headers = { 'X-Auth-All-Projects': 'true' };
    const list = await service.request('GET', '/v2/zones?name=of-admin.example.', { token, headers });
    expect(list.json.zones).toHaveLength(1);
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { ttl: 60 }],
      ['DELETE', undefined],
    ] as const) {
      expect(await verdict(method, `/v2/zones/${id}`, { token, headers, body })).toEqual(DENIED);
    }
    await service.restart();
    expect(await verdict('GET', `/v2/zones/${id}`, { token: service.admin })).toEqual([200, undefined]);
  });

  it('may give any rule to others', async () => {
    await withPolicy('find_blacklists: role:reader\nset_quota: role:quota_manager\nuse_sudo: "!"\n');
    const manager = await service.token('tenant', 'quota_manager');
    expect(await verdict('GET', '/v2/blacklists', { token: member })).toEqual([200, undefined]);
    expect(await verdict('POST', '/v2/blacklists', { token: member, body: { pattern: 'x' } })).toEqual(
      DENIED,
    );
    expect(await verdict('PUT', '/v1/quotas/x', { token: manager, body: { domains: 1 } })).toEqual([
      200,
      undefined,
    ]);
    expect(await verdict('PUT', '/v1/quotas/x', { token: service.admin, body: { domains: 1 } })).toEqual(
      DENIED,
    );
    const headers = { 'X-Auth-Sudo-Project-ID': 'tenant' };
    expect(await verdict('GET', '/v2/zones', { token: service.admin, headers })).toEqual(DENIED);
    await service.restart();
  });
});
