import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';

const NAME = 'file.example.';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const token = await service.token('shop', 'member');
  const body = { name: NAME, email: 'a@example.org' };
  expect((await service.request('POST', '/v2/zones', { token, body })).status).toBe(202);
});
afterAll(() => service.remove());

const here = (...args: string[]) => runHere(['zone', ...args], storeOptions(service.dataDir));
function fileOf(text: string): string {
  const path = join(service.dataDir, 'wanted.zone');
  writeFileSync(path, text);
  return path;
}

it('shows what would make a zone match a file, applies it, and then has nothing to do', async () => {
  const file = fileOf('www 60 A 192.0.2.1\n');
  const planned = await here('plan', NAME, file, '--exit-code');
  expect(planned.status).toBe(3);
  expect(planned.out).toContain(
    `+www.${NAME} 60 IN A 192.0.2.1\n1 to create, 0 to change, 0 to delete, 0 unchanged\n`,
  );
  const plan = /^plan: (sha256:\w+)$/m.exec(planned.out)![1]!;
  expect((await here('plan', NAME, file)).status).toBe(0);
  expect((await here('apply', NAME, file)).status).toBe(2);
  expect((await here('apply', NAME, fileOf('www 60 A 192.0.2.2\n'), '--plan', plan, '--yes')).status).toBe(1);
  expect((await here('apply', NAME, fileOf('www 60 A 192.0.2.1\n'), '--plan', plan, '--yes')).status).toBe(0);
  expect((await here('plan', NAME, file, '--exit-code')).status).toBe(0);
  const changed = await here('plan', NAME, fileOf('www 60 A 192.0.2.3\n'));
  expect(changed.out).toContain(`-www.${NAME} 60 IN A 192.0.2.1\n+www.${NAME} 60 IN A 192.0.2.3\n`);
  expect((await here('plan', NAME, fileOf('; none\n'), '--max-deletions', '0')).status).toBe(1);
  expect((await here('plan', NAME, fileOf('bad 60 A x\n'))).status).toBe(1);
  expect((await here('plan', 'unknown.example.', file)).status).toBe(1);
  for (const path of [join(service.dataDir, 'no-file'), service.dataDir]) {
    const unreadable = await here('plan', NAME, path);
    expect([unreadable.status, unreadable.err]).toEqual([2, expect.stringContaining('cannot be read')]);
  }
});

it('applies what comes through a pipe, which can be read once', async () => {
  const pipe = join(service.dataDir, 'pipe');
  execFileSync('mkfifo', [pipe]);
  spawn('sh', ['-c', `echo 'piped 60 A 192.0.2.9' > ${pipe}`]);
  expect((await here('apply', NAME, pipe, '--yes')).status).toBe(0);
  expect((await here('plan', NAME, fileOf('piped 60 A 192.0.2.9\n'), '--exit-code')).status).toBe(0);
});

it('obeys guardrails, unless they are overridden', async () => {
  const refusing = { ...storeOptions(service.dataDir), ZONEWARDEN_GUARDRAILS__DANGLING_TARGET: 'refuse' };
  const apply = (...args: string[]) => runHere(['zone', 'apply', NAME, file, '--yes', ...args], refusing);
  const file = fileOf('www 60 A 192.0.2.1\nalias 60 CNAME gone\n');
  const refused = await apply();
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('Guardrail dangling_target: ')]);
  const made = await apply('--override', 'dangling_target');
  expect(made.status).toBe(0);
  const unknown = await apply('--override', 'no_such');
  expect([unknown.status, unknown.err]).toEqual([2, expect.stringContaining('mass_deletion')]);
});
