import { parseListedName } from '../dns/names.ts';
import { CommandError } from './errors.ts';

/** One line of a file, numbered from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** A line that cannot be used, with the reason. */
export class LineError extends CommandError {
  constructor(line: Line, reason: string) {
    super(`Line ${line.number}: ${reason} Nothing was stored.`);
  }
}

/** The name on a line in canonical form, its dots escaped for a pattern. */
export function escapedName(line: Line, text: string): string {
  const parsed = parseListedName(text);
  if (!parsed.ok) throw new LineError(line, parsed.reason);
  return parsed.value.replaceAll('.', '\\.');
}
