/** What the command line says of patterns that are stored all the same. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

function imported(content: string, ...flags: string[]) {
  const path = join(folder.path, 'input');
  writeFileSync(path, content);
  return here('blacklist', 'import', path, ...flags);
}
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

describe('an import', () => {
  it('says on standard error what is odd about a pattern, with its line, and stores it', async () => {
    const { status, out, err } = await imported('^fine\\.example\\.$\n\n^shop.example\\.$\n^a$b\\.$\n');
    expect({ status, out }).toEqual({ status: 0, out: 'imported 3, already stored 0\n' });
    expect(linesOf(err).map((line) => line.replace(/: [A-Z].*\.$/, ''))).toEqual([
      'warning: line 3: unescaped_dot',
      'warning: line 4: never_matches',
    ]);
  });

  it('does the same for JSON lines', async () => {
    const lines = ['^fine\\.example\\.$', 'brand'].map((pattern) => JSON.stringify({ pattern }));
    const { status, err } = await imported(lines.join('\n'), '--jsonl');
    expect(status).toBe(0);
    expect(linesOf(err)).toHaveLength(2);
    for (const line of linesOf(err)) expect(line).toMatch(/^warning: line 2: unanchored: [A-Z]/);
  });

  it('prints 20 warnings and counts the others', async () => {
    const many = Array.from({ length: 25 }, (_, i) => `^shop${i}.example\\.$`).join('\n');
    const { err } = await imported(many);
    expect(linesOf(err)).toHaveLength(21);
    expect(linesOf(err)[19]).toMatch(/^warning: line 20: /);
    expect(linesOf(err)[20]).toBe('warning: and 5 more');
    const exactly = Array.from({ length: 20 }, (_, i) => `^mail${i}.example\\.$`).join('\n');
    expect(linesOf((await imported(exactly)).err)).toHaveLength(20);
  });

  it('says nothing of patterns that are made from names', async () => {
    for (const [flag, names] of Object.entries({
      '--exact': 'a.com',
      '--subtree': 'b.com',
      '--psl': '*.ck',
    })) {
      expect(await imported(`${names}\n`, flag)).toMatchObject({ status: 0, err: '' });
    }
  });

  it('says nothing of a file that is not stored', async () => {
    const { status, err } = await imported('brand\nb(\n');
    expect(status).toBe(2);
    expect(err).toMatch(/^zonewarden: Line 2: [^\n]+\n$/);
  });
});

describe('the test of a name that a pattern cannot be decided about', () => {
  const SLOW = '^(([a-z])+.)+\\2\\.slowly\\.$';
  const NAME = `${'abcd'.repeat(15)}.slowly.`;

  it('names the pattern on standard error and ends with 2', async () => {
    await imported(`${SLOW}\n^fine\\.example\\.$\n`);
    const { status, out, err } = await here('blacklist', 'test', NAME);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    const [undecided, reason, ...more] = linesOf(err);
    expect(undecided).toMatch(/^undecided: [0-9a-f-]{36} /);
    expect(undecided!.endsWith(` ${SLOW}`)).toBe(true);
    expect(reason).toMatch(/^zonewarden: .*within the step budget/);
    expect(more).toEqual([]);
    expect(await here('blacklist', 'test', 'fine.slowly.')).toEqual({ status: 0, out: '', err: '' });
  });

  it('prints all that match beside it, and ends with 1', async () => {
    await imported(`${SLOW}\nslow\n^([A-Za-z0-9_\\-]+\\.)*slowly\\.$\nquick\n`);
    const { status, out, err } = await here('blacklist', 'test', NAME);
    expect(status).toBe(1);
    expect(linesOf(out).map((line) => line.slice(37))).toEqual(['slow', '^([A-Za-z0-9_\\-]+\\.)*slowly\\.$']);
    expect(linesOf(err).map((line) => line.slice(48))).toEqual([SLOW]);
  });

  it('ends with 2 where a create gives up sooner than an explanation', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => `([a-z]{${(i % 9) + 4}})[0-9]{${i}}\\1|(?!)`);
    await imported(many.join('\n'));
    const name = `${`${'abcdefghij'.repeat(6)}.`.repeat(4)}org.`;
    const { status, err } = await here('blacklist', 'test', name);
    expect(status).toBe(2);
    expect(err).toContain('no zone with that name can be created');
  });
});
