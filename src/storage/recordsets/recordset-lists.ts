import { sql } from 'kysely';
import type { ListedRecordset, RecordsetQuery } from '../../model/recordsets/recordset.ts';
import type { Listing } from '../lists/lists.ts';
import { rowTextsOf } from '../lists/row-texts.ts';
import { countRecordsets } from './counts.ts';
import { type FilterScope, RECORDSET_CONDITIONS, recordsetsWithin } from './filters.ts';
import { LISTED, LISTED_COLUMNS, type ListRow, listedFromRow, lookUpRecordsets, ownerIn } from './lookups.ts';

/** How recordsets are listed. */
export const RECORDSETS: Listing<RecordsetQuery, FilterScope, ListRow, ListedRecordset> = {
  table: 'recordsets',
  joined: LISTED,
  order: {
    created_at: ['created_at'],
    updated_at: ['updated_at'],
    id: [],
    zone_id: ['zone_id'],
    tenant_id: ['project_id'],
    name: ['name'],
    type: ['type'],
    // A row comparison cannot handle null: a null TTL sorts first.
    ttl: [{ expression: sql`coalesce(recordsets.ttl, -1)`, of: ({ ttl }) => ttl ?? -1 }],
    records: ['records'],
  },
  indexed: ['created_at'],
  filters: RECORDSET_CONDITIONS,
  within: recordsetsWithin,
  withinSlots: {
    kindOf: (within) => ownerIn(within).kind,
    slots(first, slot) {
      const owner = slot((within) => ownerIn(within).owner);
      const { kind } = ownerIn(first);
      if (kind === 'all') return first;
      return kind === 'zone' ? { zoneId: owner } : { projectId: owner };
    },
  },
  lookUp: lookUpRecordsets,
  fromRow: listedFromRow,
  texts: rowTextsOf<ListRow>(LISTED_COLUMNS),
  counted: countRecordsets,
  size: sql`recordsets.bytes`,
};
