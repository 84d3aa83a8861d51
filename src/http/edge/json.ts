import { invalidObject } from '../../model/errors.ts';
import { EdgeError } from './errors.ts';

/** Several times what a valid body needs. More would keep the parser busy too long. */
const MAX_LEVELS = 32;
const MAX_KEYS = 1000;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/** +1 for an opening bracket, -1 for a closing one. */
function stepOf(byte: number): number {
  if (byte === 0x7b || byte === 0x5b) return 1;
  return byte === 0x7d || byte === 0x5d ? -1 : 0;
}

/** Index of the quotation mark that closes the string starting here. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The nesting depth and the number of keys of a JSON text, and whether its brackets balance. */
function measure(bytes: Buffer): { levels: number; keys: number; isBalanced: boolean } {
  let [levels, keys, depth] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COLON) keys += 1;
    else {
      depth += stepOf(byte);
      levels = Math.max(levels, depth);
    }
  }
  return { levels, keys, isBalanced: depth === 0 };
}

/** Refuses, without parsing it, a body with more keys or levels than any operation accepts (RFC 8259, section 9). */
function requireMeasure(bytes: Buffer, maxKeys: number): void {
  const { levels, keys, isBalanced } = measure(bytes);
  if (levels <= MAX_LEVELS && keys <= maxKeys) return;
  if (!isBalanced)
    throw new EdgeError('invalid_json', 'The body is not valid UTF-8 JSON: a bracket is missing.');
  const message = `A body may have at most ${maxKeys} keys and ${MAX_LEVELS} levels of nesting.`;
  throw invalidObject([{ path: [], message }]);
}

/**
 * Parses a JSON text.
 * @param maxKeys maximum number of keys in it
 * @throws EdgeError `invalid_json` if it is not JSON
 * @throws DomainError `invalid_object` if it has too many keys or levels
 */
export function parseJson(bytes: Buffer, maxKeys = MAX_KEYS): unknown {
  requireMeasure(bytes, maxKeys);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `: ${error.message}` : '';
    throw new EdgeError('invalid_json', `The body is not valid UTF-8 JSON${reason}.`);
  }
}
