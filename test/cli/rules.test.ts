/** Modes, expiries and exceptions of blacklists on the command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { makeStore, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
});
afterEach(() => folder.remove());

const here = (...args: string[]) => runHere(args, storeOptions(folder.path));
function imported(lines: readonly (string | object)[], ...flags: string[]) {
  const path = join(folder.path, 'input');
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return here('blacklist', 'import', path, ...flags);
}
async function exported(): Promise<object[]> {
  const { out } = await here('blacklist', 'export', '--jsonl');
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const FULL = {
  pattern: '^full\\.example\\.$',
  description: null,
  mode: 'warn',
  expires_at: '2999-01-01T00:00:00.000000',
  exceptions: [{ project_id: 'mine', name: null, description: null, expires_at: null }],
};

it('an import gives all entries of a file a mode and an expiry, but those that have their own', async () => {
  const lines = [
    FULL,
    { pattern: '^plain\\.example\\.$' },
    { pattern: '^own\\.example\\.$', expires_at: null },
  ];
  const flags = ['--jsonl', '--mode', 'audit', '--expires-at', '2998-12-31T23:00:00Z'];
  expect(await imported(lines, ...flags)).toMatchObject({ status: 0, out: 'imported 3, already stored 0\n' });
  expect(await exported()).toEqual([
    FULL,
    {
      pattern: '^plain\\.example\\.$',
      description: null,
      mode: 'audit',
      expires_at: '2998-12-31T23:00:00.000000',
    },
    { pattern: '^own\\.example\\.$', description: null, mode: 'audit' },
  ]);
  expect(await imported(['named.example'], '--exact', '--mode', 'warn')).toMatchObject({ status: 0 });
  expect((await exported()).at(-1)).toMatchObject({ pattern: '^named\\.example\\.$', mode: 'warn' });
});

it('an export is imported again as it was, and a plain one says what it leaves out', async () => {
  await imported([FULL, { pattern: '^plain\\.example\\.$' }], '--jsonl');
  const before = await exported();
  const plain = await here('blacklist', 'export');
  expect(plain).toMatchObject({ status: 0, out: '^full\\.example\\.$\n^plain\\.example\\.$\n' });
  expect(plain.err).toMatch(/^1 of the patterns have a mode, an expiry or exceptions, .*--jsonl.*\n$/);
  folder.remove();
  folder = temporaryFolder();
  await makeStore(folder.path);
  await imported(before, '--jsonl');
  expect(await exported()).toEqual(before);
});

it.each<[string, object, string]>([
  ['a mode', { mode: 'off' }, 'mode: Must be "enforce", "warn" or "audit".'],
  ['an exception', { exceptions: [{ name: 'a' }] }, 'exceptions.0.name: '],
  ['an expiry', { expires_at: 'soon' }, 'expires_at: Must be a time, such as '],
])('a file with %s that is none is refused with its line', async (_what, terms, fault) => {
  const { status, out, err } = await imported([FULL, { pattern: 'b', ...terms }], '--jsonl');
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain(`zonewarden: Line 2: ${fault}`);
  expect(err).toContain('Nothing was stored.');
});

it.each([
  [['--mode', 'off'], '--mode: "off" is not a mode. Use one of: enforce, warn, audit.'],
  [['--expires-at', 'soon'], '--expires-at: Must be a time, such as '],
])('an import with %j is refused', async (flags, message) => {
  const { status, err } = await imported(['a'], ...flags);
  expect(status).toBe(2);
  expect(err).toContain(message);
});

it('the test of a name shows modes and exceptions, and what a create of a project would meet', async () => {
  const exceptions = [{ project_id: 'mine' }, { name: 'free.example.' }];
  await imported(
    [
      { pattern: 'example\\.$', exceptions },
      { pattern: '(^|\\.)example\\.$', mode: 'audit', expires_at: '2999-01-01T00:00:00' },
    ],
    '--jsonl',
  );
  const test = async (name: string, ...flags: string[]) => {
    const { status, out, err } = await here('blacklist', 'test', name, ...flags);
    return { status, lines: out.split('\n').map((line) => line.slice(37)), err };
  };
  const audited = '(^|\\.)example\\.$ (mode audit, expires 2999-01-01T00:00:00.000000)';
  expect(await test('a.example')).toEqual({
    status: 1,
    lines: ['example\\.$ (exceptions 2)', audited, ''],
    err: 'creating a.example. would be refused\n',
  });
  expect(await test('a.example', '--project', 'mine')).toEqual({
    status: 1,
    lines: ['example\\.$ (exceptions 2, allowed by the exception for project mine)', audited, ''],
    err: 'creating a.example. would succeed with an event\n',
  });
  expect((await test('free.example')).lines[0]).toContain('allowed by the exception for name free.example.');
  expect(await test('other.org')).toEqual({ status: 0, lines: [''], err: '' });
  expect((await here('blacklist', 'test', 'a.example', '--project', 'no id')).status).toBe(2);
});
