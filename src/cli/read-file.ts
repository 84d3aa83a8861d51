import { readFileSync } from 'node:fs';
import { CommandError } from './errors.ts';

/**
 * Reads the file that an argument names; `-` is standard input.
 * @throws CommandError if the file cannot be read
 */
export function readFile(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new CommandError(`The file ${file} cannot be read: ${(error as Error).message}.`);
  }
}
