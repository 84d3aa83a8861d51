import { foldSet } from './fold.ts';
import type { Form } from './form.ts';

/** A finite set of folded strings. `exact` is false where the pattern matches only some spellings of them. */
export interface Strings {
  readonly list: readonly string[];
  readonly exact: boolean;
}

export const EMPTY_STRING: Strings = { list: [''], exact: true };

const LONGEST = 255;

/** The strings that a form without marks stands for; undefined when there are more than `most`, or no end of them. */
export function stringsOf(form: Form, most: number): Strings | undefined {
  switch (form.kind) {
    case 'set':
      return ofSet(form, most);
    case 'sequence':
      return ofSequence(form.items, most);
    case 'alternatives':
      return ofAlternatives(form.options, most);
    case 'repeat':
      return ofRepeat(form, most);
    default:
      return undefined;
  }
}

export function ofSequence(items: readonly Form[], most: number): Strings | undefined {
  let sum: Strings | undefined = EMPTY_STRING;
  for (const item of items) {
    const strings = stringsOf(item, most);
    sum = strings && sum && product(sum, strings, most);
    if (sum === undefined) return undefined;
  }
  return sum;
}

function ofSet(form: Form & { kind: 'set' }, most: number): Strings | undefined {
  const folded = foldSet(form.chars, most);
  return folded && { list: folded.codes.map((code) => String.fromCodePoint(code)), exact: folded.exact };
}

function ofAlternatives(options: readonly Form[], most: number): Strings | undefined {
  const list = new Set<string>();
  let exact = true;
  for (const option of options) {
    const strings = stringsOf(option, most);
    if (strings === undefined || list.size + strings.list.length > most) return undefined;
    for (const string of strings.list) list.add(string);
    exact &&= strings.exact;
  }
  return { list: [...list], exact };
}

function ofRepeat(form: Form & { kind: 'repeat' }, most: number): Strings | undefined {
  const body = form.max > LONGEST ? undefined : stringsOf(form.body, most);
  return body && powers(body, form.min, form.max, most);
}

function powers(body: Strings, min: number, max: number, most: number): Strings | undefined {
  const list = new Set<string>();
  let power: Strings | undefined = EMPTY_STRING;
  for (let count = 0; power !== undefined && list.size <= most; count++) {
    if (count >= min) addAll(list, power.list);
    if (count === max) return list.size > most ? undefined : { list: [...list], exact: body.exact };
    power = product(power, body, most);
  }
  return undefined;
}

function addAll(list: Set<string>, more: readonly string[]): void {
  for (const string of more) list.add(string);
}

export function product(left: Strings, right: Strings, most: number): Strings | undefined {
  if (left.list.length * right.list.length > most) return undefined;
  const exact = left.exact && right.exact;
  const list = left.list.flatMap((start) => right.list.map((end) => start + end));
  if (list.some((string) => string.length > LONGEST)) return undefined;
  return { list: list.length > 1 ? [...new Set(list)] : list, exact };
}
