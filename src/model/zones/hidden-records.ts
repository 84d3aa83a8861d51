/** Recordsets that a zone below hides: name servers answer for their names from the zone below. */
import type { Fqdn, OwnerName } from '../../dns/names.ts';

export const MAX_LISTED_NAMES = 10;
/** Counting stops here, so that the cost of a create is bounded. */
export const MAX_COUNTED = 1000;

/** What a new zone hides in the zone above it. */
export interface HiddenRecords {
  /** The zone above. */
  readonly zoneName: Fqdn;
  /** Number of recordsets; MAX_COUNTED means that many or more. */
  readonly count: number;
  /** The first names, in tree order. */
  readonly names: readonly OwnerName[];
}

/**
 * Maximum characters of names in a sentence: it is sent as a header, and proxies refuse response headers over 4 KiB.
 */
const MAX_CHARACTERS = 1000;

/** The first names that fit into a sentence, but at least one. */
function fitting(names: readonly OwnerName[]): readonly OwnerName[] {
  let characters = 0;
  return names.filter(({ length }, place) => {
    characters += length;
    return place === 0 || characters <= MAX_CHARACTERS;
  });
}

/** Describes the hidden recordsets in a sentence. */
export function hiddenSentence({ zoneName, count, names }: HiddenRecords): string {
  const number = count < MAX_COUNTED ? String(count) : `at least ${count}`;
  const recordsets = count === 1 ? 'recordset' : 'recordsets';
  const listed = fitting(names);
  const isAll = names.length < MAX_LISTED_NAMES && listed.length === names.length;
  const list = isAll ? listed.join(', ') : `the first names are ${listed.join(', ')}`;
  return `This zone hides ${number} ${recordsets} of ${zoneName}: ${list}`;
}

/** The hidden recordsets by API field names. */
export function hiddenFields({ zoneName, count, names }: HiddenRecords) {
  return { zone_name: zoneName, recordsets: count, names };
}
