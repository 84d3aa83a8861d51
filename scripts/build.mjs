// Builds the console and compiles the program, in one process: what ends it, ends all of it.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

await build({ configFile: at('console/vite.config.ts'), logLevel: 'warn' });
// The compiler reads its arguments from here, and ends the process with its status.
process.argv.splice(2, Number.POSITIVE_INFINITY, '-b', at('tsconfig.build.json'));
createRequire(import.meta.url)('typescript/lib/tsc.js');
