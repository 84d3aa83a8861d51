import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyOfProject } from '../support/packed.ts';
import { run, startProcess } from '../support/process.ts';
import { makeStore } from '../support/store.ts';

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
  expect(readdirSync(join(project, 'dist'))).toContain('main.js');
  const files = readdirSync(join(project, 'dist', 'current'));
  expect(files).toEqual(
    expect.arrayContaining(['program.js', 'console', 'worker.js', 'statement-thread.js', 'file-check.js']),
  );
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

  it('a file that is missing is made again, and one too many is left out', async () => {
    const [missing, left] = ['worker.js', 'left.js'].map((name) => join(project, 'dist', 'current', name));
    rmSync(missing!);
    writeFileSync(left!, '');
    expect(await build()).toMatchObject(EVERYTHING);
    expect([existsSync(missing!), existsSync(left!)]).toEqual([true, false]);
  });

  it('a build that fails leaves the one before it as it was, and nothing of its own', async () => {
    const dist = join(project, 'dist');
    const before = readdirSync(dist);
    const broken = join(project, 'console', 'vite.config.ts');
    appendFileSync(broken, 'const = ;\n');
    expect((await build()).status).toBe(1);
    expect(readdirSync(dist)).toEqual(before);
    copyFileSync('console/vite.config.ts', broken);
    expect(await build()).toMatchObject(NOTHING);
  });

  it('a service that runs starts threads from its own build after the next one', async () => {
    const dataDir = join(folder, 'data');
    await makeStore(dataDir);
    const service = await startProcess({ dataDir, program: join(project, 'dist', 'main.js') });
    const worker = join(project, 'src', 'matcher', 'worker.ts');
    writeFileSync(worker, "throw new Error('of the next build');\n");
    expect(await build()).toMatchObject(EVERYTHING);
    const body = { pattern: '^(([a-z])+.)+\\2\\.slowly\\.$' };
    await service.request('POST', '/v2/blacklists', { token: service.admin, body });
    const refused = await service.create(`${'abcd'.repeat(15)}.slowly.`);
    const ended = await service.end();
    copyFileSync('src/matcher/worker.ts', worker);
    expect(refused.json).toMatchObject({ message: expect.stringContaining('step budget') });
    expect(ended).toMatchObject({ status: 0 });
  });

  it('the next one removes all but the latest builds, what an interrupted build left, and nothing newer', async () => {
    const dist = join(project, 'dist');
    const first = realpathSync(join(dist, 'current'));
    for (let age = 1; age <= 7; age++) {
      cpSync(first, join(dist, `build-${age}`), { recursive: true });
      utimesSync(join(dist, `build-${age}`), 0, 10_000 - age);
    }
    for (const name of ['build-left', 'build-begun']) mkdirSync(join(dist, name));
    utimesSync(join(dist, 'build-left'), 0, 0);
    appendFileSync(join(project, 'src', 'main.ts'), '// Another change.\n');
    expect(await build()).toMatchObject(EVERYTHING);
    const left = ['build-begun', 'build-left', ...Array.from({ length: 7 }, (_, at) => `build-${at + 1}`)];
    const present = readdirSync(dist).filter((name) => left.includes(name));
    expect(existsSync(first)).toBe(true);
    expect(present).toContain('build-begun');
    expect(present).not.toContain('build-left');
    expect(present).not.toContain('build-7');
    expect(readdirSync(dist).filter((name) => name.startsWith('build-'))).toHaveLength(7);
  });
});

describe('what npm pack packs', () => {
  const prepack = () => run([process.execPath, 'scripts/prepack.mjs'], { cwd: project });

  it('is built in a folder of its own: dist/ stays as it is', async () => {
    await build();
    const dist = join(project, 'dist');
    const files = () =>
      readdirSync(dist, { recursive: true }).map((name) => {
        const { ino, mtimeMs } = lstatSync(join(dist, String(name)));
        return [name, ino, mtimeMs];
      });
    const before = files();
    expect(await prepack()).toMatchObject({ status: 0 });
    expect(files()).toEqual(before);
    expect(existsSync(join(project, 'packed', 'current', 'program.js'))).toBe(true);
    expect(existsSync(join(project, 'packed', 'main.js'))).toBe(true);
  });

  it('has the dependencies of the lock file, or is not made', async () => {
    const lock = join(project, 'package-lock.json');
    const text = readFileSync(lock, 'utf8');
    const { integrity } = JSON.parse(text).packages['node_modules/pino'];
    writeFileSync(lock, text.replace(integrity, 'sha512-another'));
    const refused = await prepack();
    writeFileSync(lock, text);
    expect(refused).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^node_modules\/pino is not what package-lock\.json says\./),
    });
  });
});
