import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';

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

it('the log names nobody where nobody is known', async () => {
  const answer = await service.request('GET', '/v2/zones', { token: 'wrong' });
  const line = await lineOf(answer.json.request_id);
  expect(line).toMatchObject({ status: 401 });
  expect(line).not.toHaveProperty('project');
  expect(line).not.toHaveProperty('user');
});

/** The line of a request, which is written when its answer has been sent. */
function lineOf(requestId: string): Promise<Readonly<Record<string, unknown>>> {
  return eventually(() =>
    service.logged.find((line) => line.msg === 'request' && line.request_id === requestId),
  );
}
