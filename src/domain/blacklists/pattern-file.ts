import type { BlacklistDraft, Terms } from '../../model/blacklists/blacklist.ts';
import type { PatternLanguage, PatternWarning } from '../../model/blacklists/pattern-language.ts';
import { DomainError, type Fault, lineFault } from '../../model/errors.ts';
import { descriptionFault, textFault } from '../../model/text.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { FileLine } from '../files/file-lines.ts';
import { lineFaults, MAX_FAULTS } from '../files/line-faults.ts';
import { Faults } from '../shapes/faults.ts';
import { isObject, object } from '../shapes/shape.ts';
import { requireEscapedName, suffixPatterns } from './public-suffixes.ts';
import { TERM_MEMBERS, type TermsOnWire, termsGiven } from './term-shapes.ts';

/** The kind of lines in a file: patterns, names, rules of the public suffix list, or JSON objects. */
export const PATTERN_FILE_FORMATS = ['patterns', 'exact', 'subtree', 'psl', 'jsonl'] as const;
export type PatternFileFormat = (typeof PATTERN_FILE_FORMATS)[number];

/** How a file is read. */
export interface PatternFileReading {
  readonly format: PatternFileFormat;
  /** Terms of entries that set none themselves. */
  readonly terms?: Partial<Terms> | undefined;
  /** True to accept patterns that match every name. */
  readonly isForced?: boolean | undefined;
}

/** A warning about the pattern on a line. */
export interface LineWarning extends PatternWarning {
  readonly line: number;
}

/** A pattern to store from a file. */
export interface FileDraft extends BlacklistDraft {
  /** The line of the pattern in the file; a pattern generated from a name has none. */
  readonly line?: number;
}

type Language = Pick<PatternLanguage, 'fault'>;

export const MAX_PATTERN = 4096;

/** Why a text cannot be a pattern; undefined if it can. */
export function patternFault(pattern: string, language: Language): string | undefined {
  return textFault(pattern, { min: 1, max: MAX_PATTERN }) ?? language.fault(pattern);
}

/** Skips blank lines and comments. No name contains `#`, so no pattern needs to begin with it. */
const isSkipped = ({ text }: FileLine): boolean => /^\s*(?:#|$)/.test(text);

function requirePattern(line: FileLine, pattern: string, language: Language): string {
  const fault = patternFault(pattern, language);
  if (fault !== undefined) throw lineFault(line.number, fault);
  return pattern;
}

interface PatternFileEntry extends Readonly<Record<string, unknown>> {
  readonly pattern?: unknown;
  readonly description?: unknown;
}

/**
 * Keys that the API also shows for an entry. They are ignored here, so that exported lines can be imported elsewhere.
 */
const SHOWN_BESIDES: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'updated_at',
  'links',
  'hits',
  'exhausted',
  'lists',
]);
const TERMS = object<object, TermsOnWire>({}, TERM_MEMBERS);

function requireEntry(line: FileLine): PatternFileEntry {
  try {
    const value: unknown = JSON.parse(line.text);
    if (isObject(value)) return value;
  } catch {
    // All faults get the error below.
  }
  throw lineFault(line.number, 'Must be a JSON object, such as {"pattern": "...", "description": "..."}.');
}

function requireDescription({ number }: FileLine, description: unknown): string | null {
  if (description === null) return null;
  if (typeof description !== 'string') {
    throw lineFault(number, '"description" must be a string or null.');
  }
  const fault = descriptionFault(description);
  if (fault !== undefined) throw lineFault(number, fault);
  return description;
}

/** The terms of an entry, by the rules of the API. */
function requireTerms({ number }: FileLine, given: object): Partial<Terms> {
  const faults = new Faults();
  const terms = TERMS.read(given, faults);
  if (terms !== undefined) return termsGiven(terms);
  throw lineFault(number, faults.refusal().message);
}

/** The members that set terms. */
function termMembers({ number }: FileLine, members: object): object {
  const terms: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(members)) {
    if (Object.hasOwn(TERM_MEMBERS, key)) terms[key] = value;
    else if (!SHOWN_BESIDES.has(key)) throw lineFault(number, `The key ${JSON.stringify(key)} is unknown.`);
  }
  return terms;
}

function requireJsonDraft(line: FileLine, language: Language): FileDraft {
  const { pattern, description = null, ...others } = requireEntry(line);
  const terms = termMembers(line, others);
  if (typeof pattern !== 'string') throw lineFault(line.number, '"pattern" must be a string.');
  return {
    description: requireDescription(line, description),
    pattern: requirePattern(line, pattern, language),
    ...requireTerms(line, terms),
    line: line.number,
  };
}

type DraftOf = (line: FileLine, language: Language) => FileDraft | undefined;

function ofName(pattern: (name: string) => string): DraftOf {
  return (line) =>
    isSkipped(line) ? undefined : { pattern: pattern(requireEscapedName(line, line.text.trim())) };
}

/** How to read formats in which each line stands alone. */
const DRAFTS: Readonly<Record<Exclude<PatternFileFormat, 'psl'>, DraftOf>> = {
  patterns: (line, language) =>
    isSkipped(line) ? undefined : { pattern: requirePattern(line, line.text, language), line: line.number },
  exact: ofName((name) => `^${name}$`),
  subtree: ofName((name) => `^([A-Za-z0-9_\\-]+\\.)*${name}$`),
  jsonl: (line, language) => (isSkipped(line) ? undefined : requireJsonDraft(line, language)),
};

const MAX_WARNINGS = 20;
/**
 * Maximum number of lines in a public suffix list. It is held in memory, since exceptions may follow the rules they
 * belong to.
 */
const MAX_SUFFIXES = 200_000;
const MATCHES_EVERYTHING =
  'This pattern matches nearly every name, so hardly any zone could be created. Remove it, or force the import.';

/** Reads a file of patterns or names in parts, and collects all its faults. */
export class PatternFileReader {
  readonly #reading: PatternFileReading;
  readonly #language: PatternLanguage;
  readonly #turns = new TimeSlices();
  readonly #suffixes: FileLine[] = [];
  /** The first faults, and the number of all. */
  readonly faults: Fault[] = [];
  faultCount = 0;
  /** The first warnings, and the number of all. */
  readonly warnings: LineWarning[] = [];
  warningCount = 0;

  constructor(reading: PatternFileReading, language: PatternLanguage) {
    this.#reading = reading;
    this.#language = language;
  }

  /** The valid entries of the next lines. */
  async read(lines: readonly FileLine[]): Promise<readonly FileDraft[]> {
    const { format } = this.#reading;
    if (format !== 'psl') return this.#drafts(lines, (line) => DRAFTS[format](line, this.#language));
    if (this.#suffixes.length + lines.length > MAX_SUFFIXES)
      throw lineFault(MAX_SUFFIXES, `A public suffix list has at most ${MAX_SUFFIXES} lines.`);
    this.#suffixes.push(...lines);
    return [];
  }

  /** The entries that need the whole file. */
  async end(): Promise<readonly FileDraft[]> {
    if (this.#reading.format !== 'psl') return [];
    const patternOf = suffixPatterns(this.#suffixes, (fault) => this.#refuse(fault));
    return this.#drafts(this.#suffixes, patternOf);
  }

  /** @throws DomainError `invalid_object` with the faults, if there are any */
  requireNoFaults(): void {
    if (this.faultCount === 0) return;
    throw lineFaults(this.faults, this.faultCount);
  }

  async #drafts(lines: readonly FileLine[], draftOf: (line: FileLine) => FileDraft | undefined) {
    const drafts: FileDraft[] = [];
    for (const line of lines) {
      const draft = this.#draft(line, draftOf);
      if (draft !== undefined) drafts.push({ ...this.#reading.terms, ...draft });
      if (this.#turns.isOver) await this.#turns.next();
    }
    return drafts;
  }

  #draft(line: FileLine, draftOf: (line: FileLine) => FileDraft | undefined): FileDraft | undefined {
    try {
      const draft = draftOf(line);
      return draft === undefined || this.#isWanted(draft) ? draft : undefined;
    } catch (error) {
      this.#refuse(error);
      return undefined;
    }
  }

  /** Patterns generated from names have no warnings, since no one wrote them. */
  #isWanted({ line, pattern }: FileDraft): boolean {
    if (line === undefined) return true;
    for (const warning of this.#language.warnings(pattern)) {
      if (warning.code === 'matches_every_name' && this.#reading.isForced !== true)
        throw lineFault(line, MATCHES_EVERYTHING);
      this.warningCount += 1;
      if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ line, ...warning });
    }
    return true;
  }

  #refuse(error: unknown): void {
    if (!(error instanceof DomainError && error.kind === 'invalid_object')) throw error;
    this.faultCount += 1;
    if (this.faults.length < MAX_FAULTS) this.faults.push(...error.faults);
  }
}

/**
 * True if a pattern can be written on a line of a pattern file and read back unchanged. Patterns with control
 * characters need JSON lines, which escape them: a terminal that shows the file would interpret them.
 */
export function fitsOnLine(pattern: string): boolean {
  const isRead = !isSkipped({ number: 1, text: pattern });
  return isRead && !/[^\P{Control}\t]/u.test(pattern) && !pattern.startsWith('\uFEFF');
}
