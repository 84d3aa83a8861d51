import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandsOn, PROGRAM, run, startProcess, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { makeStore, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
});
afterEach(() => folder.remove());

const here = (...args: string[]) => runHere(args, storeOptions(folder.path));

function file(content: string | Uint8Array, name = 'input'): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

/** The warnings are left out. */
async function imported(content: string | Uint8Array, ...flags: string[]) {
  const finished = await here('blacklist', 'import', file(content), ...flags);
  return { ...finished, err: finished.err.replace(/^warning: .*\n/gm, '') };
}

/** What is stored, in order. */
async function stored(): Promise<{ pattern: string; description: string | null }[]> {
  const { status, out } = await here('blacklist', 'export', '--jsonl');
  expect(status).toBe(0);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
const patterns = async () => (await stored()).map(({ pattern }) => pattern);

/** Which of the names are blocked. */
async function blockedOf(...names: string[]): Promise<string[]> {
  const verdicts = await Promise.all(names.map((name) => here('blacklist', 'test', name)));
  return names.filter((_, place) => verdicts[place]!.status === 1);
}

const done = (added: number, there = 0) => ({
  status: 0,
  out: `imported ${added}, already stored ${there}\n`,
  err: '',
});

describe('patterns, one a line', () => {
  it('are stored as they stand, white space and a # within them included', async () => {
    expect(await imported('^a\\.$\n  ^b\\.$ \n#c\n\\#d # e\n')).toEqual(done(3));
    expect(await patterns()).toEqual(['^a\\.$', '  ^b\\.$ ', '\\#d # e']);
  });

  it('may have a byte order mark, CRLF, blank lines and no line end at the end', async () => {
    expect(await imported('\uFEFFfirst\r\n\r\n   \r\n\t\nsecond\r\n\nlast')).toEqual(done(3));
    expect(await patterns()).toEqual(['first', 'second', 'last']);
  });

  it('keep any other line separator and any script', async () => {
    expect(await imported('a\u2028b\n^münchen\\.de\\.$\nc\rd\n')).toEqual(done(3));
    expect(await patterns()).toEqual(['a\u2028b', '^münchen\\.de\\.$', 'c\rd']);
    expect(await blockedOf('münchen.de', 'xn--mnchen-3ya.de.', 'munchen.de')).toEqual([
      'münchen.de',
      'xn--mnchen-3ya.de.',
    ]);
  });

  it('are counted once when they stand twice in the file, or in the store already', async () => {
    expect(await imported('a\nb\na\n')).toEqual(done(2, 1));
    expect(await imported('c\nb\na\nc\n')).toEqual(done(1, 3));
    expect(await patterns()).toEqual(['a', 'b', 'c']);
  });

  it('may be none at all', async () => {
    expect(await imported('')).toEqual(done(0));
    expect(await imported('\n\r\n  \n')).toEqual(done(0));
  });

  it('may be more than one statement holds, all in one transaction', async () => {
    const many = Array.from({ length: 2500 }, (_, number) => `^name${number}\\.example\\.$`);
    expect(await imported(many.join('\n'))).toEqual(done(2500));
    expect(await patterns()).toEqual(many);
    expect(await imported(`${many.join('\n')}\nnew`)).toEqual(done(1, 2500));
  });
});

describe('names, one a line', () => {
  it('with --exact block themselves alone', async () => {
    const names = 'Example.COM\n# a comment\n  # another\nplain.org.\n\nmünchen.de\n  spaced.net  \r\ncom\n';
    expect(await imported(names, '--exact')).toEqual(done(5));
    expect(await blockedOf('example.com.', 'a.example.com', 'xexample.com', 'example.com.au')).toEqual([
      'example.com.',
    ]);
    expect(await blockedOf('PLAIN.org', 'xn--mnchen-3ya.de', 'spaced.net', 'com', 'exampleXcom.')).toEqual([
      'PLAIN.org',
      'xn--mnchen-3ya.de',
      'spaced.net',
      'com',
    ]);
  });

  it('with --subtree block themselves and all below, in the form that the documentation uses', async () => {
    expect(await imported('example.com\n', '--subtree')).toEqual(done(1));
    expect(await patterns()).toEqual(['^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$']);
    expect(
      await blockedOf('example.com', 'a.b_c.d-e.example.com', 'ü.example.com', 'xexample.com', 'com'),
    ).toEqual(['example.com', 'a.b_c.d-e.example.com', 'ü.example.com']);
  });

  it('are one entry in whatever way they are written', async () => {
    const ways = 'MÜNCHEN.de\nmünchen.de.\nxn--mnchen-3ya.DE\n';
    expect(await imported(ways, '--exact')).toEqual(done(1, 2));
  });
});

describe('a public suffix list', () => {
  const list = [
    '// ===BEGIN ICANN DOMAINS===',
    '',
    'com',
    'co.uk // and what follows white space',
    '*.ck',
    '!www.ck',
    '公司.cn',
    '*.kawasaki.jp',
    '!city.kawasaki.jp',
    '!スーパー.kawasaki.jp',
    '// ===BEGIN PRIVATE DOMAINS===',
    'blogspot.com\r',
    '*.compute.example.com',
  ].join('\n');

  it('blocks the suffixes themselves, in both sections, and nothing below them', async () => {
    expect(await imported(list, '--psl')).toEqual(done(7));
    const blocked = ['com', 'co.uk', '公司.cn', 'xn--55qx5d.cn.', 'blogspot.com'];
    const free = ['example.com', 'a.co.uk', 'uk', 'cn', 'a.公司.cn', 'a.blogspot.com', 'xcom'];
    expect(await blockedOf(...blocked, ...free)).toEqual(blocked);
  });

  it('takes a wildcard for one label below, without its exceptions', async () => {
    expect(await imported(list, '--psl')).toEqual(done(7));
    const blocked = [
      'co.ck',
      'www2.ck',
      'é.ck',
      'x.kawasaki.jp',
      'xcity.kawasaki.jp',
      'a.compute.example.com',
    ];
    const free = [
      'ck',
      'www.ck',
      'a.co.ck',
      'a.www.ck',
      'city.kawasaki.jp',
      'スーパー.kawasaki.jp',
      'kawasaki.jp',
      'compute.example.com',
      'a.b.compute.example.com',
    ];
    expect(await blockedOf(...blocked, ...free)).toEqual(blocked);
  });
});

describe('JSON lines', () => {
  it('carry descriptions, and patterns that no plain line could', async () => {
    const entries = [
      { pattern: 'a', description: 'why' },
      { pattern: 'b\nc', description: null },
      { pattern: ' ', description: '' },
      { pattern: 'naïve', description: 'two\nlines 👍' },
    ];
    const lines = entries.map((entry) => JSON.stringify(entry)).join('\r\n');
    expect(await imported(`\uFEFF${lines}\n\n{"pattern":"d"}`, '--jsonl')).toEqual(done(5));
    expect(await stored()).toEqual([...entries, { pattern: 'd', description: null }]);
  });
});

describe('a line that cannot be used is named by number, and nothing is stored', () => {
  const long = 'x'.repeat(4097);
  it.each<[string, string, string[], RegExp]>([
    ['a pattern that is not closed', 'good\n\nb(\n', [], /Line 3: .+ Nothing was stored\./],
    ['a pattern that is too long', `good\n${long}\n`, [], /Line 2: Use at most 4096 characters/],
    ['a pattern with U+0000', 'good\na\0b\n', [], /Line 2: Remove U\+0000/],
    ['a name with a space', 'good.com\r\nb d.com\n', ['--exact'], /Line 2: .*U\+0020/],
    [
      'a name with an empty label',
      '# names\ngood.com\na..b\n',
      ['--subtree'],
      /Line 3: A label must not be empty/,
    ],
    ['a wildcard in a file of names', 'good.com\n*.com\n', ['--exact'], /Line 2: .*U\+002A/],
    ['a label that is too long', `${'a'.repeat(64)}.com`, ['--exact'], /Line 1: .*63 characters/],
    ['a wildcard within a suffix', 'com\na.*.com\n', ['--psl'], /Line 2: A wildcard/],
    ['a wildcard alone', 'com\n*\n', ['--psl'], /Line 2: A wildcard/],
    ['an exception that is no name', 'com\n*.ck\n!w w\n!\n', ['--psl'], /Line 4: A name must not be empty/],
    [
      'JSON that is not closed',
      '{"pattern":"a"}\n{"pattern":\n',
      ['--jsonl'],
      /Line 2: Must be a JSON object/,
    ],
    ['a JSON array', '["a"]\n', ['--jsonl'], /Line 1: Must be a JSON object/],
    ['JSON null', '{"pattern":"a"}\nnull\n', ['--jsonl'], /Line 2: Must be a JSON object/],
    ['no pattern', '{"description":"a"}\n', ['--jsonl'], /Line 1: "pattern" must be a string/],
    ['an empty pattern', '{"pattern":""}\n', ['--jsonl'], /Line 1: Must not be empty/],
    ['a pattern that is a number', '{"pattern":1}\n', ['--jsonl'], /Line 1: "pattern" must be a string/],
    [
      'a description that is a list',
      '{"pattern":"a","description":[]}',
      ['--jsonl'],
      /Line 1: "description" must/,
    ],
    [
      'a key that is unknown',
      '{"pattern":"a","colour":"b"}',
      ['--jsonl'],
      /Line 1: The key "colour" is unknown/,
    ],
    ['half a surrogate pair', '{"pattern":"\\ud800"}', ['--jsonl'], /Line 1: Remove .*surrogates/],
    [
      'a description that is too long',
      JSON.stringify({ pattern: 'a', description: 'd'.repeat(1025) }),
      ['--jsonl'],
      /Line 1: Use at most 1024/,
    ],
  ])('%s', async (_what, content, flags, message) => {
    const { status, out, err } = await imported(content, ...flags);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(err).toMatch(message);
    expect(await patterns()).toEqual([]);
  });

  it('a fault in the last line of many leaves what was there before', async () => {
    expect(await imported('before')).toEqual(done(1));
    const many = Array.from({ length: 1500 }, (_, number) => `name${number}`).join('\n');
    expect((await imported(`${many}\n(`)).err).toContain('Line 1501: ');
    expect(await patterns()).toEqual(['before']);
  });
});

describe('a file that cannot be used as a whole', () => {
  it.each<[string, string | Uint8Array, string[], string]>([
    ['is not UTF-8', Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a]), [], 'The file is not UTF-8'],
    ['is UTF-16', Buffer.from('\uFEFFabc\n', 'utf16le'), ['--exact'], 'The file is not UTF-8'],
    ['is cut within a character', Buffer.from('münchen').subarray(0, 2), [], 'The file is not UTF-8'],
    ['is of two formats at once', 'a', ['--exact', '--psl'], 'Use only one of --exact and --psl'],
    ['is of three formats at once', 'a', ['--exact', '--psl', '--jsonl'], 'Use only one of'],
  ])('%s', async (_what, content, flags, message) => {
    const { status, out, err } = await imported(content, ...flags);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(err).toContain(message);
    expect(await patterns()).toEqual([]);
  });

  it('is not there, or is a folder', async () => {
    for (const path of [join(folder.path, 'missing'), folder.path]) {
      const { status, out, err } = await here('blacklist', 'import', path);
      expect({ status, out }).toEqual({ status: 2, out: '' });
      expect(err).toMatch(/^zonewarden: The file [^\n]+ cannot be read: [^\n]+\n$/);
      expect(err).toContain(path);
    }
  });
});

describe('as a process', () => {
  it('reads standard input for "-", however slowly it comes', async () => {
    const slowly = `printf '^first[.]example[.]$\\n'; sleep 0.2; printf '^second[.]example[.]$\\n'`;
    const script = `(${slowly}) | '${process.execPath}' '${PROGRAM}' blacklist import -`;
    expect(await run(['sh', '-c', script], { env: storeOptions(folder.path) })).toMatchObject(done(2));
    expect(await patterns()).toEqual(['^first[.]example[.]$', '^second[.]example[.]$']);
  });

  it('shows a progress bar on a terminal, and only there', async () => {
    const path = file('^one\\.example\\.$\n^two\\.example\\.$\n');
    const command = `'${process.execPath}' '${PROGRAM}' blacklist import '${path}'`;
    const onTerminal = await run(['script', '-qec', command, '/dev/null'], {
      env: storeOptions(folder.path),
    });
    expect(onTerminal.status).toBe(0);
    expect(onTerminal.out).toMatch(/importing \[.*100% 2\/2/);
    expect(onTerminal.out).toContain('imported 2, already stored 0');
    const elsewhere = await commandsOn(folder.path)(['blacklist', 'import', path]);
    expect(elsewhere).toMatchObject(done(0, 2));
  });

  it('is seen by the very next verdict of a running service', async () => {
    const service = await startProcess({ dataDir: folder.path });
    try {
      expect((await service.create('one.example.')).status).toBe(202);
      const command = commandsOn(folder.path);
      expect(
        await command(['blacklist', 'import', '--exact', '-'], { input: 'two.example\n' }),
      ).toMatchObject(done(1));
      const refused = await service.create('two.example.');
      expect(refused.status).toBe(400);
      expect(refused.json).toMatchObject({ type: 'invalid_zone_name', message: 'Blacklisted domain name' });
      expect((await service.create('three.example.')).status).toBe(202);
    } finally {
      await service.end('SIGKILL');
    }
  });
});
