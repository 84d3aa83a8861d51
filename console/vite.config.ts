import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const OUT = fileURLToPath(new URL('../dist/console', import.meta.url));
let out = OUT;

/** Writes compressed copies beside each asset, for the service to send. */
const compressed: Plugin = {
  name: 'compressed',
  configResolved({ build }) {
    out = build.outDir;
  },
  closeBundle() {
    for (const name of readdirSync(`${out}/assets`)) {
      const path = `${out}/assets/${name}`;
      const bytes = readFileSync(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The service inserts the path.
  base: './',
  plugins: [compressed],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // Inlined assets would be `data:` URLs, which the page's Content-Security-Policy blocks.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
  },
});
