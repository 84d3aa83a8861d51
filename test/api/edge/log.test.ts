import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

const unacceptable = { accept: 'text/html' };
const noProject = { 'x-auth-sudo-project-id': 'no project' };

it.each([
  ['for a missing role', 'GET', '/v2/blacklists', 401, {}],
  ['for acting for another project', 'GET', '/v2/zones', 401, { 'x-auth-sudo-project-id': 'other' }],
  ['for its Accept', 'GET', '/v2/zones', 406, unacceptable],
  ['for its Content-Type', 'POST', '/v2/zones', 415, { 'content-type': 'text/plain' }],
  ['for its body', 'POST', '/v2/zones', 400, {}],
  ['for its id', 'GET', '/v2/zones/none', 400, {}],
])(
  'the log names the known caller of a request that is refused %s',
  async (_why, method, path, status, headers) => {
    const token = await service.token('shop', 'member');
    const answer = await service.request(method, path, { token, headers });
    expect(answer.status).toBe(status);
    expect(await lineOf(answer.json.request_id)).toMatchObject({
      status,
      project: 'shop',
      user: token.split('_')[1],
    });
  },
);

it('the log names an administrator who acts for what cannot be a project', async () => {
  const answer = await service.request('GET', '/v2/zones', { token: service.admin, headers: noProject });
  expect(answer.status).toBe(400);
  expect(await lineOf(answer.json.request_id)).toMatchObject({ status: 400, project: 'admin' });
});

it.each([
  ['missing', undefined],
  ['unknown', 'wrong'],
  ['expired', '2001-01-01T00:00:00.000000'],
])('the log names nobody where the token is %s, and says that it is', async (credentials, text) => {
  const isExpired = credentials === 'expired';
  const token = isExpired ? await service.tokenUntil(text!, 'shop', 'member') : text;
  const answer = await service.request('GET', '/v2/zones', token === undefined ? {} : { token });
  const line = await lineOf(answer.json.request_id);
  expect(line).toMatchObject({ status: 401, type: 'access_denied', credentials, address: '127.0.0.1' });
  expect(line).not.toHaveProperty('project');
  expect(line).not.toHaveProperty('user');
});

it('the log says why a request was refused, in a line of bounded length', async () => {
  const long = await service.request('GET', `/v2/${'x'.repeat(10_000)}`, { token: service.admin });
  const line = await lineOf(long.json.request_id);
  expect(line).toMatchObject({ status: 404, type: 'not_found', reason: 'This path does not exist.' });
  expect(JSON.stringify(line).length).toBeLessThan(2000);
});

it.each([
  ['a path', `/v2/${'x'.repeat(15_000)}`, {}],
  ['an id', `/v2/zones/${'x'.repeat(15_000)}`, {}],
  ['a query', `/v2/zones?name=${'x'.repeat(15_000)}`, {}],
  ['a token', '/v2/zones', { 'x-auth-token': 'x'.repeat(15_000) }],
  ['the name of a project', '/v2/zones', { 'x-auth-sudo-project-id': 'x'.repeat(15_000) }],
])(
  'the log has short lines alone for a request of nobody with %s of 15,000 characters',
  async (_what, path, headers) => {
    const written = service.logged.length;
    const { status, json } = await service.request('GET', path, { headers });
    expect(status).toBeGreaterThanOrEqual(400);
    await lineOf(json.request_id);
    for (const line of service.logged.slice(written)) expect(JSON.stringify(line).length).toBeLessThan(2000);
  },
);

it('each refusal by a rule is one event, with who was refused what', async () => {
  const token = await service.token('shop', 'member');
  const body = { name: 'taken.example.', email: 'a@example.org' };
  await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern: '^blocked\\.' } });
  await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body: { zones: 0 } });
  await service.request('POST', '/v2/zones', { token: service.admin, body });
  const refusalOf = async (name: string) => {
    const answer = await service.request('POST', '/v2/zones', { token, body: { ...body, name } });
    const own = service.logged.filter(
      ({ event, request_id }) => event !== undefined && request_id === answer.json.request_id,
    );
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ zone: name, project: 'shop', user: token.split('_')[1] });
    return own[0]!.event;
  };
  expect(await refusalOf('blocked.example.')).toBe('refused.blacklist');
  expect(await refusalOf('free.example.')).toBe('refused.quota');
  await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body: { zones: 9 } });
  expect(await refusalOf('below.taken.example.')).toBe('refused.ownership');
});

it('each change of a rule or of a zone is one event, once it is committed', async () => {
  const token = await service.token('tenant', 'member');
  const eventsOf = async (method: string, path: string, as: string, body?: object) => {
    const answer = await service.request(method, path, { token: as, body });
    const id = answer.headers.get('x-openstack-request-id');
    return {
      answer,
      events: service.logged.filter((line) => line.event !== undefined && line.request_id === id),
    };
  };
  const pattern = { pattern: '^never\\.' };
  const { answer: created, events } = await eventsOf('POST', '/v2/blacklists', service.admin, pattern);
  expect(events).toMatchObject([
    { event: 'blacklist.created', blacklist: created.json.id, address: '127.0.0.1' },
  ]);
  const path = `/v2/blacklists/${created.json.id}`;
  expect((await eventsOf('PATCH', path, service.admin, {})).events).toMatchObject([
    { event: 'blacklist.changed' },
  ]);
  expect((await eventsOf('DELETE', path, service.admin)).events).toMatchObject([
    { event: 'blacklist.deleted' },
  ]);
  expect((await eventsOf('DELETE', path, service.admin)).events).toEqual([]);
  const quotas = await eventsOf('PATCH', '/v2/quotas/tenant', service.admin, { zones: 5 });
  expect(quotas.events).toMatchObject([
    { event: 'quotas.changed', project: 'admin', owner: 'tenant', changes: { zones: 5 } },
  ]);
  const zone = { name: 'events.example.', email: 'a@example.org' };
  const made = await eventsOf('POST', '/v2/zones', token, zone);
  expect(made.events).toMatchObject([
    { event: 'zone.created', zone: zone.name, zone_id: made.answer.json.id },
  ]);
  const { id } = made.answer.json;
  const recordset = { name: 'a.events.example.', type: 'A', records: ['192.0.2.1'] };
  const added = await eventsOf('POST', `/v2/zones/${id}/recordsets`, token, recordset);
  expect(added.events).toMatchObject([{ event: 'recordset.created', zone: zone.name }]);
  expect((await eventsOf('DELETE', `/v2/zones/${id}`, token)).events).toMatchObject([
    { event: 'zone.deleted' },
  ]);
});

/** The line of a request, which is written when its answer has been sent. */
function lineOf(requestId: string): Promise<Readonly<Record<string, unknown>>> {
  return eventually(() =>
    service.logged.find((line) => line.msg === 'request' && line.request_id === requestId),
  );
}
