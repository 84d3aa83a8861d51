// Records what a build was made from and what it made, so that the next one can tell without a compiler that nothing changed.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORD = '.built.json';
/** Files and folders of which anything may change what is built; npm keeps the last for what it has installed. */
const SOURCES = ['src', 'console', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];
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

/** Whether a folder has exactly what was built from these sources. */
export function isBuiltFrom(sources, folder) {
  try {
    const record = JSON.parse(readFileSync(join(folder, RECORD), 'utf8'));
    return record.sources === sources && JSON.stringify(record.files) === JSON.stringify(made(folder));
  } catch {
    return false;
  }
}

/** From here on the folder does not count as built. */
export function forgetBuild(folder) {
  rmSync(join(folder, RECORD), { force: true });
}

/** Removes the folders in a folder that hold no file. */
function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const inner = join(folder, entry.name);
    removeEmpty(inner);
    if (readdirSync(inner).length === 0) rmdirSync(inner);
  }
}

/** The last act of a build: removes what it did not make, and says what it did. */
export function recordBuild(sources, folder, files) {
  const kept = new Set(files);
  for (const name of filesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name));
  removeEmpty(folder);
  writeFileSync(join(folder, RECORD), JSON.stringify({ sources, files: made(folder) }));
}
