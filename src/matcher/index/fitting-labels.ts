import type { LabelRule } from '../analysis/context.ts';
import type { CharSet } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import type { Subject } from './subject.ts';

/**
 * How many labels at the start of a name fit the rule of a context, found out once for each name and context: a name
 * has as many tails as labels, and each may be asked about for every context.
 */
export class FittingLabels {
  private readonly counts: Int32Array;
  /** The serial number of the name that each count is for. */
  private readonly names: Float64Array;

  constructor(contexts: number) {
    this.counts = new Int32Array(contexts);
    this.names = new Float64Array(contexts);
  }

  count(context: number, rule: LabelRule, { serial, text }: Subject): number {
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

/** Small sets of few ranges are looked through faster than searched. */
function accepts(chars: CharSet, code: number): boolean {
  for (let i = 0; i < chars.length && i < 16; i += 2) {
    if (code < chars[i]!) return false;
    if (code <= chars[i + 1]!) return true;
  }
  return chars.length > 16 && contains(chars, code);
}
