import { parseListedName } from '../../dns/names.ts';
import { DomainError, lineFault } from '../errors.ts';

/** One line of a file, numbered from 1, without its end. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * The text of a file as lines; a byte order mark is no part of the first one.
 * @throws DomainError `invalid_object` where the bytes are no UTF-8
 */
export function requireLines(bytes: Uint8Array): Line[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_object', 'The file is not UTF-8.');
  }
  return text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }));
}

/** The name on a line in canonical form, its dots escaped for a pattern. */
export function requireEscapedName(line: Line, text: string): string {
  const parsed = parseListedName(text);
  if (!parsed.ok) throw lineFault(line.number, parsed.reason);
  return parsed.value.replaceAll('.', '\\.');
}
