// Runs a script that imports modules of src/: bundled first, for Node.js does not read TypeScript.
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const script = process.argv[2];
const file = resolve('build/scripts', basename(script));
const bundle = await rolldown({
  input: resolve(script),
  platform: 'node',
  // Packages are found where they are.
  external: /^[^./]/,
  treeshake: false,
});
await bundle.write({ file, codeSplitting: false });
await bundle.close();
await import(pathToFileURL(file).href);
