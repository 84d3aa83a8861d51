/** Reads a file of patterns for import. */
import { createHash, randomUUID } from 'node:crypto';
import { isListName, LIST_NAME_RULE } from '../../model/blacklist-lists/blacklist-list.ts';
import type { Blacklist } from '../../model/blacklists/blacklist.ts';
import type { PatternLanguage } from '../../model/blacklists/pattern-language.ts';
import type { Clock } from '../../model/clock.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import { newBlacklist } from '../blacklists/blacklists.ts';
import {
  type FileDraft,
  type LineWarning,
  PatternFileReader,
  type PatternFileReading,
} from '../blacklists/pattern-file.ts';
import { linesAsTheyArrive } from '../files/file-lines.ts';

/** Entries written in one statement. */
export const BATCH = 1000;

/** A file, and how to import it. */
export interface Incoming extends PatternFileReading {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The list that will hold its entries; '' for none. */
  readonly list: string;
  /** True if the list releases entries that are not in the file. */
  readonly isSync: boolean;
}

/** The result of reading a file. */
export interface ReadPatternFile {
  readonly sha256: string;
  /** The first warnings, and the number of all. */
  readonly warnings: readonly LineWarning[];
  readonly warningCount: number;
}

/** @throws DomainError `invalid_object` */
export function requireListName(name: string): void {
  if (!isListName(name)) throw invalidObject([{ path: ['list'], message: LIST_NAME_RULE }]);
}

/** @throws DomainError `invalid_object` */
export function requireIncoming({ list, isSync }: Pick<Incoming, 'list' | 'isSync'>): void {
  if (list !== '' || isSync) requireListName(list);
}

async function* measured(bytes: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
}

/**
 * Reads a file to its end, and passes on its entries until the first fault.
 * @param take receives at most `BATCH` entries, and the number of lines read for them
 * @throws DomainError `invalid_object` with all faults of the file, or the first ones if there are too many
 */
export async function readIncoming(
  { bytes, ...reading }: Incoming,
  language: PatternLanguage,
  take: (drafts: readonly FileDraft[], lines: number) => Promise<void>,
): Promise<ReadPatternFile> {
  const hash = createHash('sha256');
  const reader = new PatternFileReader(reading, language);
  let pending: FileDraft[] = [];
  let lines = 0;
  const give = async (least: number): Promise<void> => {
    while (pending.length >= least && pending.length > 0 && reader.faultCount === 0) {
      const some = pending.slice(0, BATCH);
      pending = pending.slice(BATCH);
      await take(some, lines);
      lines = 0;
    }
    if (reader.faultCount > 0) pending = [];
  };
  for await (const some of linesAsTheyArrive(measured(bytes, hash))) {
    lines += some.length;
    for (const draft of await reader.read(some)) pending.push(draft);
    await give(BATCH);
  }
  for (const draft of await reader.end()) pending.push(draft);
  await give(1);
  reader.requireNoFaults();
  const { warnings, warningCount } = reader;
  return { sha256: hash.digest('hex'), warnings, warningCount };
}

/** Number of characters that the ids of a batch share; 90 random bits remain. */
const SHARED = 8;

/** New entries with adjacent ids, so that each index is changed in one place rather than a thousand. */
export function entriesOf(drafts: readonly FileDraft[], clock: Clock): readonly Blacklist[] {
  const start = randomUUID().slice(0, SHARED);
  const ids = drafts.map(() => `${start}${randomUUID().slice(SHARED)}`).sort();
  return drafts.map((draft, place) => newBlacklist(draft, clock, ids[place]));
}

/** The error for a missing list. */
export function listMissing(): DomainError {
  return new DomainError('blacklist_list_not_found');
}
