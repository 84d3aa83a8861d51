/** Named lists of blacklists on the command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itInFullRun } from '../support/in-full-run.ts';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { inStoreOf, makeStore, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
});
afterEach(() => folder.remove());

const here = (...args: string[]) => runHere(args, storeOptions(folder.path));

function file(lines: readonly string[]): string {
  const path = join(folder.path, 'input');
  writeFileSync(path, lines.join('\n'));
  return path;
}
const on = (command: string, lines: readonly string[], ...flags: string[]) =>
  here('blacklist', command, file(lines), ...flags);

async function exported(): Promise<Record<string, unknown>[]> {
  const { out } = await here('blacklist', 'export', '--jsonl');
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
const patterns = async () => (await exported()).map(({ pattern }) => pattern).sort();
const listed = async () => (await here('blacklist', 'lists')).out;

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `^n${from + i}\\.example\\.$`);

itInFullRun(
  'ten thousand rules are tried in audit, turned to enforce, brought up to date and taken back',
  async () => {
    expect(await on('import', numbered(0, 10_000), '--list', 'brands', '--mode', 'audit')).toMatchObject({
      status: 0,
      out: 'imported 10000, already stored 0\n',
    });
    expect((await here('blacklist', 'test', 'n9999.example')).out).toContain('audit');
    expect(await here('blacklist', 'set', '--list', 'brands', '--mode', 'enforce')).toMatchObject({
      out: 'changed 10000 of 10000\n',
    });
    expect(new Set((await exported()).map(({ mode }) => mode))).toEqual(new Set([undefined]));
    const next = numbered(1000, 11_000);
    const tried = await on('sync', next, '--list', 'brands', '--dry-run');
    expect(tried.out).toContain('would import 1000, already stored 9000, would remove 1000;');
    expect(await listed()).toMatch(/^brands {2}10000 /);
    expect(await on('sync', next, '--list', 'brands')).toMatchObject({
      out: 'imported 1000, already stored 9000, no longer in the list 1000, removed 1000\n',
    });
    expect(await patterns()).toEqual(next.sort());
    expect(await listed()).toMatch(/^brands {2}10000 /);
    expect((await here('blacklist', 'test', 'n999.example')).status).toBe(0);
    expect((await here('blacklist', 'test', 'n10999.example')).status).toBe(1);
    expect(await here('verify')).toMatchObject({ status: 0 });
    expect(await here('blacklist', 'remove', '--list', 'brands')).toMatchObject({
      out: 'removed 10000, held by others 0\n',
    });
    expect([await patterns(), await listed()]).toEqual([[], '']);
    expect(await here('verify')).toMatchObject({ status: 0 });
  },
);

it('an entry goes with the last that holds it: a list, another one, or the hand', async () => {
  await on('import', ['^a\\.$', '^b\\.$', '^c\\.$'], '--list', 'one');
  await on('import', ['^b\\.$'], '--list', 'two');
  await on('import', ['^c\\.$']);
  expect(await here('blacklist', 'remove', '--list', 'one')).toMatchObject({
    out: 'removed 1, held by others 2\n',
  });
  expect(await patterns()).toEqual(['^b\\.$', '^c\\.$']);
  await on('sync', [''], '--list', 'two');
  expect(await patterns()).toEqual(['^c\\.$']);
  expect(await listed()).toMatch(/^two {2}0 /);
  await on('sync', ['^d\\.$'], '--list', 'two');
  expect(await patterns()).toEqual(['^c\\.$', '^d\\.$']);
});

it('a list also holds what was imported without one, and leaves it behind', async () => {
  await on('import', ['^a\\.$']);
  await on('import', ['^a\\.$', '^b\\.$'], '--list', 'one');
  expect(await listed()).toMatch(/^one {2}2 /);
  expect(await here('blacklist', 'remove', '--list', 'one')).toMatchObject({
    out: 'removed 1, held by others 1\n',
  });
  expect(await patterns()).toEqual(['^a\\.$']);
});

it('a sync keeps the mode and the expiry of what stays', async () => {
  const given = JSON.stringify({ pattern: '^a\\.$', mode: 'warn', expires_at: '2999-01-01T00:00:00Z' });
  await on('import', [given], '--jsonl', '--list', 'one');
  const before = await exported();
  await on('sync', ['^a\\.$', '^b\\.$'], '--list', 'one', '--mode', 'audit');
  expect(await exported()).toEqual([...before, { pattern: '^b\\.$', description: null, mode: 'audit' }]);
});

it('a file is refused with all its faults, and with what matches every name unless that is forced', async () => {
  const refused = await on('import', ['^a\\.$', '(', '^b\\.$', '['], '--list', 'one');
  expect(refused.status).not.toBe(0);
  expect(refused.err).toMatch(/^Line 2: .*\nLine 4: .*\n.*2 lines are invalid\. Nothing was stored\.\n$/);
  const all = await on('sync', ['^a\\.$', '.*'], '--list', 'one');
  expect(all.err).toMatch(/Line 2: This pattern matches nearly every name/);
  expect([await patterns(), await listed()]).toEqual([[], '']);
  expect(await on('sync', ['^a\\.$', '.*'], '--list', 'one', '--force')).toMatchObject({ status: 0 });
});

it('a counter that is wrong is found, and corrected by a repair alone', async () => {
  await on('import', ['^a\\.$', '^b\\.$', '^c\\.$'], '--list', 'one');
  await inStoreOf(folder.path, 'update blacklist_lists set entries = 7');
  const found = await here('verify');
  expect([found.status, found.out]).toEqual([
    1,
    expect.stringContaining('The counter says 7 blacklists; it holds 3'),
  ]);
  expect(await listed()).toMatch(/^one {2}7 /);
  expect((await here('verify', '--repair')).out).toContain('repaired');
  expect(await listed()).toMatch(/^one {2}3 /);
  expect((await here('verify')).status).toBe(0);
  expect((await here('events', '--json')).out).toContain('blacklists.list_repaired');
});

it.each([
  ['a name of a list that is none', ['import', 'x', '--list', 'No']],
  ['a list that is not there', ['remove', '--list', 'none']],
  ['a list that is not there', ['set', '--list', 'none', '--mode', 'audit']],
  ['nothing to set', ['set', '--list', 'none']],
])('%s is refused', async (_what, args) => {
  file([]);
  const given = args.map((arg) => (arg === 'x' ? join(folder.path, 'input') : arg));
  expect((await here('blacklist', ...given)).status).not.toBe(0);
});
