import { readFileSync } from 'node:fs';
import { CommandError } from './errors.ts';

/** The file that a command names; `-` is standard input. */
export function readFile(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new CommandError(`The file ${file} cannot be read: ${(error as Error).message}.`);
  }
}
