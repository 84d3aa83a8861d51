import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandsOn, PROGRAM, run, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { makeStore, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
});
afterEach(() => folder.remove());

const here = (...args: string[]) => runHere(args, storeOptions(folder.path));

interface Entry {
  readonly pattern: string;
  readonly description: string | null;
}

async function store(entries: readonly Entry[]): Promise<void> {
  const path = join(folder.path, 'entries');
  writeFileSync(path, entries.map((entry) => JSON.stringify(entry)).join('\n'));
  expect((await here('blacklist', 'import', '--jsonl', path)).status).toBe(0);
}

/** What a fresh store holds after it imported a text, as JSON lines. */
async function afterImportOf(text: string, ...flags: string[]): Promise<string> {
  const other = temporaryFolder();
  try {
    await makeStore(other.path);
    const path = join(other.path, 'input');
    writeFileSync(path, text);
    expect(await runHere(['blacklist', 'import', ...flags, path], storeOptions(other.path))).toMatchObject({
      status: 0,
    });
    return (await runHere(['blacklist', 'export', '--jsonl'], storeOptions(other.path))).out;
  } finally {
    other.remove();
  }
}

const ENTRIES: readonly Entry[] = [
  { pattern: '^a\\.example\\.$', description: 'why' },
  { pattern: ' spaces around ', description: null },
  { pattern: 'a#not a comment', description: 'two\nlines, "quotes" and 👍' },
  { pattern: '^münchen\\.', description: '' },
  { pattern: 'a\u2028b', description: null },
];

describe('an export is an import', () => {
  it('as JSON lines, with every pattern and description', async () => {
    const all = [...ENTRIES, { pattern: 'a\nb', description: null }, { pattern: '  ', description: null }];
    await store(all);
    const { status, out, err } = await here('blacklist', 'export', '--jsonl');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const lines = all.map((entry) => `${JSON.stringify(entry)}\n`.replace('\u2028', '\\u2028'));
    expect(out).toBe(lines.join(''));
    expect(await afterImportOf(out, '--jsonl')).toBe(out);
  });

  it('as plain lines, with every pattern', async () => {
    await store(ENTRIES);
    const { status, out, err } = await here('blacklist', 'export');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toBe(ENTRIES.map(({ pattern }) => `${pattern}\n`).join(''));
    const again = (await afterImportOf(out)).trimEnd().split('\n');
    expect(again.map((line) => JSON.parse(line).pattern)).toEqual(ENTRIES.map(({ pattern }) => pattern));
  });

  it('of more patterns than one batch holds, in order', async () => {
    const many = Array.from({ length: 2000 }, (_, number) => `^n${number}\\.$`);
    await store(many.map((pattern) => ({ pattern, description: null })));
    expect((await here('blacklist', 'export')).out).toBe(many.map((pattern) => `${pattern}\n`).join(''));
  });

  it('of nothing is nothing', async () => {
    expect(await here('blacklist', 'export')).toEqual({ status: 0, out: '', err: '' });
    expect(await here('blacklist', 'export', '--jsonl')).toEqual({ status: 0, out: '', err: '' });
  });
});

it('a plain export names the patterns that fit on no line, prints the others and ends with 2', async () => {
  await store([
    { pattern: 'a\nb', description: null },
    { pattern: 'good', description: null },
    { pattern: 'c\r', description: null },
    { pattern: ' ', description: null },
    { pattern: '\uFEFFmark', description: null },
    { pattern: '#a', description: null },
  ]);
  const { status, out, err } = await here('blacklist', 'export');
  expect({ status, out }).toEqual({ status: 2, out: 'good\n' });
  const lines = err.trimEnd().split('\n');
  expect(lines).toHaveLength(6);
  for (const [place, shown] of ['"a\\nb"', '"c\\r"', '" "', '"\\ufeffmark"', '"#a"'].entries()) {
    expect(lines[place]).toMatch(/^skipped [0-9a-f-]{36}: /);
    expect(lines[place]!.endsWith(shown)).toBe(true);
  }
  expect(lines[5]).toBe(
    'zonewarden: 5 of the patterns were skipped. Export them with "blacklist export --jsonl".',
  );
});

describe('the test of a name', () => {
  beforeEach(() =>
    store([
      { pattern: '^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$', description: null },
      { pattern: 'münchen', description: null },
      { pattern: 'shop', description: null },
    ]),
  );

  it.each<[string, string[]]>([
    ['example.com.', ['^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$']],
    ['SHOP.Example.COM', ['^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$', 'shop']],
    ['münchen.de', ['münchen']],
    ['xn--mnchen-3ya.de.', ['münchen']],
    ['MÜNCHEN-shop.de', ['münchen', 'shop']],
    ['shop', ['shop']],
  ])('%s: prints every pattern that matches, with its id, and ends with 1', async (name, expected) => {
    const { status, out, err } = await here('blacklist', 'test', name);
    expect({ status, err }).toEqual({ status: 1, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(37)).sort()).toEqual([...expected].sort());
    for (const line of lines) expect(line).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} /);
  });

  it.each(['myexample.com', 'example.com.au.', 'munchen.de', 'com'])(
    '%s: prints nothing and ends with 0',
    async (name) => {
      expect(await here('blacklist', 'test', name)).toEqual({ status: 0, out: '', err: '' });
    },
  );

  it.each([
    ['', /must not be empty/],
    ['a..b', /A label must not be empty/],
    ['a b.com', /U\+0020/],
    ['example.com\n', /U\+000A/],
    ['*.example.com', /U\+002A/],
    ['xn--a.com', /not an A-label/],
    [`${'a'.repeat(64)}.com`, /63 characters/],
    ['example\u3002com', /separates labels/],
  ])('%j is no name: ends with 2 and one line', async (name, reason) => {
    const { status, out, err } = await here('blacklist', 'test', name);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(err).toMatch(reason);
  });

  it('has the same three ends as a process', async () => {
    const command = commandsOn(folder.path);
    const [blocked, free, failed] = await Promise.all(
      ['shop.example', 'free.example', 'no name'].map((name) => command(['blacklist', 'test', name])),
    );
    expect(blocked).toMatchObject({ status: 1, err: '' });
    expect(free).toMatchObject({ status: 0, out: '', err: '' });
    expect(failed).toMatchObject({ status: 2, out: '' });
  });
});

describe('what a terminal would obey', () => {
  const RESET = '\u001bc\u009b31m\u007f';
  const OBEYED = /[^\P{Control}\n]/u;
  const pattern = `^shop${RESET}|^shop`;

  it('is escaped by the test of a name', async () => {
    await store([{ pattern, description: null }]);
    const { status, out } = await here('blacklist', 'test', 'shop.example');
    expect(status).toBe(1);
    expect(out).not.toMatch(OBEYED);
    expect(out).toContain(' ^shop\\u001bc\\u009b31m\\u007f|^shop\n');
  });

  it('is left to JSON lines by an export, and escaped there in a way that is read back', async () => {
    await store([{ pattern, description: RESET }]);
    const plain = await here('blacklist', 'export');
    expect(plain).toMatchObject({ status: 2, out: '' });
    expect(plain.err).not.toMatch(OBEYED);
    const { status, out } = await here('blacklist', 'export', '--jsonl');
    expect(status).toBe(0);
    expect(out).not.toMatch(OBEYED);
    expect(JSON.parse(out)).toEqual({ pattern, description: RESET });
    expect(await afterImportOf(out, '--jsonl')).toBe(out);
  });
});

it('whoever stops reading an export early ends it as a signal would: quietly, with 141', async () => {
  const many = Array.from({ length: 1000 }, (_, number) => `^${'long'.repeat(50)}${number}\\.$`);
  await store(many.map((pattern) => ({ pattern, description: null })));
  const script = `('${process.execPath}' '${PROGRAM}' blacklist export; echo "ended with $?" >&2) | head -n 1`;
  const { out, err } = await run(['sh', '-c', script], { env: storeOptions(folder.path) });
  expect(out).toBe(`${many[0]}\n`);
  expect(err).toBe('ended with 141\n');
});
