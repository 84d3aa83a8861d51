import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { commandsOn, type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { makeStore, storeOptions } from '../support/store.ts';

const TOKEN = /^zw_([0-9a-f]{16})_[A-Za-z0-9_-]{43}\n$/;

const folder = temporaryFolder();
const command = commandsOn(folder.path);
let service: ServiceProcess;
beforeAll(async () => {
  service = await startProcess({ dataDir: folder.path });
});
afterAll(async () => {
  await service.end('SIGKILL');
  folder.remove();
});

const here = (args: readonly string[]) => runHere(args, storeOptions(folder.path));

async function makeToken(...options: string[]): Promise<{ text: string; id: string }> {
  const { status, out, err } = await here(['token', 'create', ...options]);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(TOKEN);
  return { text: out.trim(), id: TOKEN.exec(out)![1]! };
}

const statusOf = async (token: string) => (await service.request('GET', '/v2/zones', { token })).status;

async function row(id: string): Promise<string[] | undefined> {
  const { out } = await here(['token', 'list']);
  const lines = out.trimEnd().split('\n');
  return lines.find((line) => line.startsWith(id))?.split('\t');
}

it('makes a token while the service runs: the token alone is printed, and works at once', async () => {
  const { status, out, err } = await command(['token', 'create', '--project', 'tenant', '--role', 'member']);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(TOKEN);
  const text = out.trim();
  expect((await service.create('tenant.example.', text)).status).toBe(202);
});

it('gives a token the roles that are named and no others', async () => {
  const { text } = await makeToken('--project', 'tenant', '--role', 'READER', '--role', 'reader');
  expect(await statusOf(text)).toBe(200);
  expect((await service.create('reader.example.', text)).status).toBe(401);
});

it('gives a token a role that the policy file asks for, and names the roles where there is no such role', async () => {
  const file = join(folder.path, 'policy.yaml');
  writeFileSync(file, 'all_tenants: role:Auditor\n');
  const options = ['token', 'create', '--project', 'tenant', '--role', 'auditor'];
  const withPolicy = { ...storeOptions(folder.path), ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file };
  expect(await runHere(options, withPolicy)).toMatchObject({ status: 0, err: '' });
  const misspelt = await runHere([...options, '--role', 'memeber'], withPolicy);
  expect(misspelt).toMatchObject({ status: 2, out: '' });
  expect(misspelt.err).toBe(
    'zonewarden: --role: No policy rule uses the role "memeber". Use one of: admin, member, reader, metrics, auditor.\n',
  );
  expect((await here(options)).err).toMatch(
    /role "auditor"\. Use one of: admin, member, reader, metrics\.\n$/,
  );
});

it('lists tokens with all that is known of them, and never a secret', async () => {
  const made = await makeToken(
    '--project',
    'listed',
    '--role',
    'member',
    '--role',
    'reader',
    '--user',
    'ann',
    '--description',
    'Builds\tof the shop',
  );
  const { status, out, err } = await command(['token', 'list']);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out.split('\n')[0]).toBe('id\tproject\tuser\troles\tcreated\texpires\tdescription\tscope');
  expect(out).not.toContain(made.text.split('_').slice(2).join('_'));
  const [, project, user, roles, created, expires, description] = (await row(made.id))!;
  expect({ project, user, roles, expires, description }).toEqual({
    project: 'listed',
    user: 'ann',
    roles: 'member,reader',
    expires: 'never',
    description: 'Builds\\tof the shop',
  });
  expect(created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
});

it('limits a token to a scope, lists it, and names what is wrong with one', async () => {
  const whose = ['--project', 'tenant', '--role', 'member'];
  const { text, id } = await makeToken(...whose, '--scope', '{"actions":["plan"],"zones":["Example."]}');
  expect((await row(id))![7]).toBe('{"zones":["example."],"actions":["plan"]}');
  const refused = await service.create('planned.example.', text);
  expect([refused.status, refused.json.type]).toEqual([401, 'access_denied']);
  const whole = await makeToken(...whose, '--scope', '{}');
  expect((await row(whole.id))![7] ?? '').toBe('');
  for (const [scope, message] of [
    ['{"actions":["plan"', '--scope: Must be JSON: '],
    ['{"actions":["paint"]}', '--scope.actions.0: Must be one of: '],
    ['{"paint":[]}', '--scope.paint: '],
    ['7', '--scope: '],
  ] as const) {
    const failed = await here(['token', 'create', ...whose, '--scope', scope]);
    expect(failed).toMatchObject({ status: 2, out: '' });
    expect(failed.err).toContain(`zonewarden: ${message}`);
  }
});

it('revokes a token: the very next request with it is refused, and a second revocation fails', async () => {
  const { text, id } = await makeToken('--project', 'tenant', '--role', 'reader');
  expect(await statusOf(text)).toBe(200);
  expect(await command(['token', 'revoke', id])).toMatchObject({ status: 0, out: '', err: '' });
  expect(await statusOf(text)).toBe(401);
  const again = await command(['token', 'revoke', id]);
  expect(again).toMatchObject({ status: 2, out: '' });
  expect(again.err).toMatch(new RegExp(`^zonewarden: There is no token ${id}[^\\n]*\\n$`));
});

it('lets a token work until its time of expiry and not after', async () => {
  // Far enough away to see the token work before, which takes a busy machine longer. The option takes whole seconds.
  const working = async (seconds: number): Promise<{ text: string; expiry: number }> => {
    const expiry = Math.ceil(Date.now() / 1000 + seconds) * 1000;
    const when = new Date(expiry).toISOString().replace('.000Z', 'Z');
    const { text } = await makeToken('--project', 'tenant', '--role', 'reader', '--expires', when);
    const status = await statusOf(text);
    if (status !== 200 && seconds < 30 && Date.now() >= expiry) return working(2 * seconds);
    expect(status).toBe(200);
    return { text, expiry };
  };
  const { text, expiry } = await working(5);
  const refusal = await eventually(async () => {
    const status = await statusOf(text);
    return status === 200 ? undefined : status;
  });
  expect(refusal).toBe(401);
  expect(Date.now()).toBeGreaterThanOrEqual(expiry);
});

it('takes a span, a day and a time with an offset as an expiry', async () => {
  const of = async (when: string) => {
    const { id } = await makeToken('--project', 'p', '--role', 'reader', '--expires', when);
    return (await row(id))![5]!;
  };
  expect(await of('2100-02-28')).toBe('2100-02-28T00:00:00.000000');
  expect(await of('2100-01-31T12:00:00+02:00')).toBe('2100-01-31T10:00:00.000000');
  const inNinetyDays = Date.parse(`${await of('90d')}Z`) - Date.now();
  expect(inNinetyDays).toBeGreaterThan(89.9 * 86_400_000);
  expect(inNinetyDays).toBeLessThanOrEqual(90 * 86_400_000);
});

describe('a token that cannot be made ends with 2 and one line, and nothing is stored', () => {
  it.each([
    ['a project with a slash', ['--project', 'a/b', '--role', 'member'], '--project'],
    ['a project that is a dot', ['--project', '.', '--role', 'member'], '--project'],
    ['a project of 65 characters', ['--project', 'p'.repeat(65), '--role', 'member'], '--project'],
    ['an empty project', ['--project', '', '--role', 'member'], '--project'],
    ['a user with a space', ['--project', 'p', '--role', 'member', '--user', 'a b'], '--user'],
    ['an empty role', ['--project', 'p', '--role', ''], '--role'],
    ['a role with a comma', ['--project', 'p', '--role', 'member,admin'], '--role'],
    ['a role that is misspelt', ['--project', 'p', '--role', 'memeber'], 'admin, member, reader'],
    [
      'a description of 1,025 characters',
      ['--project', 'p', '--role', 'member', '--description', 'x'.repeat(1025)],
      '--description: Use at most 1024 characters.',
    ],
    ['a past expiry', ['--project', 'p', '--role', 'member', '--expires', '2020-01-01'], 'in the future'],
    ['no span at all', ['--project', 'p', '--role', 'member', '--expires', '0d'], 'in the future'],
    ['an unknown unit', ['--project', 'p', '--role', 'member', '--expires', '3w'], '--expires: Must be'],
    ['words', ['--project', 'p', '--role', 'member', '--expires', 'tomorrow'], '--expires: Must be'],
    ['a day that is none', ['--project', 'p', '--role', 'member', '--expires', '2100-02-30'], '--expires'],
    [
      'an hour that is none',
      ['--project', 'p', '--role', 'member', '--expires', '2100-02-03T25:00Z'],
      '--expires',
    ],
  ])('%s', async (_what, options, part) => {
    const before = await here(['token', 'list']);
    const { status, out, err } = await here(['token', 'create', ...options]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(err).toContain(part);
    expect((await here(['token', 'list'])).out).toBe(before.out);
  });
});

it('makes tokens side by side in an empty store, and the service then makes no token of its own', async () => {
  const empty = temporaryFolder();
  await makeStore(empty.path);
  const made = await Promise.all(
    ['a', 'b', 'c', 'd'].map((project) =>
      commandsOn(empty.path)(['token', 'create', '--project', project, '--role', 'admin']),
    ),
  );
  for (const one of made)
    expect(one).toMatchObject({ status: 0, err: '', out: expect.stringMatching(TOKEN) });
  const other = await startProcess({ dataDir: empty.path });
  const answers = await Promise.all(
    made.map(({ out }) => other.request('GET', '/v2/zones', { token: out.trim() })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(() => other.admin).toThrow('ENOENT');
  await other.end('SIGKILL');
  empty.remove();
});
