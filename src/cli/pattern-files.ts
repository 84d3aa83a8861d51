import type { BlacklistDraft } from '../domain/blacklists/blacklist.ts';
import { descriptionFault, textFault } from '../domain/text.ts';
import { patternLanguage } from '../matcher/language.ts';
import { CommandError } from './errors.ts';
import { escapedName, type Line, LineError } from './lines.ts';
import { suffixPatterns } from './public-suffixes.ts';

export const FORMATS = ['patterns', 'exact', 'subtree', 'psl', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** The text as lines, without line ends; a byte order mark is no part of the first one. */
function splitLines(bytes: Buffer): Line[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new CommandError('The file is not UTF-8. Nothing was stored.');
  }
  return text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }));
}

const isBlank = ({ text }: Line): boolean => text.trim() === '';
const isComment = ({ text }: Line): boolean => text.trimStart().startsWith('#');

function requirePattern(line: Line, pattern: string): string {
  const fault = textFault(pattern, { min: 1, max: 4096 }) ?? patternLanguage.fault(pattern);
  if (fault !== undefined) throw new LineError(line, fault);
  return pattern;
}

/** What a file wants to have stored. */
export interface FileDraft extends BlacklistDraft {
  /** Where the pattern itself stands in the file; a pattern that was made from a name has none. */
  readonly line?: number;
}

interface Entry {
  readonly pattern?: unknown;
  readonly description?: unknown;
}

function parseEntry(line: Line): Entry {
  try {
    const value: unknown = JSON.parse(line.text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  throw new LineError(line, 'Write one JSON object: {"pattern": "...", "description": "..."}.');
}

function fromJson(line: Line): FileDraft {
  const entry = parseEntry(line);
  const { pattern, description = null } = entry;
  const unknown = Object.keys(entry).find((key) => key !== 'pattern' && key !== 'description');
  if (unknown !== undefined) throw new LineError(line, `The key ${JSON.stringify(unknown)} is unknown.`);
  if (typeof pattern !== 'string') throw new LineError(line, 'Give a "pattern" of type string.');
  if (description !== null && typeof description !== 'string') {
    throw new LineError(line, 'Give a "description" of type string or null.');
  }
  const fault = description === null ? undefined : descriptionFault(description);
  if (fault !== undefined) throw new LineError(line, fault);
  return { pattern: requirePattern(line, pattern), description, line: line.number };
}

const named = (lines: readonly Line[], pattern: (name: string) => string): BlacklistDraft[] =>
  lines
    .filter((line) => !isBlank(line) && !isComment(line))
    .map((line) => ({ pattern: pattern(escapedName(line, line.text.trim())) }));

/** How each format becomes patterns. */
const READERS: Readonly<Record<Format, (lines: readonly Line[]) => FileDraft[]>> = {
  patterns: (lines) =>
    lines
      .filter((line) => !isBlank(line))
      .map((line) => ({ pattern: requirePattern(line, line.text), line: line.number })),
  exact: (lines) => named(lines, (name) => `^${name}$`),
  subtree: (lines) => named(lines, (name) => `^([A-Za-z0-9_\\-]+\\.)*${name}$`),
  psl: (lines) => suffixPatterns(lines),
  jsonl: (lines) => lines.filter((line) => !isBlank(line)).map(fromJson),
};

/**
 * Reads a file of patterns or names.
 * @throws LineError naming the first line that cannot be used
 */
export function readPatternFile(bytes: Buffer, format: Format): FileDraft[] {
  return READERS[format](splitLines(bytes));
}

/** Whether a pattern can stand on a line of its own and be read back as it is. */
export function fitsOnLine(pattern: string): boolean {
  return !/[\r\n]/.test(pattern) && pattern.trim() !== '' && !pattern.startsWith('\uFEFF');
}
