import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import type { After, Before, LabelRule, MatchContext } from './context.ts';
import { type Form, itemsOf, optionsOf } from './form.ts';
import { Limit, ofSequence, totalLength } from './strings.ts';

/** The meaning of a complete pattern: one of these strings, in this context. */
export interface PatternShape {
  readonly context: MatchContext;
  readonly strings: readonly string[];
}

interface Consumed<T> {
  readonly value: T;
  readonly used: number;
}

/** Maximum number of strings that an alternative may stand for. */
const MAX_STRINGS = 1024;
const DOT = 46;
const NEWLINE = 10;
const LAST = 0x10ffff;
const ANYWHERE: Before = { kind: 'anywhere', minLength: 0, oneLine: false };

/**
 * The shapes of top-level alternatives, with as many strings in total as one may have. Undefined if finding a string is
 * not enough for one of them.
 */
export function shapesOf(options: readonly Form[]): readonly PatternShape[] | undefined {
  const limit = new Limit(MAX_STRINGS);
  const shapes: PatternShape[] = [];
  let count = 0;
  let length = 0;
  for (const option of options) {
    const shape = shapeOf(option, limit);
    if (shape === undefined) return undefined;
    count += shape.strings.length;
    length += totalLength(shape.strings);
    if (count > limit.maxCount || length > limit.length) return undefined;
    shapes.push(shape);
  }
  return shapes;
}

function shapeOf(form: Form, limit: Limit): PatternShape | undefined {
  const items = itemsOf(form);
  const first = beforeOf(items);
  const rest = items.slice(first.used);
  const last = afterOf(rest);
  const strings = ofSequence(rest.slice(0, rest.length - last.used), limit);
  if (strings === undefined || !strings.exact) return undefined;
  return { context: { before: first.value, after: last.value }, strings: strings.list };
}

function beforeOf(items: readonly Form[]): Consumed<Before> {
  let starts = 0;
  while (isMark(items[starts], 'start')) starts++;
  if (starts === 0) return searchedBefore(items);
  const rest = items.slice(starts);
  const found = anchoredBefore(rest) ?? { value: { kind: 'start' }, used: 0 };
  return { value: found.value, used: found.used + starts };
}

function searchedBefore(items: readonly Form[]): Consumed<Before> {
  let used = 0;
  while (isOptional(items[used])) used++;
  const next = items[used];
  if (next !== undefined && isStartOrDot(next)) {
    return { value: { kind: 'dot', minLength: 0, oneLine: false, orStart: true }, used: used + 1 };
  }
  return { value: ANYWHERE, used };
}

/** Items that may follow `^` and leave the beginning open. */
function anchoredBefore(items: readonly Form[]): Consumed<Before> | undefined {
  const [first, second] = items;
  if (first === undefined) return undefined;
  const run = runOf(first);
  if (run !== undefined) return { value: { kind: 'anywhere', ...run }, used: 1 };
  if (first.kind === 'repeat') {
    const parent = parentsOf(first);
    if (parent !== undefined) return { value: parent, used: 1 };
  }
  const label = first.kind === 'repeat' && second !== undefined && isDot(second) ? labelOf(first) : undefined;
  return label && { value: { kind: 'labels', label, min: 1, max: 1 }, used: 2 };
}

/** `(.*\.)?`, `([a-z]+\.)*` and similar. */
function parentsOf(form: Form & { kind: 'repeat' }): Before | undefined {
  const items = itemsOf(form.body);
  if (items.length !== 2 || !isDot(items[1]!)) return undefined;
  const run = runOf(items[0]!);
  if (run !== undefined && form.min === 0) return { kind: 'dot', ...run, orStart: true };
  const label = labelOf(items[0]!);
  return label && { kind: 'labels', label, min: form.min, max: form.max };
}

/** `.*` and `.+`, with or without the newline. */
function runOf(form: Form): { minLength: number; oneLine: boolean } | undefined {
  if (form.kind !== 'repeat' || form.max !== Infinity || form.min > 1 || form.body.kind !== 'set')
    return undefined;
  const { chars } = form.body;
  if (isAll(chars)) return { minLength: form.min, oneLine: false };
  return isAllButNewline(chars) ? { minLength: form.min, oneLine: true } : undefined;
}

function labelOf(form: Form): LabelRule | undefined {
  if (form.kind === 'set')
    return contains(form.chars, DOT) ? undefined : { chars: form.chars, min: 1, max: 1 };
  if (form.kind !== 'repeat' || form.body.kind !== 'set' || contains(form.body.chars, DOT)) return undefined;
  return { chars: form.body.chars, min: form.min, max: form.max };
}

function afterOf(items: readonly Form[]): Consumed<After> {
  let used = 0;
  let strict = false;
  for (; ; used++) {
    const item = items[items.length - 1 - used];
    if (isMark(item, 'end')) strict = true;
    else if (!isMark(item, 'finalEnd')) break;
  }
  if (used > 0) return anchoredAfter(items, used, strict);
  while (isOptional(items[items.length - 1 - used])) used++;
  return { value: 'anywhere', used };
}

function anchoredAfter(items: readonly Form[], used: number, strict: boolean): Consumed<After> {
  const item = items[items.length - 1 - used];
  const run = item && runOf(item);
  if (run === undefined || run.minLength > 0) return { value: strict ? 'end' : 'finalEnd', used };
  if (!run.oneLine) return { value: 'anywhere', used: used + 1 };
  return { value: strict ? 'lineThenEnd' : 'lineThenFinalEnd', used: used + 1 };
}

/** `(^|\.)`, in either order. `(^|.*\.)` is equivalent if nothing precedes it. */
function isStartOrDot(form: Form): boolean {
  const options = optionsOf(form);
  if (options.length !== 2) return false;
  const [one, other] = isMark(options[0], 'start') ? options : [options[1]!, options[0]!];
  if (!isMark(one, 'start')) return false;
  const items = itemsOf(other!);
  const optional = items.findIndex((item) => !isOptional(item));
  return optional === items.length - 1 && isDot(items[optional]!);
}

function isMark(form: Form | undefined, at: 'start' | 'end' | 'finalEnd'): boolean {
  return form?.kind === 'mark' && form.at === at;
}

function isOptional(form: Form | undefined): boolean {
  return form?.kind === 'repeat' && form.min === 0;
}

function isDot(form: Form): boolean {
  return form.kind === 'set' && form.chars.length === 2 && form.chars[0] === DOT && form.chars[1] === DOT;
}

function isAll(chars: CharSet): boolean {
  return chars.length === 2 && chars[0] === 0 && chars[1] === LAST;
}

function isAllButNewline(chars: CharSet): boolean {
  const [lo, before, after, hi] = chars;
  return chars.length === 4 && lo === 0 && before === NEWLINE - 1 && after === NEWLINE + 1 && hi === LAST;
}
