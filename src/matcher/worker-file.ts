function threadFile(path: string): URL {
  const from = import.meta.url.endsWith('.ts') ? '../../dist/current/' : './';
  return new URL(`${from}${path}`, import.meta.url);
}

/** Thread programs, which the build places beside this file. A worker cannot be started from TypeScript. */
export const WORKER = threadFile('worker.js');
export const SCAN_THREAD = threadFile('scan-thread.js');
