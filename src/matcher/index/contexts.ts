import type { After, Before, MatchContext } from '../analysis/context.ts';
import { FittingLabels } from './fitting-labels.ts';
import type { PreparedName } from './subject.ts';
import type { PatternKind } from './traits.ts';

/** The context of entries whose patterns are only candidates. */
export const CANDIDATE = 0;

/** Distinguishes entries with equal strings: by context in the low bits, and by the kind of their patterns above. */
const KIND_SHIFT = 6;

export function modeOf(context: number, kind: PatternKind): number {
  return context | (kind << KIND_SHIFT);
}

export function contextIn(mode: number): number {
  return mode & ((1 << KIND_SHIFT) - 1);
}

export function kindIn(mode: number): PatternKind {
  return (mode >>> KIND_SHIFT) as PatternKind;
}

/** Maximum number of distinct contexts; patterns beyond it are run instead. Nobody writes that many by hand. */
const MAX_CONTEXTS = 60;
const DOT = 46;
const NEWLINE = 10;

/** Numbers contexts, so that an entry stores its own in six bits. */
export class Contexts {
  private readonly numbers = new Map<string, number>();
  private readonly contexts: MatchContext[] = [{ before: { kind: 'start' }, after: 'anywhere' }];
  private readonly uses: number[] = [0];
  private readonly fitting = new FittingLabels(MAX_CONTEXTS + 1);
  /** All strings of a pattern may share one context, whose name is then computed once. */
  private last: { readonly context: MatchContext; readonly name: string } | undefined;

  /** The number of a context, to be returned with `release`; undefined if there are too many. */
  take(context: MatchContext): number | undefined {
    const name = this.nameOf(context);
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

  /** The number of a context that is in use. */
  find(context: MatchContext): number | undefined {
    return this.numbers.get(this.nameOf(context));
  }

  /** Adds a use of a context that has a number. */
  hold(number: number): void {
    this.uses[number]!++;
  }

  release(number: number): void {
    if (--this.uses[number]! === 0) this.numbers.delete(nameOf(this.contexts[number]!));
  }

  /** True if a string found in a subject is in this context. */
  holds(number: number, subject: PreparedName, from: number, to: number): boolean {
    const { before, after } = this.contexts[number]!;
    if (!standsBehind(after, subject, to)) return false;
    if (before.kind !== 'labels') return standsBefore(before, subject, from);
    const labels = subject.labelsBefore(from);
    if (labels < before.min || labels > before.max) return false;
    return labels <= this.fitting.count(number, before.label, subject);
  }

  private nameOf(context: MatchContext): string {
    if (this.last?.context !== context) this.last = { context, name: nameOf(context) };
    return this.last.name;
  }

  private vacant(): number | undefined {
    if (this.contexts.length <= MAX_CONTEXTS) return this.contexts.length;
    const free = this.uses.indexOf(0, 1);
    return free < 0 ? undefined : free;
  }
}

function nameOf(context: MatchContext): string {
  return JSON.stringify([context.after, context.before], (_, value) => (value === Infinity ? 'any' : value));
}

function standsBehind(after: After, subject: PreparedName, to: number): boolean {
  const { bytes, length } = subject;
  switch (after) {
    case 'anywhere':
      return true;
    case 'end':
      return to === length;
    case 'finalEnd':
      return to === length || (to === length - 1 && bytes[to] === NEWLINE);
    case 'lineThenEnd':
      return !subject.hasNewline(to, length);
    default:
      return !subject.hasNewline(to, length - 1);
  }
}

function standsBefore(
  before: Exclude<Before, { kind: 'labels' }>,
  subject: PreparedName,
  from: number,
): boolean {
  switch (before.kind) {
    case 'start':
      return from === 0;
    case 'anywhere':
      return reaches(before, subject, from);
    case 'dot':
      if (from === 0) return before.orStart;
      return subject.bytes[from - 1] === DOT && reaches(before, subject, from - 1);
  }
}

function reaches(
  before: { minLength: number; oneLine: boolean },
  subject: PreparedName,
  to: number,
): boolean {
  return to >= before.minLength && !(before.oneLine && subject.hasNewline(0, to));
}
