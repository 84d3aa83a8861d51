/** Catalog zones, version 2: RFC 9432. */
import type { WireRecord } from '../../dns/wire/message.ts';
import type { Catalog, CatalogMember } from '../../model/publication/publication.ts';
import type { ZoneTransferReads } from '../../model/publication/store.ts';
import { type RecordPage, type Served, wireRecord } from './served.ts';

/** RFC 9432 section 4.1: nothing resolves these records, so nothing should cache them. */
const TTL = 0;
/** In seconds. As RFC 9432 shows, a server that is cut off for a long time keeps its zones. */
const EXPIRE = 2_147_483_646;
const MAX_RETRY = 600;
/** RFC 9432 section 4.1: a name that is required but has no meaning. */
const NOBODY = 'invalid.';

/** Returns the next members after a label. */
type MemberPages = (after: string) => Promise<readonly CatalogMember[]>;

function soaRecord({ fqdn, refresh }: Catalog, serial: number): WireRecord {
  const retry = Math.max(1, Math.min(MAX_RETRY, Math.floor(refresh / 6)));
  return wireRecord(fqdn, 'SOA', TTL, `${NOBODY} ${NOBODY} ${serial} ${refresh} ${retry} ${EXPIRE} ${TTL}`);
}

async function* membersOf({ fqdn }: Catalog, next: MemberPages): AsyncGenerator<RecordPage> {
  let page = await next('');
  while (page.length > 0) {
    yield page.map(({ label, name }) => wireRecord(`${label}.zones.${fqdn}`, 'PTR', TTL, name));
    page = await next(page.at(-1)!.label);
  }
}

async function* wholeCatalog(reads: ZoneTransferReads, catalog: Catalog): AsyncGenerator<RecordPage> {
  const { fqdn, serial } = catalog;
  const ends = [soaRecord(catalog, serial)];
  yield ends;
  yield [wireRecord(fqdn, 'NS', TTL, NOBODY), wireRecord(`version.${fqdn}`, 'TXT', TTL, '"2"')];
  yield* membersOf(catalog, (after) => reads.members(catalog, after));
  yield ends;
}

/**
 * One difference sequence from the old serial to the current one: first the members that left, then those that
 * joined.
 */
async function* changesOf(
  reads: ZoneTransferReads,
  catalog: Catalog,
  from: number,
): AsyncGenerator<RecordPage> {
  const ends = [soaRecord(catalog, catalog.serial)];
  yield ends;
  yield [soaRecord(catalog, from)];
  yield* membersOf(catalog, (after) => reads.left(catalog, from, after));
  yield ends;
  yield* membersOf(catalog, (after) => reads.joined(catalog, from, after));
  yield ends;
}

export function servedCatalog(catalog: Catalog): Served {
  return {
    zoneId: undefined,
    serial: catalog.serial,
    soa: soaRecord(catalog, catalog.serial),
    all: (reads) => wholeCatalog(reads, catalog),
    since: async (reads, serial) =>
      (await reads.knowsSince(catalog, serial)) ? changesOf(reads, catalog, serial) : undefined,
  };
}
