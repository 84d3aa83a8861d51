import { lineFault } from '../errors.ts';
import { type Line, requireLines } from '../file-lines.ts';
import { Faults } from '../shapes/faults.ts';
import { isObject, object } from '../shapes/shape.ts';
import { descriptionFault, textFault } from '../text.ts';
import type { BlacklistDraft, Terms } from './blacklist.ts';
import type { PatternLanguage } from './pattern-language.ts';
import { requireEscapedName, suffixPatterns } from './public-suffixes.ts';
import { TERM_MEMBERS, type TermsOnWire, termsGiven } from './term-shapes.ts';

/** The kind of lines in a file: patterns, names, rules of the public suffix list, or JSON objects. */
export const PATTERN_FILE_FORMATS = ['patterns', 'exact', 'subtree', 'psl', 'jsonl'] as const;
export type PatternFileFormat = (typeof PATTERN_FILE_FORMATS)[number];

export interface PatternFile {
  readonly bytes: Uint8Array;
  readonly format: PatternFileFormat;
  /** The terms of entries that give none themselves. */
  readonly terms?: Partial<Terms> | undefined;
}

/** A pattern to store from a file. */
export interface FileDraft extends BlacklistDraft {
  /** The line of the pattern in the file; a pattern generated from a name has none. */
  readonly line?: number;
}

type Language = Pick<PatternLanguage, 'fault'>;

export const MOST_PATTERN = 4096;

/** Why a text cannot be a pattern, or undefined. */
export function patternFault(pattern: string, language: Language): string | undefined {
  return textFault(pattern, { min: 1, max: MOST_PATTERN }) ?? language.fault(pattern);
}

const isBlank = ({ text }: Line): boolean => text.trim() === '';
const isComment = ({ text }: Line): boolean => text.trimStart().startsWith('#');

function requirePattern(line: Line, pattern: string, language: Language): string {
  const fault = patternFault(pattern, language);
  if (fault !== undefined) throw lineFault(line.number, fault);
  return pattern;
}

interface Entry extends Readonly<Record<string, unknown>> {
  readonly pattern?: unknown;
  readonly description?: unknown;
}

const TERMS = object<object, TermsOnWire>({}, TERM_MEMBERS);

function requireEntry(line: Line): Entry {
  try {
    const value: unknown = JSON.parse(line.text);
    if (isObject(value)) return value;
  } catch {
    // The answer is the same for every fault.
  }
  throw lineFault(line.number, 'Write one JSON object: {"pattern": "...", "description": "..."}.');
}

function requireDescription({ number }: Line, description: unknown): string | null {
  if (description === null) return null;
  if (typeof description !== 'string') {
    throw lineFault(number, 'Give a "description" of type string or null.');
  }
  const fault = descriptionFault(description);
  if (fault !== undefined) throw lineFault(number, fault);
  return description;
}

/** The terms that an entry gives, by the rules of the API. */
function requireTerms({ number }: Line, given: object): Partial<Terms> {
  const faults = new Faults();
  const terms = TERMS.read(given, faults);
  if (terms !== undefined) return termsGiven(terms);
  throw lineFault(number, faults.refusal().message);
}

function requireJsonDraft(line: Line, language: Language): FileDraft {
  const { pattern, description = null, ...others } = requireEntry(line);
  const unknown = Object.keys(others).find((key) => !Object.hasOwn(TERM_MEMBERS, key));
  if (unknown !== undefined) throw lineFault(line.number, `The key ${JSON.stringify(unknown)} is unknown.`);
  if (typeof pattern !== 'string') throw lineFault(line.number, 'Give a "pattern" of type string.');
  return {
    description: requireDescription(line, description),
    pattern: requirePattern(line, pattern, language),
    ...requireTerms(line, others),
    line: line.number,
  };
}

function patternsOfNames(lines: readonly Line[], pattern: (name: string) => string): BlacklistDraft[] {
  return lines
    .filter((line) => !isBlank(line) && !isComment(line))
    .map((line) => ({ pattern: pattern(requireEscapedName(line, line.text.trim())) }));
}

type Reader = (lines: readonly Line[], language: Language) => FileDraft[];

const READERS: Readonly<Record<PatternFileFormat, Reader>> = {
  patterns: (lines, language) =>
    lines
      .filter((line) => !isBlank(line))
      .map((line) => ({ pattern: requirePattern(line, line.text, language), line: line.number })),
  exact: (lines) => patternsOfNames(lines, (name) => `^${name}$`),
  subtree: (lines) => patternsOfNames(lines, (name) => `^([A-Za-z0-9_\\-]+\\.)*${name}$`),
  psl: (lines) => suffixPatterns(lines),
  jsonl: (lines, language) =>
    lines.filter((line) => !isBlank(line)).map((line) => requireJsonDraft(line, language)),
};

/**
 * Reads a file of patterns or names.
 * @throws DomainError `invalid_object` with the first line that cannot be used
 */
export function requirePatternFile({ bytes, format, terms }: PatternFile, language: Language): FileDraft[] {
  const drafts = READERS[format](requireLines(bytes), language);
  return terms === undefined ? drafts : drafts.map((draft) => ({ ...terms, ...draft }));
}

/**
 * Whether a pattern can stand on a line of a file of patterns and be read back as it is. One with control characters
 * is left to JSON lines, which escape them: a terminal that shows the file would obey them.
 */
export function fitsOnLine(pattern: string): boolean {
  return !/[^\P{Control}\t]/u.test(pattern) && pattern.trim() !== '' && !pattern.startsWith('\uFEFF');
}
