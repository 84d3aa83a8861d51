import { copyFileSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** Whatever has binaries of its own has to find them. */
const NATIVE = ['@photostructure/sqlite'];

/**
 * Bundles the built program into a file for each of its threads, once for a test run. Most of the time that a process takes
 * to start goes into finding and reading more than a thousand modules, and the tests start hundreds of processes.
 * `test/process/as-built.test.ts` and `test/clients/` run the program as it is.
 */
export default async function bundleProgram(): Promise<(() => void) | undefined> {
  if (process.env.TEST_PROGRAM !== undefined) return undefined;
  if (!existsSync('dist/main.js')) throw new Error('There is no dist/main.js: npm run build makes it.');
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'zonewarden-program-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const bundle = await rolldown({
    input: {
      main: 'dist/main.js',
      worker: 'dist/matcher/worker.js',
      'scan-thread': 'dist/matcher/scan-thread.js',
      'statement-thread': 'dist/storage/sqlite/statement-thread.js',
    },
    platform: 'node',
    external: NATIVE,
    // Whatever is there stays: a call for the sake of the exception that it may throw looks as if it did nothing.
    treeshake: false,
    logLevel: 'warn',
  });
  await bundle.write({ dir: join(folder, 'dist'), chunkFileNames: '[name].js', minify: false });
  copyFileSync('package.json', join(folder, 'package.json'));
  cpSync('dist/console', join(folder, 'dist/console'), { recursive: true });
  process.env.TEST_PROGRAM = join(folder, 'dist/main.js');
  return () => {
    delete process.env.TEST_PROGRAM;
    rmSync(folder, { recursive: true, force: true });
  };
}
