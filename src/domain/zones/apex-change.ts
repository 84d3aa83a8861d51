import { type Contents, contentsOf } from '../../model/changes/contents.ts';
import { type Clock, notBefore } from '../../model/clock.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';

function neededFor(
  { nameServers, primary }: { readonly nameServers: readonly string[]; readonly primary: string | undefined },
  found: Recordset | undefined,
  updatedAt: string,
): Contents | undefined {
  if (found === undefined) return undefined;
  const isSame =
    found.records.length === nameServers.length &&
    nameServers.every((name, place) => found.records[place] === name);
  if (isSame && primary === nameServers[0]) return undefined;
  if (isSame) return { ...contentsOf(), steps: true };
  const recordset = { ...found, records: nameServers, version: found.version + 1, updatedAt };
  // Even if only their order changes, the serial must step: the first one is the primary.
  return { ...contentsOf({ kind: 'replaced', before: found, recordset }), steps: true };
}

/** The change that gives the apex of a locked zone these name servers; undefined if it has them. */
export async function apexChange(
  tx: Transaction,
  zone: Zone,
  nameServers: readonly string[],
  clock: Clock,
): Promise<Contents | undefined> {
  const soa = await tx.publications.soaOf(zone);
  const found = await tx.recordsets.apexNs(zone);
  const updatedAt = notBefore(clock.now(), found?.createdAt ?? '', found?.updatedAt ?? null);
  return neededFor({ nameServers, primary: soa?.split(' ')[0] }, found, updatedAt);
}
