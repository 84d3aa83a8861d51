import { type Form, simplify } from './analysis/form.ts';
import { canMatchName } from './analysis/name-shape.ts';
import { positionsOf } from './analysis/positions.ts';
import type { CharSet, Node } from './ast.ts';
import { type Misspelling, misspellingsIn } from './literal-form.ts';
import { isPlainRule } from './plain-rule.ts';
import { StepBudget } from './run/budget.ts';
import { compileProgram, type Program, searchPattern } from './run/program.ts';
import { encodeText } from './run/text.ts';
import { parsePattern } from './syntax/parse.ts';
import { within } from './work.ts';

export type WarningCode =
  | 'never_matches'
  | 'no_final_dot'
  | 'decomposed'
  | 'compatibility_form'
  | 'mixed_labels'
  | 'unanchored'
  | 'unescaped_dot'
  | 'posix_class'
  | 'matches_every_name'
  | 'slow';

/** Something the administrator may not have intended. */
export interface Warning {
  readonly code: WarningCode;
  /** A sentence that suggests a fix. */
  readonly message: string;
}

const MESSAGES = {
  never_matches:
    'No zone name can match this pattern: names are lower-case labels of letters, digits, - and _, each followed by a dot; remove what cannot occur in them, or what comes before ^ or after $.',
  no_final_dot: 'Zone names end in a dot, but this pattern ends before it: write \\.$ at the end.',
  decomposed:
    'A letter is followed by a combining mark, where names have one composed character: write the composed character (Unicode normalization form C).',
  compatibility_form:
    'A character is a compatibility form, such as a full-width letter, where names have the plain character: write the plain character (Unicode normalization form KC).',
  mixed_labels:
    'One label is an A-label (xn--...) and another is in Unicode, but a name is compared once with all labels as A-labels and once with all labels in Unicode: write all labels in the same form.',
  open_start:
    'The pattern is not anchored at the start of the name and also matches longer names: begin it with ^, or with (^|\\.) to include subdomains.',
  open_end:
    'The pattern is not anchored at the end of the name and also matches longer names: end it with \\.$.',
  unescaped_dot: 'An unescaped dot stands for any character: write \\. for a literal dot.',
  posix_class:
    'POSIX classes such as [[:space:]] are unknown here: the brackets stand for the characters in them. Write \\s, \\d, \\w or a range such as [a-z].',
  matches_every_name:
    'This pattern matches nearly every name, so hardly any zone can be created: make it more specific, unless you intend that.',
  slow: 'This pattern can only be tried step by step, and may leave names undecided: avoid back-references, conditionals and very large repeats.',
} as const;

/** Names of every kind. A pattern that matches all of these may still exclude some names explicitly. */
const SAMPLES = [
  'a.b.',
  '0.1.',
  'example.com.',
  'x-y_z.q.',
  `${'n'.repeat(63)}.${'7'.repeat(63)}.`,
  'xn--bcher-kva.w.v.u.',
  '_dmarc.e.f.',
];
/** For all samples together. */
const SAMPLE_STEPS = 100_000;
/** Maximum work for each finding, so that nobody waits long: a few milliseconds. */
const MAX_WORK = 2_000_000;
const CODES: Readonly<Record<Misspelling, 'decomposed' | 'compatibility_form' | 'mixed_labels'>> = {
  decomposed: 'decomposed',
  compatibility: 'compatibility_form',
  mixed: 'mixed_labels',
};
const LARGE = 200_000;
/** A POSIX class, inside or outside of a set. */
const POSIX_CLASS = /\[:\^?[a-z]{1,10}:\]/;

/**
 * Warnings about a pattern, in the order in which they are best fixed.
 * @throws PatternError if the source is not a valid pattern
 */
export function lintPattern(source: string): Warning[] {
  if (isPlainRule(source)) return [];
  const pattern = parsePattern(source);
  const program = within(MAX_WORK, () => compileProgram(pattern))?.value;
  const warnings = POSIX_CLASS.test(source) ? [warning('posix_class', 'posix_class')] : [];
  warnings.push(...(within(MAX_WORK, () => reachWarnings(pattern.root))?.value ?? []));
  for (const misspelling of misspellingsIn(pattern.root)) {
    warnings.push(warning(CODES[misspelling], CODES[misspelling]));
  }
  warnings.push(...breadthWarnings(pattern.root, program));
  if (hasLoneDot(pattern.root)) warnings.push(warning('unescaped_dot', 'unescaped_dot'));
  if (program === undefined || isSlow(program)) warnings.push(warning('slow', 'slow'));
  return warnings;
}

/** Warnings about patterns that may match more than intended. */
function breadthWarnings(root: Node, program: Program | undefined): Warning[] {
  if (program !== undefined && matchesEverySample(program)) {
    return [warning('matches_every_name', 'matches_every_name')];
  }
  const { form } = simplify(root);
  const warnings: Warning[] = [];
  if (!isTied(form, 'start')) warnings.push(warning('unanchored', 'open_start'));
  if (!isTied(form, 'end')) warnings.push(warning('unanchored', 'open_end'));
  return warnings;
}

function isSlow(program: Program): boolean {
  return !program.linear || program.size > LARGE;
}

function warning(code: WarningCode, message: keyof typeof MESSAGES): Warning {
  return { code, message: MESSAGES[message] };
}

function reachWarnings(root: Node): Warning[] {
  const positions = positionsOf(root);
  if (positions === undefined || canMatchName(positions, true)) return [];
  const dotless = canMatchName(positions, false);
  return [dotless ? warning('no_final_dot', 'no_final_dot') : warning('never_matches', 'never_matches')];
}

function matchesEverySample(program: Program): boolean {
  const budget = new StepBudget(SAMPLE_STEPS);
  return SAMPLES.every((name) => searchPattern(program, encodeText(name), budget) === 'match');
}

/** True if the form can match only from the start or from a dot; or, on the other side, only up to the end. */
function isTied(form: Form, side: 'start' | 'end'): boolean {
  switch (form.kind) {
    case 'mark':
      return (form.at === 'start') === (side === 'start');
    case 'sequence':
      return isSequenceTied(form.items, side);
    case 'alternatives':
      return form.options.every((option) => isTied(option, side));
    case 'repeat':
      return form.min > 0 && isTied(form.body, side);
    case 'set':
      return side === 'start' && form.chars.length === 2 && form.chars[0] === 46 && form.chars[1] === 46;
    default:
      return false;
  }
}

/** Optional items at an end do not anchor it: `.*\.zip` is found wherever `\.zip` is. */
function isSequenceTied(items: readonly Form[], side: 'start' | 'end'): boolean {
  const inwards = side === 'start' ? items : items.toReversed();
  const outermost = inwards.find((item) => !canBeLeftOut(item));
  return outermost !== undefined && isTied(outermost, side);
}

function canBeLeftOut(form: Form): boolean {
  return form.kind === 'also' || (form.kind === 'repeat' && form.min === 0);
}

/** True if there is a `.` without a repeat. */
function hasLoneDot(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return isAnyCharacter(node.chars);
    case 'sequence':
      return node.items.some(hasLoneDot);
    case 'alternatives':
      return node.options.some(hasLoneDot);
    case 'repeat':
      return node.body.kind !== 'set' && hasLoneDot(node.body);
    case 'group':
    case 'atomic':
    case 'look':
      return hasLoneDot(node.body);
    default:
      return false;
  }
}

function isAnyCharacter(chars: CharSet): boolean {
  const [from, to, again, end] = chars;
  return from === 0 && end === 0x10ffff && to === 9 && again === 11 && chars.length === 4;
}
