import type { Kysely } from 'kysely';
import type { VerificationReads } from '../../model/verification/stored.ts';
import { isObject, parsed } from '../database/readable.ts';
import type { Schema } from '../database/schema.ts';
import { deletedContents } from '../deleted-zones/contents.ts';
import { keptZoneFromRow } from '../deleted-zones/rows.ts';

const PAGE = 500;

function isReadable(text: string): boolean {
  const zone = parsed(text);
  return isObject(zone) && isObject(zone.totals) && isObject(zone.former);
}

export function deletedZoneReads(
  db: Kysely<Schema>,
): Pick<VerificationReads, 'deletedZones' | 'deletedContents'> {
  const contents = deletedContents(() => db);
  return {
    async deletedZones(after) {
      const query = db
        .selectFrom('deleted_zones')
        .selectAll()
        .where('id', '>', after?.id ?? '');
      const rows = await query.orderBy('id').limit(PAGE).execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        contentsId: row.contents_id,
        kept: isReadable(row.zone) ? keptZoneFromRow(row) : undefined,
      }));
    },

    deletedContents: (contentsId) => contents(contentsId, ''),
  };
}
