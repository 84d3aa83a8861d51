import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { PROGRAM, run, temporaryFolder } from '../support/process.ts';
import { isOnPostgres, makeStore, storeOptions } from '../support/store.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Node.js writes the address of each module that it loads into a file. */
const HOOK = `
import { appendFileSync } from 'node:fs';
let file;
export const initialize = (data) => { file = data; };
export const load = (url, context, next) => {
  appendFileSync(file, url + '\\n');
  return next(url, context);
};
`;

/** Runs a command of the program, and returns the text of each file of the program that it loads. */
async function filesOf(args: readonly string[], status = 0): Promise<readonly string[]> {
  const [hook, preload, list] = ['hook.mjs', 'preload.mjs', 'list'].map((name) => join(folder.path, name));
  writeFileSync(hook!, HOOK);
  writeFileSync(list!, '');
  const options = JSON.stringify({ data: list });
  writeFileSync(
    preload!,
    `import { register } from 'node:module';\nregister(${JSON.stringify(pathToFileURL(hook!))}, ${options});\n`,
  );
  const env = storeOptions(folder.path);
  const ended = await run([process.execPath, '--import', preload!, PROGRAM, ...args], { env });
  expect(ended).toMatchObject({ status });
  const loaded = readFileSync(list!, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => fileURLToPath(url));
  return loaded.map((file) => readFileSync(file, 'utf8'));
}

const sizeOf = (files: readonly string[]): number => files.reduce((sum, text) => sum + text.length, 0);
const packagesIn = (files: readonly string[]): Set<string> => {
  const bundled = files.flatMap((text) => [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)]);
  return new Set(bundled.map(([, name]) => name!));
};

it.each([
  ['--version', 0],
  ['help', 0],
  ['serv', 2],
  ['token', 2],
])('"zonewarden %s" loads the command line and nothing of the store', async (word, status) => {
  const files = await filesOf([word], status);
  expect(packagesIn(files)).toContain('commander');
  for (const name of ['kysely', 'pg', 'yaml', 'tr46', 'pino']) expect(packagesIn(files)).not.toContain(name);
  expect(sizeOf(files)).toBeLessThan(500_000);
});

it('a command loads the driver of PostgreSQL only for a store there, and no log, no HTTP and no YAML', async () => {
  await makeStore(folder.path);
  const packages = packagesIn(await filesOf(['token', 'list']));
  expect(packages).toContain('kysely');
  expect(packages.has('pg')).toBe(isOnPostgres());
  for (const name of ['tr46', 'pino', 'fastify', 'yaml']) expect(packages).not.toContain(name);
});

it('a command starts no thread for what it reads', async () => {
  const files = await filesOf(['blacklist', 'export']);
  expect(files.filter((text) => text.includes('parentPort'))).toEqual([]);
});
