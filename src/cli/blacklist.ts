import { readFileSync } from 'node:fs';
import { parseListedName, unicodeForm } from '../dns/names.ts';
import type { Act } from '../domain/acts/act.ts';
import type { Blacklist } from '../domain/blacklists/blacklist.ts';
import type { BlacklistUseCases } from '../domain/blacklists/blacklists.ts';
import type { Store } from '../domain/store.ts';
import { finishCheck, PatternIndex } from '../matcher/pattern-index.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { importWarnings } from './import-warnings.ts';
import { type Format, fitsOnLine, readPatternFile } from './pattern-files.ts';
import { progressBar } from './progress.ts';

export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new CommandError(`The file ${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** `blacklist import`: stores all patterns of a file, or none; what is there already is skipped and counted. */
export async function importBlacklists(
  act: Act,
  blacklists: BlacklistUseCases,
  file: string,
  format: Format,
  { out, err }: Output,
): Promise<ExitStatus> {
  const drafts = readPatternFile(readFile(file), format);
  const warnings = importWarnings(drafts);
  const progress = progressBar('importing', drafts.length);
  const added = await blacklists
    .import(act, drafts, (done) => progress.update(done))
    .finally(() => progress.stop());
  if (warnings.length > 0) err(warnings.join('\n'));
  out(`imported ${added}, already there ${drafts.length - added}`);
  return EXIT.done;
}

const EVERYTHING = { filters: {}, sortKey: 'created_at', sortDir: 'asc' } as const;

/** The line of a pattern in a plain export; undefined when it has to be left out. */
function plainLine({ pattern }: Blacklist): string | undefined {
  return fitsOnLine(pattern) ? pattern : undefined;
}

function jsonLine({ pattern, description }: Blacklist): string {
  return JSON.stringify({ pattern, description });
}

/** `blacklist export`: one pattern a line, or one JSON object a line. */
export async function exportBlacklists(
  act: Act,
  blacklists: BlacklistUseCases,
  asJson: boolean,
  { out, err }: Output,
): Promise<ExitStatus> {
  const lineOf = asJson ? jsonLine : plainLine;
  const leftOut: Blacklist[] = [];
  for await (const batch of blacklists.stream(act, EVERYTHING)) {
    leftOut.push(...batch.filter((one) => lineOf(one) === undefined));
    const lines = batch.map(lineOf).filter((line) => line !== undefined);
    if (lines.length > 0) out(lines.join('\n'));
  }
  for (const { id, pattern } of leftOut) {
    err(`left out ${id}: its pattern does not fit on one line: ${JSON.stringify(pattern)}`);
  }
  if (leftOut.length === 0) return EXIT.done;
  throw new CommandError(`${leftOut.length} of the patterns need "blacklist export --jsonl".`);
}

async function indexOf(store: Store): Promise<PatternIndex> {
  const index = new PatternIndex();
  for await (const batch of store.blacklists.added(0, await store.blacklists.revision())) {
    for (const { number, pattern } of batch) index.add(number, pattern);
  }
  return index;
}

/** The patterns at which the check of a create gives up. */
function undecidedBy(index: PatternIndex, forms: readonly string[]): readonly number[] {
  const found = index.check(forms);
  const verdict = found.kind === 'long' ? finishCheck(found.rest) : found;
  return verdict.kind === 'undecided' ? verdict.keys : [];
}

async function print(store: Store, numbers: readonly number[], line: (text: string) => void): Promise<void> {
  for (const number of numbers) {
    const blacklist = await store.blacklists.findByNumber(number);
    if (blacklist !== undefined) line(`${blacklist.id} ${blacklist.pattern}`);
  }
}

/** `blacklist test`: prints every pattern that matches a name, with its id, and those that could not be decided. */
export async function testName(store: Store, text: string, { out, err }: Output): Promise<ExitStatus> {
  const parsed = parseListedName(text);
  if (!parsed.ok) throw new CommandError(parsed.reason);
  const unicode = unicodeForm(parsed.value);
  const forms = unicode === undefined ? [parsed.value] : [parsed.value, unicode];
  const index = await indexOf(store);
  const { matches, undecided } = index.explain(forms);
  // An explanation may take more steps than a create, which then refuses the name all the same.
  const open = matches.length + undecided.length > 0 ? undecided : undecidedBy(index, forms);
  await print(store, matches, out);
  await print(store, open, (line) => err(`undecided: ${line}`));
  if (matches.length > 0) return EXIT.no;
  if (open.length === 0) return EXIT.done;
  throw new CommandError(
    `${parsed.value} cannot be checked within the step budget against ${open.length} of the patterns; no zone of that name is created.`,
  );
}
