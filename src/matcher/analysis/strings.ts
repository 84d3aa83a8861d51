import { spend } from '../work.ts';
import { foldSet } from './fold.ts';
import type { Form } from './form.ts';

/** A finite set of folded strings. `exact` is false if the pattern matches only some of their case variants. */
export interface Strings {
  readonly list: readonly string[];
  readonly exact: boolean;
}

/** The limit on strings, and a cache of results, because each part of a pattern is looked up often. */
export class Limit {
  readonly maxCount: number;
  /** Maximum total length, in UTF-16 units. Longer lists take too long to multiply out. */
  readonly length = 8192;
  readonly known = new Map<Form, Strings | undefined>();

  constructor(maxCount: number) {
    this.maxCount = maxCount;
  }
}

export const EMPTY_STRING: Strings = { list: [''], exact: true };

export function totalLength(list: Iterable<string>): number {
  let sum = 0;
  for (const string of list) sum += string.length;
  return sum;
}

const LONGEST = 255;
/** In units of work, for each string created or added to a list. */
const STRING_WORK = 60;

/** The strings that a form without marks stands for; undefined if there are too many or infinitely many. */
export function stringsOf(form: Form, limit: Limit): Strings | undefined {
  spend(STRING_WORK);
  if (form.kind === 'set') return ofSet(form, limit);
  if (limit.known.has(form)) return limit.known.get(form);
  const strings = ofParts(form, limit);
  limit.known.set(form, strings);
  return strings;
}

function ofParts(form: Form, limit: Limit): Strings | undefined {
  switch (form.kind) {
    case 'sequence':
      return ofSequence(form.items, limit);
    case 'alternatives':
      return ofAlternatives(form.options, limit);
    case 'repeat':
      return ofRepeat(form, limit);
    default:
      return undefined;
  }
}

export function ofSequence(items: readonly Form[], limit: Limit): Strings | undefined {
  let sum: Strings | undefined = EMPTY_STRING;
  for (const item of items) {
    const strings = stringsOf(item, limit);
    sum = strings && sum && product(sum, strings, limit);
    if (sum === undefined) return undefined;
  }
  return sum;
}

function ofSet(form: Form & { kind: 'set' }, limit: Limit): Strings | undefined {
  const folded = foldSet(form.chars, limit.maxCount);
  return folded && { list: folded.codes.map((code) => String.fromCodePoint(code)), exact: folded.exact };
}

function ofAlternatives(options: readonly Form[], limit: Limit): Strings | undefined {
  const list = new Set<string>();
  let exact = true;
  for (const option of options) {
    const strings = stringsOf(option, limit);
    if (strings === undefined || list.size + strings.list.length > limit.maxCount) return undefined;
    addAll(list, strings.list);
    exact &&= strings.exact;
  }
  if (totalLength(list) > limit.length) return undefined;
  return { list: [...list], exact };
}

function ofRepeat(form: Form & { kind: 'repeat' }, limit: Limit): Strings | undefined {
  const body = form.max > LONGEST ? undefined : stringsOf(form.body, limit);
  return body && powers(body, form.min, form.max, limit);
}

function powers(body: Strings, min: number, max: number, limit: Limit): Strings | undefined {
  const list = new Set<string>();
  let power: Strings | undefined = EMPTY_STRING;
  for (let count = 0; power !== undefined && list.size <= limit.maxCount; count++) {
    if (count >= min) addAll(list, power.list);
    if (count === max) return isTooMuch(list, limit) ? undefined : { list: [...list], exact: body.exact };
    power = product(power, body, limit);
  }
  return undefined;
}

function isTooMuch(list: ReadonlySet<string>, limit: Limit): boolean {
  return list.size > limit.maxCount || totalLength(list) > limit.length;
}

function addAll(list: Set<string>, more: readonly string[]): void {
  spend(more.length * STRING_WORK);
  for (const string of more) list.add(string);
}

export function product(left: Strings, right: Strings, limit: Limit): Strings | undefined {
  const count = left.list.length * right.list.length;
  if (count > limit.maxCount || productLength(left.list, right.list) > limit.length) return undefined;
  spend(count * STRING_WORK);
  if (left === EMPTY_STRING) return right;
  if (right === EMPTY_STRING) return left;
  const list = concatenations(left.list, right.list);
  if (list === undefined) return undefined;
  const distinct = left.list.length === 1 || right.list.length === 1;
  return { list: distinct ? list : [...new Set(list)], exact: left.exact && right.exact };
}

/** Undefined if a result is too long. */
function concatenations(starts: readonly string[], ends: readonly string[]): string[] | undefined {
  const list: string[] = [];
  for (const start of starts) {
    for (const end of ends) {
      if (start.length + end.length > LONGEST) return undefined;
      list.push(start + end);
    }
  }
  return list;
}

function productLength(left: readonly string[], right: readonly string[]): number {
  return totalLength(left) * right.length + totalLength(right) * left.length;
}
