import { type Fqdn, parseListedName } from '../../dns/names.ts';
import type { Parsed } from '../../dns/parsed.ts';
import type { ListQuery } from '../lists.ts';

/** A name below which zones may be created. With none stored, they may be created anywhere. */
export interface Tld {
  readonly id: string;
  /** One label or several: lower case, A-labels, without final dot. */
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** What a caller gives of a TLD. */
export interface TldDraft {
  readonly name: string;
  readonly description?: string | null;
}

/** Where the name of a zone stands among the stored TLDs. */
export type TldVerdict = 'below a TLD' | 'a TLD itself' | 'below no TLD' | 'no TLDs';

export const TLD_SORT_KEYS = ['created_at', 'updated_at', 'id', 'name'] as const;
export const TLD_FILTERS = ['name', 'description'] as const;
export type TldQuery = ListQuery<(typeof TLD_SORT_KEYS)[number], (typeof TLD_FILTERS)[number]>;

const FINAL_DOT = 'Write the TLD without final dot: "com" or "co.uk".';

/** The name of a TLD as it is stored, from a file of names: with or without final dot. */
export function parseListedTld(text: string): Parsed<string> {
  const parsed = parseListedName(text);
  return parsed.ok ? { ok: true, value: parsed.value.slice(0, -1) } : parsed;
}

/** The same from a request. */
export function parseTldName(text: string): Parsed<string> {
  return text.endsWith('.') ? { ok: false, reason: FINAL_DOT } : parseListedTld(text);
}

/** The TLDs that a zone of this name may end in, the longest first. */
export function suffixesOf(name: Fqdn): string[] {
  const labels = name.slice(0, -1).split('.');
  return labels.slice(1).map((_, place) => labels.slice(place + 1).join('.'));
}
