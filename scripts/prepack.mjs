// Prepares what "npm pack" packs, in a folder of its own: a service may be running from dist/ and node_modules/.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const INSTALLED = `${cwd}node_modules/.package-lock.json`;
// What is printed there may be the answer of "npm pack --json".
const stdio = ['ignore', process.stderr, 'inherit'];

const run = (command, args) => execFileSync(command, args, { cwd, stdio });

/** Where each package is, and the hash of its file; npm leaves out what is for other platforms. */
function packagesIn(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(Object.entries(packages).map(([place, { integrity }]) => [place, integrity]));
}

/** A package whose installed version is not that of the lock file. */
function otherThanLocked() {
  const locked = packagesIn(`${cwd}package-lock.json`);
  return [...packagesIn(INSTALLED)].find(([place, integrity]) => locked.get(place) !== integrity)?.[0];
}

if (!existsSync(`${cwd}node_modules`)) run('npm', ['ci', '--include=dev', '--ignore-scripts']);
const other = existsSync(INSTALLED) ? otherThanLocked() : 'node_modules';
if (other !== undefined) {
  console.error(
    `${other} is not what package-lock.json says. Stop what runs from here, and run "npm ci" first.`,
  );
  process.exit(1);
}
rmSync(`${cwd}packed`, { recursive: true, force: true });
run(process.execPath, ['scripts/build.mjs', '--into', 'packed']);
