import { type Fqdn, parseListedName } from '../../dns/names.ts';
import type { Parsed } from '../../dns/parsed.ts';
import type { ListQuery } from '../lists.ts';

/** A name below which zones may be created. If there are no TLDs, zones may be created anywhere. */
export interface Tld {
  readonly id: string;
  /** One or more labels: lower case, A-labels, without a final dot. */
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** A TLD as given by a caller. */
export interface TldDraft {
  readonly name: string;
  readonly description?: string | null;
}

/** How a zone name relates to the stored TLDs. */
export type TldVerdict = 'below a TLD' | 'a TLD itself' | 'below no TLD' | 'no TLDs';

export const TLD_SORT_KEYS = ['created_at', 'updated_at', 'id', 'name'] as const;
export const TLD_FILTERS = ['name', 'description'] as const;
export type TldQuery = ListQuery<(typeof TLD_SORT_KEYS)[number], (typeof TLD_FILTERS)[number]>;

const FINAL_DOT = 'Must be a TLD without a final dot, such as "com" or "co.uk".';

/** Parses a TLD in a file of names, with or without a final dot, to its stored form. */
export function parseListedTld(text: string): Parsed<string> {
  const parsed = parseListedName(text);
  return parsed.ok ? { ok: true, value: parsed.value.slice(0, -1) } : parsed;
}

/** Like `parseListedTld`, for a request: a final dot is an error. */
export function parseTldName(text: string): Parsed<string> {
  return text.endsWith('.') ? { ok: false, reason: FINAL_DOT } : parseListedTld(text);
}

/** The possible TLDs of a zone name, longest first. */
export function suffixesOf(name: Fqdn): string[] {
  const labels = name.slice(0, -1).split('.');
  return labels.slice(1).map((_, place) => labels.slice(place + 1).join('.'));
}
