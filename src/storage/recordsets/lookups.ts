/** Recordsets found by keys: by id, or by exact name and type. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { subtreeKey } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import type { ExactFilters } from '../../model/name-filter.ts';
import type { ListedRecordset } from '../../model/recordsets/recordset.ts';
import { limitTo } from '../database/limit.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { SMALL_PAGE } from '../lists/listing.ts';
import { type FilterScope, recordsetsWithin } from './filters.ts';
import { RECORDSET_ACTION, RECORDSET_STATUS, type RecordsetRow, recordsetFromRow } from './rows.ts';

export interface ListedRow extends RecordsetRow {
  readonly zone_name: string;
  /**
   * The last zone below the recordset's zone, in the order of the name tree, that does not come after the name; null if
   * there is none, so that nothing hides the recordset. Undefined where it was not looked up.
   */
  readonly zone_before?: string | null;
  readonly current_status: ListedRecordset['status'];
  readonly current_action: ListedRecordset['action'];
}

/** The columns that a listed recordset is made of. */
export const LISTED_COLUMNS = [
  'id',
  'zone_id',
  'zone_name',
  'project_id',
  'name',
  'type',
  'ttl',
  'records',
  'spellings',
  'bytes',
  'description',
  'protected',
  'protection_reason',
  'expires_at',
  'managed',
  'version',
  'created_at',
  'updated_at',
  'current_status',
  'current_action',
] as const satisfies readonly (keyof ListedRow)[];

export type ListRow = Pick<ListedRow, (typeof LISTED_COLUMNS)[number] | 'zone_before'>;

export function listedFromRow(row: ListRow): ListedRecordset {
  const { zone_name: zoneName, current_status: status, current_action: action } = row;
  const hiddenBy = row.zone_before === null ? null : undefined;
  return Object.assign(recordsetFromRow(row), { zoneName, status, action, hiddenBy });
}

/** What other tables add to a recordset in lists. */
export const LISTED = {
  join: sql`inner join zones on zones.id = recordsets.zone_id
    left join publications on publications.zone_id = recordsets.zone_id
    left join secondaries on secondaries.zone_id = recordsets.zone_id`,
  columns: sql`zones.name as zone_name, ${RECORDSET_STATUS} as current_status, ${RECORDSET_ACTION} as current_action`,
};

const ZONE_BEFORE = sql<string | null>`(select below.name from zones as below
  where below.subtree_key > zones.subtree_key and below.subtree_key <= recordsets.subtree_key
  order by below.subtree_key desc limit 1)`;

/** The columns of a recordset that was found by a key. */
export const LOOKED_UP = sql`recordsets.*, ${LISTED.columns}, ${ZONE_BEFORE} as zone_before`;

function listedWhere(...conditions: readonly RawBuilder<boolean>[]): RawBuilder<ListedRow> {
  return sql`select ${LOOKED_UP} from recordsets ${LISTED.join} where ${sql.join(conditions, sql` and `)}`;
}

const byId = prepared<{ readonly zoneId: string; readonly id: string }, ListedRow>((_, slot) =>
  listedWhere(
    sql`recordsets.id = ${slot(({ id }) => id)}`,
    sql`recordsets.zone_id = ${slot(({ zoneId }) => zoneId)}`,
  ),
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
  return prepared<NameKey, ListedRow>((_, slot) => {
    const owner = slot((values) => values.owner);
    const conditions = [
      sql<boolean>`recordsets.subtree_key = ${slot(({ key }) => key)}`,
      sql<boolean>`recordsets.name = ${slot(({ name }) => name)}`,
    ];
    if (hasType) conditions.push(sql`recordsets.type = ${slot(({ type }) => type)}`);
    // Unlike a project, a zone has an index on its names.
    if (kind === 'zone') conditions.push(sql`recordsets.zone_id = ${owner}`);
    if (kind === 'project') conditions.push(recordsetsWithin({ projectId: owner }, { name: 'exact.' }));
    return sql<ListedRow>`${listedWhere(...conditions)} ${limitTo(SMALL_PAGE + 1)}`;
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

/** Looks up the recordsets of an exact name, and of an exact type. */
export async function lookUpRecordsets(
  db: Kysely<Schema>,
  { name: text, type }: ExactFilters,
  within: FilterScope,
): Promise<readonly ListedRow[]> {
  const name = parseOwnerName(text);
  // A text that is not a name matches nothing.
  if (!name.ok) return [];
  const { kind, owner } = ownerIn(within);
  const { typed, named } = statements.get(kind)!;
  const values = { name: name.value, key: subtreeKey(name.value), type, owner };
  return (await db.executeQuery((type === undefined ? named : typed)(db, values))).rows;
}
