/** Patterns of names: labels, `*` for exactly one label, and `**` for any number of labels at one end. */

import { LABEL } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import type { Parsed } from '../../dns/parsed.ts';

const ONE = '*';
const GAP = '**';
const ESCAPED_STAR = '\\*';
const MANY_GAPS = '** may stand once, as the first or the last label.';
const EMPTY_LABEL = 'A pattern has no empty label. Put a single dot between labels, and none at the start.';

/** Matches one label: a literal in canonical form, or any. */
type LabelPattern = { readonly literal: string } | 'any';

export interface NamePattern {
  /** The labels before the gap; all of them if there is none. */
  readonly before: readonly LabelPattern[];
  /** True if any number of labels may follow `before`. */
  readonly hasGap: boolean;
  /** The labels after the gap. */
  readonly after: readonly LabelPattern[];
}

function parseLabel(text: string): Parsed<LabelPattern> {
  if (text === ONE) return { ok: true, value: 'any' };
  if (text === ESCAPED_STAR) return { ok: true, value: { literal: ONE } };
  if (text === GAP) return { ok: false, reason: MANY_GAPS };
  const parsed = parseOwnerName(`${text}.`);
  return parsed.ok ? { ok: true, value: { literal: parsed.value.slice(0, -1) } } : parsed;
}

function parseLabels(texts: readonly string[]): Parsed<readonly LabelPattern[]> {
  const labels: LabelPattern[] = [];
  for (const text of texts) {
    const parsed = parseLabel(text);
    if (!parsed.ok) return parsed;
    labels.push(parsed.value);
  }
  return { ok: true, value: labels };
}

/** The labels of a text with a final dot; undefined if one is empty. */
function labelsOf(absolute: string): readonly string[] | undefined {
  const labels = absolute.match(LABEL) ?? [];
  const isWhole = labels.join('').length === absolute.length && labels.every((label) => label !== '.');
  return isWhole ? labels.map((label) => label.slice(0, -1)) : undefined;
}

/**
 * Parses a pattern without its final dot.
 * @returns the pattern, its literal labels in canonical form
 */
function parsePattern(text: string): Parsed<NamePattern> {
  const texts = labelsOf(`${text}.`);
  if (texts === undefined) return { ok: false, reason: EMPTY_LABEL };
  const hasGap = texts[0] === GAP || texts.at(-1) === GAP;
  const isFirst = texts[0] === GAP;
  const parsed = parseLabels(isFirst ? texts.slice(1) : texts.slice(0, hasGap ? -1 : undefined));
  if (!parsed.ok) return parsed;
  const [before, after] = isFirst ? [[], parsed.value] : [parsed.value, []];
  return { ok: true, value: { before, hasGap, after } };
}

/** Parses a pattern of zone names, which has a final dot. */
export function parseZonePattern(text: string): Parsed<NamePattern> {
  if (text.endsWith('.') && text !== '.') return parsePattern(text.slice(0, -1));
  return {
    ok: false,
    reason: 'Must be the ID of a zone, or a pattern with a final dot, such as *.shop.example.org.',
  };
}

const APEX = '@';

/** Parses a pattern of owner names relative to the apex: `@`, or labels without a final dot. */
export function parseRelativePattern(text: string): Parsed<NamePattern> {
  if (text === APEX) return { ok: true, value: { before: [], hasGap: false, after: [] } };
  if (text.endsWith('.')) {
    return {
      ok: false,
      reason: 'A pattern of names is relative to the zone. Leave out the zone and the final dot.',
    };
  }
  return parsePattern(text);
}

function labelText(label: LabelPattern): string {
  if (label === 'any') return ONE;
  return label.literal === ONE ? ESCAPED_STAR : label.literal;
}

/** The text of a pattern in canonical form: `@` for no labels, and without a final dot. */
export function patternText({ before, hasGap, after }: NamePattern): string {
  const labels = [...before.map(labelText), ...(hasGap ? [GAP] : []), ...after.map(labelText)];
  return labels.length === 0 ? APEX : labels.join('.');
}

function meets(label: LabelPattern, text: string | undefined): boolean {
  return text !== undefined && (label === 'any' || label.literal === text);
}

/** @param labels the labels of a name in canonical form, relative to where the pattern begins */
export function matchesPattern({ before, hasGap, after }: NamePattern, labels: readonly string[]): boolean {
  const rest = labels.length - before.length - after.length;
  if (hasGap ? rest < 0 : rest !== 0) return false;
  const from = labels.length - after.length;
  return (
    before.every((label, index) => meets(label, labels[index])) &&
    after.every((label, index) => meets(label, labels[from + index]))
  );
}

/** The literal labels at the end of a pattern, and whether they are all of it. */
export function literalSuffix({ before, hasGap, after }: NamePattern): {
  readonly labels: readonly string[];
  readonly isWhole: boolean;
} {
  const last = hasGap ? after : before;
  const labels: string[] = [];
  for (const label of last.toReversed()) {
    if (label === 'any') break;
    labels.unshift(label.literal);
  }
  return { labels, isWhole: !hasGap && labels.length === before.length };
}

/** @param inner undefined if a gap may put any label, or none, in its place */
function isLabelWithin(inner: LabelPattern | undefined, outer: LabelPattern): boolean {
  if (outer === 'any') return true;
  return inner !== undefined && inner !== 'any' && inner.literal === outer.literal;
}

/**
 * Whether every name that one pattern matches is matched by the other. It is exact, except that names have at most 127
 * labels.
 */
export function isPatternWithin(inner: NamePattern, outer: NamePattern): boolean {
  const innerLength = inner.before.length + inner.after.length;
  const outerLength = outer.before.length + outer.after.length;
  if (!outer.hasGap) {
    if (inner.hasGap || innerLength !== outerLength) return false;
    return inner.before.every((label, index) => isLabelWithin(label, outer.before[index]!));
  }
  if (innerLength < outerLength) return false;
  const ending = inner.hasGap ? inner.after : inner.before;
  return (
    outer.before.every((label, index) => isLabelWithin(inner.before[index], label)) &&
    outer.after.every((label, index) =>
      isLabelWithin(ending[ending.length - outer.after.length + index], label),
    )
  );
}
