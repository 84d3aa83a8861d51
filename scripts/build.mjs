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
const INPUT = {
  main: at('src/main.ts'),
  worker: at('src/matcher/worker.ts'),
  'scan-thread': at('src/matcher/scan-thread.ts'),
  'statement-thread': at('src/storage/sqlite/statement-thread.ts'),
};

/** Most of the time to start would go into finding and reading more than a thousand modules. */
async function bundleProgram() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: INPUT,
    platform: 'node',
    external: NATIVE,
    // Whatever is there stays: a call for the sake of the exception that it may throw looks as if it did nothing.
    treeshake: false,
    logLevel: 'warn',
  });
  const { output } = await bundle.write({ dir: folder, chunkFileNames: '[name].js', minify: false });
  await bundle.close();
  return output.map(({ fileName }) => fileName);
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
