/** The program of the worker, beside this file as the compiler lays it: a worker cannot be started from TypeScript. */
export const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/matcher/worker.js' : './worker.js',
  import.meta.url,
);
