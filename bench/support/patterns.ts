import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceProcess } from '../../test/support/service-process.ts';

const LINES_AT_ONCE = 10_000;

/** Patterns of the forms that operators write: exact names, names with all below them, words. None matches. */
function pattern(number: number): string {
  if (number % 10 === 0) return `brand-${number}-[a-z0-9]+\\.`;
  if (number % 2 === 0) return `^blocked-${number}\\.test\\.$`;
  return `^([A-Za-z0-9_\\-]+\\.)*blocked-${number}\\.test\\.$`;
}

/** Writes a file of so many lines, however many. */
export function writeLines(file: string, count: number, lineAt: (number: number) => string): void {
  const descriptor = openSync(file, 'w');
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    const some = Math.min(LINES_AT_ONCE, count - from);
    writeSync(descriptor, Array.from({ length: some }, (_, place) => `${lineAt(from + place)}\n`).join(''));
  }
  closeSync(descriptor);
}

/** Stores so many patterns. */
export function importPatterns(service: ServiceProcess, count: number): void {
  if (count === 0) return;
  const file = join(service.dataDir, 'patterns.txt');
  writeLines(file, count, pattern);
  service.command('blacklist', 'import', file);
}
