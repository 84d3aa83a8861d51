function threadFile(path: string): URL {
  const from = import.meta.url.endsWith('.ts') ? '../../dist/current/' : './';
  return new URL(`${from}${path}`, import.meta.url);
}

/** The programs of the threads, beside this file as the build lays them: a worker cannot be started from TypeScript. */
export const WORKER = threadFile('worker.js');
export const SCAN_THREAD = threadFile('scan-thread.js');
