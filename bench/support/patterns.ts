import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceProcess } from '../../test/support/service-process.ts';

/** Patterns of the forms that operators write: exact names, names with all below them, words. None matches. */
function pattern(number: number): string {
  if (number % 10 === 0) return `brand-${number}-[a-z0-9]+\\.`;
  if (number % 2 === 0) return `^blocked-${number}\\.test\\.$`;
  return `^([A-Za-z0-9_\\-]+\\.)*blocked-${number}\\.test\\.$`;
}

/** Stores so many patterns. */
export function importPatterns(service: ServiceProcess, count: number): void {
  if (count === 0) return;
  const file = join(service.dataDir, 'patterns.txt');
  writeFileSync(file, Array.from({ length: count }, (_, number) => pattern(number)).join('\n'));
  service.command('blacklist', 'import', file);
}
