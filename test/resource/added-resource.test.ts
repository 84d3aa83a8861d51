/** A resource is added to a copy of the project as CONTRIBUTING.md says: its own files, and a line in each of four lists. */
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NEWEST } from '../../src/storage/migrate.ts';
import { copyOfProject } from '../support/packed.ts';
import { ask, run } from '../support/process.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const OWN_FILES = resolve('test/resource/labels/src');
const LINES = {
  'src/model/resources.ts': "export { labels } from './labels/resource.ts';",
  'src/domain/resources.ts': "export { labelUseCases as labels } from './labels/labels.ts';",
  'src/storage/resources.ts': "export { labels } from './labels.ts';",
  'src/http/resources.ts': "export { labels } from './labels.ts';",
};
const SOURCES = { include: ['src'], compilerOptions: { noEmit: true } };

let folder: string;
let project: string;
let before: ReadonlyMap<string, string>;

/** Every text file of the program and of its configuration, by path. */
function filesOf(root: string): ReadonlyMap<string, string> {
  const inSource = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8', withFileTypes: true });
  const paths = inSource.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const besides = readdirSync(root, { withFileTypes: true }).filter((one) => one.isFile());
  const all = [...paths, ...besides.map((one) => join(root, one.name))];
  return new Map(all.map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]));
}

/** Lines of files that were there before which are new or gone, however often each occurs. */
function changedLines(): readonly string[] {
  const after = filesOf(project);
  return [...before].flatMap(([path, text]) => {
    const [old, now] = [text, after.get(path) ?? ''].map((one) => one.split('\n').filter(Boolean));
    const beyond = (some: readonly string[], others: readonly string[]) => {
      const left = [...others];
      return some.filter((line) => !left.includes(line) || left.splice(left.indexOf(line), 1).length === 0);
    };
    return [...beyond(now!, old!), ...beyond(old!, now!)].map((line) => `${path}: ${line}`);
  });
}

/** Copies the files of the resource; its migration gets the next version. */
function addFiles(): void {
  const next = NEWEST.version + 1;
  const padded = String(next).padStart(4, '0');
  const target = join(project, 'src');
  cpSync(OWN_FILES, target, { recursive: true, errorOnExist: true, force: false });
  const migration = readFileSync(join(target, 'storage/migrations/0030-labels.ts'), 'utf8');
  rmSync(join(target, 'storage/migrations/0030-labels.ts'));
  writeFileSync(join(target, `storage/migrations/${padded}-labels.ts`), migration);
  const part = join(target, 'storage/labels.ts');
  const text = readFileSync(part, 'utf8')
    .replace('0030', padded)
    .replace('version: 30,', `version: ${next},`);
  writeFileSync(part, text);
}

const program = (name: string) => join(project, 'node_modules/.bin', name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-resource-'));
  project = copyOfProject(join(folder, 'project'));
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  before = filesOf(project);
  addFiles();
  for (const [path, line] of Object.entries(LINES)) appendFileSync(join(project, path), `${line}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a new resource takes its own files and at most four lines of others', () => {
  const changed = changedLines();
  expect(changed).toEqual(
    Object.entries(LINES)
      .map(([path, line]) => `${path}: ${line}`)
      .sort(),
  );
  expect(changed.length).toBeLessThanOrEqual(4);
});

it('a new resource compiles', async () => {
  const config = JSON.stringify({ extends: './tsconfig.json', ...SOURCES });
  writeFileSync(join(project, 'tsconfig.src.json'), config);
  const compiled = await run([program('tsc'), '-p', 'tsconfig.src.json'], { cwd: project });
  expect(compiled).toMatchObject({ status: 0, out: '' });
});

it('a new resource keeps to the layers and modules', async () => {
  const command = [program('depcruise'), 'src', '--config', '.dependency-cruiser.cjs'];
  expect(await run(command, { cwd: project })).toMatchObject({
    status: 0,
    out: expect.stringContaining('no dependency violations'),
  });
});

it('a new resource is created, listed, shown and deleted by its project, with rules and events', async () => {
  expect(await run([process.execPath, 'scripts/build.mjs'], { cwd: project })).toMatchObject({ status: 0 });
  const service: ServiceProcess = await startServiceProcess({}, [], join(project, 'dist/main.js'));
  try {
    const token = service.token('p', 'member');
    const reader = service.token('p', 'reader');
    const other = service.token('q', 'member');
    const labels = `${service.url}/v2/labels`;
    const body = { name: 'contact', text: 'noc@example.org' };
    const { status, json } = await ask(labels, 'POST', '', { token, body });
    expect({ status, json }).toMatchObject({ status: 201, json: { ...body, project_id: 'p' } });
    const one = `/${json.id}`;
    const refused = { status: 409, json: { type: 'duplicate_label' } };
    expect(await ask(labels, 'POST', '', { token, body })).toMatchObject(refused);
    expect((await ask(labels, 'POST', '', { token: other, body })).status).toBe(201);
    expect((await ask(labels, 'GET', '', { token: reader })).json.labels).toEqual([json]);
    expect(await ask(labels, 'GET', one, { token: reader })).toMatchObject({ status: 200, json });
    const unknown = { status: 404, json: { type: 'label_not_found' } };
    expect(await ask(labels, 'GET', one, { token: other })).toMatchObject(unknown);
    expect((await ask(labels, 'DELETE', one, { token: reader })).status).toBe(401);
    expect((await ask(labels, 'DELETE', one, { token })).status).toBe(204);
    expect(await ask(labels, 'GET', one, { token })).toMatchObject(unknown);
    expect((await ask(labels, 'GET', '', { token })).json.labels).toEqual([]);
    await expect
      .poll(
        () => service.logged.map(({ event }) => String(event)).filter((event) => event.startsWith('label.')),
        {
          timeout: 60_000,
        },
      )
      .toEqual(['label.created', 'label.created', 'label.deleted']);
    const { json: document } = await ask(service.url, 'GET', '/v2/openapi.json', { token });
    expect(document.paths['/v2/labels/{label_id}'].get.tags).toEqual(['Labels']);
  } finally {
    await service.remove();
  }
});
