// Builds the console and bundles the program, unless nothing has changed since. With --into, into a folder other than dist/.
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { forgetBuild, isBuiltFrom, recordBuild, sourcesNow } from './build-record.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { values } = parseArgs({ options: { into: { type: 'string', default: at('dist') } } });
const folder = resolve(values.into);

/** Whatever has binaries of its own has to find them. */
const NATIVE = ['@photostructure/sqlite'];
/** The program, and a file for each kind of thread. */
const PROGRAM = {
  program: at('src/program.ts'),
  worker: at('src/matcher/worker.ts'),
  'scan-thread': at('src/matcher/scan-thread.ts'),
  'statement-thread': at('src/storage/sqlite/statement-thread.ts'),
};
/** The entry stays apart: on an old Node.js it must load nothing else, not even what bundled files share. */
const ENTRY = { main: at('src/main.ts') };
const besideTheEntry = {
  name: 'beside-the-entry',
  resolveId: (id) => (id === './program.ts' ? { id: './program.js', external: 'relative' } : null),
};

/** Bundles files with all that they import. Returns the names of what it wrote. */
async function bundled(input, options) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: NATIVE,
    logLevel: 'warn',
    ...options,
  });
  const { output } = await bundle.write({
    dir: folder,
    chunkFileNames: '[name].js',
    minify: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  return output.map(({ fileName }) => fileName);
}

/** Most of the time to start would go into finding and reading more than a thousand modules. */
async function bundleProgram() {
  // Tree shaking would remove calls that only serve to throw.
  const program = await bundled(PROGRAM, { treeshake: false });
  return [...program, ...(await bundled(ENTRY, { plugins: [besideTheEntry] }))];
}

async function buildConsole() {
  const { build } = await import('vite');
  const outDir = resolve(folder, 'console');
  const { output } = await build({
    configFile: at('console/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir },
  });
  const names = output.map(({ fileName }) => fileName);
  const forms = (name) => (name.startsWith('assets/') ? [name, `${name}.br`, `${name}.gz`] : [name]);
  return names.flatMap(forms).map((name) => `console/${name}`);
}

/** Runs a step and prints what it was and how long it took; on standard error, for standard output is the service's. */
async function step(what, work) {
  const start = performance.now();
  const result = await work();
  console.error(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

const sources = sourcesNow();
if (!isBuiltFrom(sources, folder)) {
  console.error('building the program, as something has changed or nothing is built yet');
  mkdirSync(folder, { recursive: true });
  forgetBuild(folder);
  rmSync(resolve(folder, '.tsbuildinfo'), { force: true });
  const program = await step('the program, from src/', bundleProgram);
  const page = await step('the console, from console/', buildConsole);
  recordBuild(sources, folder, [...program, ...page]);
}
