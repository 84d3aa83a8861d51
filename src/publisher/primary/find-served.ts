import { canonicalName, type Fqdn } from '../../dns/names.ts';
import { CLASS } from '../../dns/wire/codes.ts';
import type { ZoneTransferReads } from '../../model/publication/store.ts';
import { maySeeCatalog, maySeeZone } from './access.ts';
import type { DnsRequest } from './request.ts';
import type { Served } from './served.ts';
import { servedCatalog } from './served-catalog.ts';
import { servedZone } from './served-zone.ts';

type ServedReads = Pick<ZoneTransferReads, 'served' | 'catalog'>;

/** Finds the zone or catalog of the question; undefined if it does not exist or the client may not see it. */
export async function findServed(reads: ServedReads, request: DnsRequest): Promise<Served | undefined> {
  const { question, visitor, pools } = request;
  if (question.class !== CLASS.IN) return undefined;
  const name = canonicalName<Fqdn>(question.name);
  const pool = pools.find(({ catalogZone }) => catalogZone?.fqdn === name);
  if (pool !== undefined) {
    const catalog = maySeeCatalog(visitor, pool) ? await reads.catalog(name) : undefined;
    return catalog === undefined ? undefined : servedCatalog(catalog);
  }
  const zone = await reads.served(name);
  return zone !== undefined && maySeeZone(visitor, zone) ? servedZone(zone) : undefined;
}
