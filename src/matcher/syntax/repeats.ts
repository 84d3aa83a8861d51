import type { RepeatMode } from '../ast.ts';
import { PatternError } from './error.ts';
import type { RawItem, RawSequence } from './raw.ts';
import { MAX_REPEAT } from './raw.ts';
import type { Tokens } from './tokens.ts';

const DIGIT = /[0-9]/;

interface RepeatBounds {
  readonly min: number;
  readonly max: number;
}

const SIGNS: Readonly<Record<string, RepeatBounds>> = {
  '?': { min: 0, max: 1 },
  '*': { min: 0, max: MAX_REPEAT },
  '+': { min: 1, max: MAX_REPEAT },
};

function count(digits: string, position: number): number {
  const value = Number(digits);
  if (value >= MAX_REPEAT) throw new PatternError('the repetition number is too large', position);
  return value;
}

/** Reads `{…}` after its `{`. Returns undefined if the brace is literal. */
function parseBraces(tokens: Tokens): RepeatBounds | undefined {
  if (tokens.next === '}') return undefined;
  const start = tokens.position;
  const low = tokens.takeWhile(Number.POSITIVE_INFINITY, DIGIT);
  const high = tokens.accept(',') ? tokens.takeWhile(Number.POSITIVE_INFINITY, DIGIT) : low;
  if (!tokens.accept('}')) {
    tokens.seek(start);
    return undefined;
  }
  const min = low === '' ? 0 : count(low, start);
  const max = high === '' ? MAX_REPEAT : count(high, start);
  if (high !== '' && max < min) {
    throw tokens.error('min repeat greater than max repeat', tokens.position - start);
  }
  return { min, max };
}

function repeatable(tokens: Tokens, item: RawItem | undefined, start: number): RawSequence {
  if (item === undefined || item.op === 'at') {
    throw tokens.error('nothing to repeat', tokens.position - start + 1);
  }
  if (item.op === 'repeat') throw tokens.error('multiple repeat', tokens.position - start + 1);
  const plain = item.op === 'subpattern' && item.group === undefined && item.add === 0 && item.remove === 0;
  return plain ? item.body : { items: [item] };
}

function parseMode(tokens: Tokens): RepeatMode {
  if (tokens.accept('?')) return 'lazy';
  return tokens.accept('+') ? 'possessive' : 'greedy';
}

/** Reads a repeat of the last of `items`, after its `sign`. */
export function parseRepeat(tokens: Tokens, items: RawItem[], sign: string): void {
  const start = tokens.position;
  const bounds = SIGNS[sign] ?? parseBraces(tokens);
  if (bounds === undefined) {
    items.push({ op: 'literal', code: 123 });
    return;
  }
  const body = repeatable(tokens, items.at(-1), start);
  items[items.length - 1] = { op: 'repeat', mode: parseMode(tokens), ...bounds, body };
}
