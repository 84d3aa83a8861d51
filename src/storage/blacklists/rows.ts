import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import type { Blacklist, BlacklistException, Terms } from '../../model/blacklists/blacklist.ts';
import type { Revision } from '../../model/blacklists/store.ts';
import type { Schema } from '../database/schema.ts';

/** Number of code points of a pattern by which lists are sorted. */
const START = 200;

/** A row, with the lists that hold it if these were read. */
export type BlacklistRow = Selectable<Schema['blacklists']> & { readonly lists?: string | null };
/** The columns of a new row; it has no hits yet, has not ended, and no task removes it. */
export type NewBlacklistRow = Omit<Selectable<Schema['blacklists']>, 'ended' | 'leaves' | `hits_${string}`>;

interface StoredException {
  readonly project_id: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly expires_at: string | null;
}

/** The key for looking up a pattern. */
export function hashOf(pattern: string): string {
  return hash('sha256', pattern, 'hex');
}

function startOf(pattern: string): string {
  if (pattern.length <= START) return pattern;
  return [...pattern.slice(0, 2 * START)].slice(0, START).join('');
}

export function patternColumns(pattern: string) {
  return { pattern, pattern_hash: hashOf(pattern), pattern_start: startOf(pattern) };
}

/** True if the lookup and sort keys of a pattern match its text. */
export function hasValidKeys({ pattern, pattern_hash, pattern_start }: BlacklistRow): boolean {
  const keys = patternColumns(pattern);
  return keys.pattern_hash === pattern_hash && keys.pattern_start === pattern_start;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isException(value: unknown): value is StoredException {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { project_id, name, description, expires_at } = value as Readonly<Record<string, unknown>>;
  return [project_id, name, description, expires_at].every((one) => one === null || typeof one === 'string');
}

/** The exceptions in a column, or undefined if they are unreadable. */
function readExceptions(text: string): readonly StoredException[] | undefined {
  if (text === '[]') return [];
  const value = parsed(text);
  return Array.isArray(value) && value.every(isException) ? value : undefined;
}

export function hasReadableExceptions({ exceptions }: Pick<BlacklistRow, 'exceptions'>): boolean {
  return readExceptions(exceptions) !== undefined;
}

/** Unreadable exceptions exempt nobody. */
function exceptionsOf(text: string): readonly BlacklistException[] {
  return (readExceptions(text) ?? []).map((one) => ({
    projectId: one.project_id,
    name: one.name === null ? null : canonicalName<Fqdn>(one.name),
    description: one.description,
    expiresAt: one.expires_at,
  }));
}

function exceptionsColumn(exceptions: readonly BlacklistException[]): string {
  const stored: readonly StoredException[] = exceptions.map((one) => ({
    project_id: one.projectId,
    name: one.name,
    description: one.description,
    expires_at: one.expiresAt,
  }));
  return JSON.stringify(stored);
}

/** The columns of an entry's terms. */
export type TermColumns = Pick<BlacklistRow, 'mode' | 'expires_at' | 'exceptions'>;

export function termsFrom(row: TermColumns): Terms {
  return {
    mode: row.mode,
    expiresAt: row.expires_at || null,
    exceptions: exceptionsOf(row.exceptions),
  };
}

export function termColumns({ mode, expiresAt, exceptions }: Terms): TermColumns {
  return { mode, expires_at: expiresAt ?? '', exceptions: exceptionsColumn(exceptions) };
}

function hitsOf(row: BlacklistRow): Blacklist['hits'] {
  if (row.hits_at === '') return null;
  return {
    refused: row.hits_refused,
    warned: row.hits_warned,
    audited: row.hits_audited,
    lastAt: row.hits_at,
  };
}

export function blacklistFromRow(row: BlacklistRow): Blacklist {
  return {
    id: row.id,
    pattern: row.pattern,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    ...termsFrom(row),
    exhausted: row.exhausted_count > 0 ? { count: row.exhausted_count, lastAt: row.exhausted_at } : null,
    hits: hitsOf(row),
    lists: row.lists ? row.lists.split(' ').sort() : [],
  };
}

/** The origin of a new row. */
export type Coming = Pick<NewBlacklistRow, 'arrives' | 'by_hand' | 'event_id'>;

export function toRow(blacklist: Blacklist, number: Revision, coming: Coming): NewBlacklistRow {
  return {
    id: blacklist.id,
    number,
    ...patternColumns(blacklist.pattern),
    description: blacklist.description,
    created_at: blacklist.createdAt,
    updated_at: blacklist.updatedAt ?? '',
    exhausted_count: blacklist.exhausted?.count ?? 0,
    exhausted_at: blacklist.exhausted?.lastAt ?? '',
    ...termColumns(blacklist),
    ...coming,
  };
}
