import type { After, Before, Context, LabelRule } from '../analysis/context.ts';
import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import type { Subject } from './subject.ts';

/** The mode of an entry that only makes its patterns candidates. */
export const CANDIDATE = 0;

/** More contexts than this are not told apart: such patterns are run instead. Nobody writes so many by hand. */
const MOST = 250;
const DOT = 46;
const NEWLINE = 10;

/** Contexts by small numbers, so that an entry keeps its own in one byte. */
export class Contexts {
  private readonly numbers = new Map<string, number>();
  private readonly contexts: Context[] = [{ before: { kind: 'start' }, after: 'anywhere' }];
  private readonly uses: number[] = [0];

  /** The number of a context; undefined when there are too many. Give it back with `release`. */
  take(context: Context): number | undefined {
    const name = nameOf(context);
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.vacant();
      if (number === undefined) return undefined;
      this.contexts[number] = context;
      this.uses[number] = 0;
      this.numbers.set(name, number);
    }
    this.uses[number]!++;
    return number;
  }

  release(number: number): void {
    if (--this.uses[number]! === 0) this.numbers.delete(nameOf(this.contexts[number]!));
  }

  /** Whether a string found in a subject stands in this context. */
  holds(number: number, subject: Subject, from: number, to: number): boolean {
    const { before, after } = this.contexts[number]!;
    return standsBehind(after, subject, to) && standsBefore(before, subject, from);
  }

  private vacant(): number | undefined {
    if (this.contexts.length <= MOST) return this.contexts.length;
    const free = this.uses.indexOf(0, 1);
    return free < 0 ? undefined : free;
  }
}

function nameOf(context: Context): string {
  return JSON.stringify([context.after, context.before], (_, value) => (value === Infinity ? 'any' : value));
}

function standsBehind(after: After, subject: Subject, to: number): boolean {
  const { bytes, length } = subject;
  switch (after) {
    case 'anywhere':
      return true;
    case 'end':
      return to === length;
    case 'finalEnd':
      return to === length || (to === length - 1 && bytes[to] === NEWLINE);
    case 'lineThenEnd':
      return !hasNewline(bytes, to, length);
    default:
      return !hasNewline(bytes, to, length - 1);
  }
}

function standsBefore(before: Before, subject: Subject, from: number): boolean {
  switch (before.kind) {
    case 'start':
      return from === 0;
    case 'anywhere':
      return reaches(before, subject, from);
    case 'dot':
      if (from === 0) return before.orStart;
      return subject.bytes[from - 1] === DOT && reaches(before, subject, from - 1);
    case 'labels':
      return labelsFit(before, subject.text, subject.textIndex(from));
  }
}

function reaches(before: { least: number; oneLine: boolean }, subject: Subject, to: number): boolean {
  return to >= before.least && !(before.oneLine && hasNewline(subject.bytes, 0, to));
}

function hasNewline(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] === NEWLINE) return true;
  return false;
}

/** From the start of the text up to `to`: labels, each with its dot. */
function labelsFit(before: Before & { kind: 'labels' }, text: string, to: number): boolean {
  let labels = 0;
  let from = 0;
  for (let dot = text.indexOf('.'); dot >= 0 && dot < to; dot = text.indexOf('.', from)) {
    if (!labelFits(before.label, text, from, dot)) return false;
    labels++;
    from = dot + 1;
  }
  return from === to && labels >= before.min && labels <= before.max;
}

function labelFits(rule: LabelRule, text: string, from: number, to: number): boolean {
  let length = 0;
  for (let i = from; i < to; i++, length++) {
    const code = text.codePointAt(i)!;
    if (code > 0xffff) i++;
    if (!accepts(rule.chars, code)) return false;
  }
  return length >= rule.min && length <= rule.max;
}

/** Small sets of few ranges are looked through faster than searched. */
function accepts(chars: CharSet, code: number): boolean {
  for (let i = 0; i < chars.length && i < 16; i += 2) {
    if (code < chars[i]!) return false;
    if (code <= chars[i + 1]!) return true;
  }
  return chars.length > 16 && contains(chars, code);
}
