import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { PROGRAM, run, temporaryFolder } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Runs the program on a Node.js that says it is of another version. */
function runOn(version: string) {
  const preload = join(folder.path, `${version}.cjs`);
  const versions = `{ ...process.versions, node: '${version}' }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} });\n`);
  return run([process.execPath, '--require', preload, PROGRAM, '--version']);
}

it.each(['16.20.2', '18.20.4', '20.18.3'])(
  'on Node.js %s it says which version it needs',
  async (version) => {
    expect(await runOn(version)).toMatchObject({
      status: 2,
      out: '',
      err: `Zonewarden needs Node.js 20.19 or later; this is ${version}.\n`,
    });
  },
);

it.each(['20.19.0', '22.1.0'])('on Node.js %s it runs', async (version) => {
  expect(await runOn(version)).toMatchObject({ status: 0, err: '' });
});

it('needs the version that the package says', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).engines.node).toBe('>=20.19');
});

it('loads nothing before it has looked at the version', () => {
  const entry = readFileSync(PROGRAM, 'utf8');
  expect(entry).not.toMatch(/^import\b/m);
  expect(entry).not.toMatch(/\?\.|\?\?|^\s*await /m);
});
