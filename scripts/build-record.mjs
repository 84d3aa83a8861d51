// The builds in dist/, each with a record of what it was made from and what it made, so that the next one can tell without a
// compiler that nothing changed.
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORD = '.built.json';
const CURRENT = 'current';
const ENTRY = 'main.js';
const BUILD = 'build-';
/** How many earlier builds are kept: services may still run from them. */
const KEPT = 5;
/** After that long, a build without a record was interrupted. */
const HOUR_MS = 3_600_000;
/** Files and folders of which anything may change what is built; npm keeps the last for what it has installed. */
const SOURCES = [
  'src',
  'console',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'docs/name-servers.md',
];
const INSTALLED = 'node_modules/.package-lock.json';
/** Beneath the sources, and not built from. */
const MADE = new Set(['console/api/openapi.ts', 'console/pictures']);

/** The files of a file or folder, in one order everywhere. */
function filesOf(path) {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stat === undefined || MADE.has(path)) return [];
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(join(ROOT, path)).sort();
  return names.flatMap((name) => filesOf(`${path}/${name}`));
}

/** The files in a folder that was built, but for the record. */
function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((name) => name !== RECORD)
    .sort();
}

/** A hash of the names and the contents of all that the program is built from, and of the Node.js that builds. */
export function sourcesNow() {
  const hash = createHash('sha256').update(process.version);
  for (const path of [...SOURCES, INSTALLED].flatMap(filesOf)) {
    const content = readFileSync(join(ROOT, path));
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const made = (folder) =>
  Object.fromEntries(filesIn(folder).map((name) => [name, statSync(join(folder, name)).size]));

/** Whether the current build is exactly what was built from these sources. */
export function isBuiltFrom(sources, dist) {
  try {
    const folder = join(dist, CURRENT);
    const record = JSON.parse(readFileSync(join(folder, RECORD), 'utf8'));
    const isWhole = JSON.stringify(record.files) === JSON.stringify(made(folder));
    return isWhole && record.sources === sources && existsSync(join(dist, ENTRY));
  } catch {
    return false;
  }
}

/** A new folder for a build. */
export function newBuild(dist) {
  mkdirSync(dist, { recursive: true });
  const folder = join(dist, `${BUILD}${randomBytes(4).toString('hex')}`);
  mkdirSync(folder);
  return folder;
}

/** The last act of a build in its folder. */
export function recordBuild(sources, folder) {
  writeFileSync(join(folder, RECORD), JSON.stringify({ sources, files: made(folder) }));
}

/** Lets whoever starts from now on start a build; at no moment is there none. */
export function makeCurrent(dist, folder) {
  const [link, entry] = [`${folder}.link`, `${folder}.${ENTRY}`];
  symlinkSync(basename(folder), link);
  renameSync(link, join(dist, CURRENT));
  copyFileSync(join(folder, ENTRY), entry);
  renameSync(entry, join(dist, ENTRY));
}

const ageOf = (path) => Date.now() - lstatSync(path).mtimeMs;

/** Removes what a service can hardly run from: all but the latest builds, and what an interrupted build has left. */
export function removeEarlier(dist) {
  const names = readdirSync(dist).filter((name) => name !== CURRENT && name !== ENTRY);
  const builds = names.map((name) => join(dist, name)).filter((path) => existsSync(join(path, RECORD)));
  const current = realpathSync(join(dist, CURRENT));
  const earlier = builds.filter((path) => realpathSync(path) !== current);
  const kept = new Set(earlier.sort((one, other) => ageOf(one) - ageOf(other)).slice(0, KEPT));
  for (const name of names) {
    const path = join(dist, name);
    const isInterrupted = !builds.includes(path) && (!name.startsWith(BUILD) || ageOf(path) > HOUR_MS);
    const isEarlier = earlier.includes(path) && !kept.has(path);
    if (isInterrupted || isEarlier) rmSync(path, { recursive: true });
  }
}
