/** Commands where there is no store: only a service, and a copy, make one. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { inStoreOf, isOnPostgres, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

const COMMANDS = [
  ['verify'],
  ['token', 'create', '--project', 'p', '--role', 'member'],
  ['token', 'list'],
  ['blacklist', 'import', '/dev/null'],
  ['blacklist', 'export'],
  ['blacklist', 'test', 'shop.example'],
];

const LINE =
  /^zonewarden: (There is no database \S+zonewarden\.db|The database contains no store)\. Check [^\n]+"zonewarden serve" to create one\.\n$/;

it.each(COMMANDS.map((command) => [command.join(' '), command] as const))(
  '%s: ends with 2 and one line, and makes none',
  async (_, command) => {
    const { status, out, err } = await runHere(command, storeOptions(dataDir));
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(LINE);
    expect(readdirSync(folder.path)).toEqual([]);
    if (isOnPostgres()) {
      const tables = 'select count(*)::int as tables from pg_tables where schemaname = current_schema()';
      mkdirSync(dataDir);
      expect(await inStoreOf(dataDir, tables)).toEqual([{ tables: 0 }]);
    }
  },
);

it('a file in which no store was ever made is none', async () => {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'zonewarden.db'), '');
  const { status, out, err } = await runHere(['token', 'list'], { ZONEWARDEN_DEFAULT__DATA_DIR: dataDir });
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^zonewarden: The database contains no store\. [^\n]+\n$/);
});
