import { accessSync, constants, statfsSync } from 'node:fs';

/** Where the machine keeps files in memory. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/** True if data folders fit into memory: tests kill processes, never the machine. */
function hasRoomInMemory(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** A folder in memory for temporary files; undefined if there is none, or if TMPDIR names another one. */
export const MEMORY_FOLDER = process.env.TMPDIR === undefined && hasRoomInMemory() ? IN_MEMORY : undefined;
