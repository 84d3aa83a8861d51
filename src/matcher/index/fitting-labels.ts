import type { LabelRule } from '../analysis/context.ts';
import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import type { PreparedName } from './subject.ts';

/**
 * The number of labels at the start of a name that fit the rule of a context. Cached per name and context, because a
 * name has as many tails as labels, and each may be checked against every context.
 */
export class FittingLabels {
  private readonly counts: Int32Array;
  /** Serial number of the name that each count belongs to. */
  private readonly names: Float64Array;

  constructor(contexts: number) {
    this.counts = new Int32Array(contexts);
    this.names = new Float64Array(contexts);
  }

  count(context: number, rule: LabelRule, { serial, text }: PreparedName): number {
    if (this.names[context] !== serial) {
      this.names[context] = serial;
      this.counts[context] = fittingLabels(rule, text);
    }
    return this.counts[context]!;
  }
}

function fittingLabels(rule: LabelRule, text: string): number {
  let labels = 0;
  let from = 0;
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
    if (!labelFits(rule, text, from, dot)) return labels;
    labels++;
    from = dot + 1;
  }
  return labels;
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

/** For small sets, a linear scan is faster than a binary search. */
function accepts(chars: CharSet, code: number): boolean {
  for (let i = 0; i < chars.length && i < 16; i += 2) {
    if (code < chars[i]!) return false;
    if (code <= chars[i + 1]!) return true;
  }
  return chars.length > 16 && contains(chars, code);
}
