/** The recordsets of a zone that a zone below it hides: name servers answer for their names from the zone below. */
import type { Fqdn, OwnerName } from '../../dns/names.ts';

export const MOST_NAMES_TOLD = 10;
/** No more are counted, so that a create costs the same however many there are. */
export const MOST_COUNTED = 1000;

/** What a zone hides of the zone above it. */
export interface HiddenRecords {
  /** The zone above. */
  readonly zoneName: Fqdn;
  /** Recordsets; MOST_COUNTED stands for that many or more. */
  readonly count: number;
  /** The first ones, in tree order. */
  readonly names: readonly OwnerName[];
}

/** Names in a sentence, in characters: it is sent as a header, and proxies refuse answers with heads of more than 4 KiB. */
const MOST_CHARACTERS = 1000;

/** The first ones that fit into a sentence, but at least one. */
function fitting(names: readonly OwnerName[]): readonly OwnerName[] {
  let characters = 0;
  return names.filter(({ length }, place) => {
    characters += length;
    return place === 0 || characters <= MOST_CHARACTERS;
  });
}

/** What a zone hides, in a sentence. */
export function hiddenSentence({ zoneName, count, names }: HiddenRecords): string {
  const number = count < MOST_COUNTED ? String(count) : `at least ${count}`;
  const recordsets = count === 1 ? 'recordset' : 'recordsets';
  const told = fitting(names);
  const isAll = names.length < MOST_NAMES_TOLD && told.length === names.length;
  const list = isAll ? told.join(', ') : `the first names are ${told.join(', ')}`;
  return `This zone hides ${number} ${recordsets} of ${zoneName}: ${list}`;
}

/** The same by the names of the API. */
export function hiddenFields({ zoneName, count, names }: HiddenRecords) {
  return { zone_name: zoneName, recordsets: count, names };
}
