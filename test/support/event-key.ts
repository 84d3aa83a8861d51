import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives a data folder the key of events that all folders have that were given one here, as processes on one database need.
 * @returns the file
 */
export function giveEventKey(dataDir: string): string {
  const file = join(dataDir, 'events.key');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
  return file;
}
