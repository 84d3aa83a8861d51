import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyOfProject } from '../support/packed.ts';
import { run } from '../support/process.ts';

let folder: string;
let project: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-build-'));
  project = copyOfProject(join(folder, 'project'));
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const build = () => run([process.execPath, 'scripts/build.mjs'], { cwd: project });
const NOTHING = { status: 0, out: '', err: '' };
const EVERYTHING = {
  status: 0,
  out: '',
  err: expect.stringMatching(/^the program, .*\d s\nthe console, .*\d s$/m),
};

it('a build bundles the program into a few files, and says what it does', async () => {
  expect(await build()).toMatchObject(EVERYTHING);
  const files = readdirSync(join(project, 'dist'));
  expect(files).toEqual(expect.arrayContaining(['main.js', 'console', 'worker.js', 'statement-thread.js']));
});

describe('after a build', () => {
  beforeEach(async () => {
    await build();
    expect(await build()).toMatchObject(NOTHING);
  });

  it('another one does nothing, until a source has changed', async () => {
    appendFileSync(join(project, 'src', 'main.ts'), '// A change.\n');
    expect(await build()).toMatchObject(EVERYTHING);
  });

  it('a source that is added or removed counts as a change', async () => {
    const added = join(project, 'src', 'added.ts');
    writeFileSync(added, '');
    expect(await build()).toMatchObject(EVERYTHING);
    rmSync(added);
    expect(await build()).toMatchObject(EVERYTHING);
  });

  it('a file that is missing from dist is made again, and one too many is removed', async () => {
    const [missing, left] = ['worker.js', 'left.js'].map((name) => join(project, 'dist', name));
    rmSync(missing!);
    writeFileSync(left!, '');
    expect(await build()).toMatchObject(EVERYTHING);
    expect([existsSync(missing!), existsSync(left!)]).toEqual([true, false]);
  });

  it('a build that fails leaves nothing that counts as built', async () => {
    const broken = join(project, 'console', 'vite.config.ts');
    appendFileSync(broken, 'const = ;\n');
    expect((await build()).status).toBe(1);
    copyFileSync('console/vite.config.ts', broken);
    expect(await build()).toMatchObject(EVERYTHING);
  });
});
