// Builds the console and bundles the program, unless nothing has changed since. Each build has a folder of its own, which
// "current" leads to: a service that runs keeps the files it was started from. With --into, a new folder without earlier builds.
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  isBuiltFrom,
  makeCurrent,
  newBuild,
  recordBuild,
  removeEarlier,
  sourcesNow,
} from './build-record.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { values } = parseArgs({ options: { into: { type: 'string' } } });
const dist = resolve(values.into ?? at('dist'));

/** Whatever has binaries of its own has to find them. */
const NATIVE = ['@photostructure/sqlite'];
/** The program, and a file for each kind of thread and for the process that checks a file. */
const PROGRAM = {
  program: at('src/cli/run.ts'),
  worker: at('src/matcher/worker.ts'),
  'scan-thread': at('src/matcher/scan-thread.ts'),
  'statement-thread': at('src/storage/sqlite/statement-thread.ts'),
  'file-check': at('src/storage/sqlite/file-check.ts'),
};
/** The entry stays apart: on an old Node.js it must load nothing else, not even what bundled files share. */
const ENTRY = { main: at('src/main.ts') };
const besideTheEntry = {
  name: 'beside-the-entry',
  resolveId: (id) => (id === './cli/run.ts' ? { id: './current/program.js', external: 'relative' } : null),
};

/** Bundles files with all that they import. */
async function bundle(input, folder, options) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    input,
    platform: 'node',
    external: NATIVE,
    logLevel: 'warn',
    ...options,
  });
  await bundled.write({
    dir: folder,
    chunkFileNames: '[name].js',
    minify: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundled.close();
}

/** Most of the time to start would go into finding and reading more than a thousand modules. */
async function bundleProgram(folder) {
  // Tree shaking would remove calls that only serve to throw.
  await bundle(PROGRAM, folder, { treeshake: false });
  await bundle(ENTRY, folder, { plugins: [besideTheEntry] });
}

async function buildConsole(folder) {
  const { build } = await import('vite');
  const outDir = resolve(folder, 'console');
  await build({ configFile: at('console/vite.config.ts'), logLevel: 'warn', build: { outDir } });
}

/** Runs a step and prints what it was and how long it took; on standard error, for standard output is the service's. */
async function step(what, work) {
  const start = performance.now();
  const result = await work();
  console.error(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

async function buildInto(folder) {
  await step('the program, from src/', () => bundleProgram(folder));
  await step('the console, from console/', () => buildConsole(folder));
}

const sources = sourcesNow();
if (values.into !== undefined) {
  const folder = resolve(dist, 'current');
  mkdirSync(folder, { recursive: true });
  await buildInto(folder);
  renameSync(resolve(folder, 'main.js'), resolve(dist, 'main.js'));
} else if (!isBuiltFrom(sources, dist)) {
  console.error('building the program, as something has changed or nothing is built yet');
  const folder = newBuild(dist);
  try {
    await buildInto(folder);
    recordBuild(sources, folder);
    makeCurrent(dist, folder);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  removeEarlier(dist);
}
