import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages } from '../../model/recordsets/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';

/** Reads all recordsets of a zone in pages, sorted in name-tree order and by type. Yields to others after each page. */
export async function* storedPages(
  reads: RecordsetPages,
  zone: Pick<Zone, 'id' | 'projectId'>,
): AsyncGenerator<readonly Recordset[], void> {
  for (let last: Recordset | undefined; ; ) {
    const page = await reads.inTreeOrder(zone, last);
    if (page.length === 0) return;
    yield page;
    last = page.at(-1);
    await cooperativeYield();
  }
}
