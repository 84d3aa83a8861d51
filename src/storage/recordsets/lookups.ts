/** Recordsets found by keys: by id, or by exact name and type. */
import { type Kysely, sql } from 'kysely';
import { subtreeKey } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import { filteredName, hasWildcard } from '../../model/name-filter.ts';
import type { ListedRecordset, RecordsetQuery } from '../../model/recordsets/recordset.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { MAX_LOOKED_UP } from '../lists/listing.ts';
import { type FilterScope, recordsetsWithin } from './filters.ts';
import { RECORDSET_ACTION, RECORDSET_STATUS, type RecordsetRow, recordsetFromRow } from './rows.ts';

export interface ListedRow extends RecordsetRow {
  readonly zone_name: string;
  readonly current_status: ListedRecordset['status'];
  readonly current_action: ListedRecordset['action'];
}

export function listedFromRow(row: ListedRow): ListedRecordset {
  const { zone_name: zoneName, current_status: status, current_action: action } = row;
  return { ...recordsetFromRow(row), zoneName, status, action };
}

function listedRecordsets(db: Kysely<Schema>) {
  return db
    .selectFrom('recordsets')
    .innerJoin('zones', 'zones.id', 'recordsets.zone_id')
    .leftJoin('publications', 'publications.zone_id', 'recordsets.zone_id')
    .leftJoin('secondaries', 'secondaries.zone_id', 'recordsets.zone_id')
    .selectAll('recordsets')
    .select([
      'zones.name as zone_name',
      RECORDSET_STATUS.as('current_status'),
      RECORDSET_ACTION.as('current_action'),
    ]);
}

const byId = prepared<{ readonly zoneId: string; readonly id: string }, ListedRow>((db, slot) =>
  listedRecordsets(db)
    .where(sql<boolean>`recordsets.id = ${slot(({ id }) => id)}`)
    .where(sql<boolean>`recordsets.zone_id = ${slot(({ zoneId }) => zoneId)}`),
);

export async function findListed(
  db: Kysely<Schema>,
  zoneId: string,
  id: string,
): Promise<ListedRecordset | undefined> {
  const { rows } = await db.executeQuery(byId(db, { zoneId, id }));
  return rows[0] && listedFromRow(rows[0]);
}

interface NameKey {
  readonly name: string;
  readonly key: string;
  readonly type: string | undefined;
  /** The zone's id, or the project's. */
  readonly owner: string;
}

const KINDS = ['all', 'project', 'zone'] as const;
type Kind = (typeof KINDS)[number];

/** The recordsets of an exact name, one statement for each kind of scope. */
function namedIn(kind: Kind, hasType: boolean) {
  return prepared<NameKey, ListedRow>((db, slot) => {
    const name = slot((values) => values.name);
    const key = slot((values) => values.key);
    const owner = slot((values) => values.owner);
    const named = listedRecordsets(db)
      .where(sql<boolean>`recordsets.subtree_key = ${key}`)
      .where(sql<boolean>`recordsets.name = ${name}`)
      .limit(sql.lit(MAX_LOOKED_UP + 1));
    const typed = hasType ? named.where(sql<boolean>`recordsets.type = ${slot(({ type }) => type)}`) : named;
    if (kind === 'zone') return typed.where(sql<boolean>`recordsets.zone_id = ${owner}`);
    return kind === 'all' ? typed : typed.where(recordsetsWithin({ projectId: owner }, { name: '' }));
  });
}

const statements = new Map(
  KINDS.map((kind) => [kind, { typed: namedIn(kind, true), named: namedIn(kind, false) }]),
);

/** What a list is restricted to: its kind, and the id of the zone or the project. */
export function ownerIn(within: FilterScope): { readonly kind: Kind; readonly owner: string } {
  if (within === 'all projects') return { kind: 'all', owner: '' };
  return 'zoneId' in within
    ? { kind: 'zone', owner: within.zoneId }
    : { kind: 'project', owner: within.projectId };
}

/**
 * Looks up the recordsets of an exact name, and of an exact type if the filters have one; undefined if they have others.
 */
export function lookUpRecordsets(
  db: Kysely<Schema>,
  { name: filter, type, ...others }: RecordsetQuery['filters'],
  within: FilterScope,
): Promise<readonly ListedRow[]> | undefined {
  if (filter === undefined || hasWildcard(filter) || type?.includes('*')) return undefined;
  if (Object.keys(others).length > 0) return undefined;
  const name = parseOwnerName(filteredName(filter));
  if (!name.ok) return undefined;
  const { kind, owner } = ownerIn(within);
  const { typed, named } = statements.get(kind)!;
  const key = { name: name.value, key: subtreeKey(name.value), type, owner };
  return db.executeQuery((type === undefined ? named : typed)(db, key)).then(({ rows }) => rows);
}
