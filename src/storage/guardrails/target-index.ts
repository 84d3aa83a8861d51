/** Brings the index of targets up to date with recordsets that versions without it have written. */
import type { Kysely } from 'kysely';
import { canonicalName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { TargetIndexReads, TargetIndexWrites } from '../../model/guardrails/store.ts';
import type { OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { isTexts, parsed } from '../database/readable.ts';
import type { Schema } from '../database/schema.ts';
import {
  IS_INDEXED,
  isIndexedAs,
  type PointingRecordset,
  targetsInserted,
  targetsRemoved,
  textsByRecordset,
} from './targets.ts';

/** The progress of a store that never had another version: all passes are done. */
const NOTHING_TO_INDEX = { passes: 2, finishedAt: '' };
/** Number of recordsets of a step: some milliseconds. */
const STEP = 500;

interface StoredPointing {
  readonly id: string;
  readonly zone_id: string;
  readonly name: string;
  readonly type: StoredType;
  readonly records: string;
}

/** Recordsets with ids after `after` and up to `upTo`; undefined for all that follow. */
interface IdRange {
  readonly after: string;
  readonly upTo: string | undefined;
}

/** Recordsets whose records cannot be read have no targets: verification reports them. */
export function pointingFromRow(row: StoredPointing): PointingRecordset {
  const records: unknown = parsed(row.records);
  return {
    id: row.id,
    zoneId: row.zone_id,
    name: canonicalName(row.name),
    type: row.type,
    records: isTexts(records) ? (records as readonly string[]) : [],
    managed: false,
  };
}

/** The part of the index that belongs to the range. */
async function indexedIn(db: Kysely<Schema>, { after, upTo }: IdRange): Promise<Map<string, Set<string>>> {
  let query = db
    .selectFrom('record_targets')
    .select(['recordset_id', 'project_id', 'target'])
    .where('recordset_id', '>', after);
  if (upTo !== undefined) query = query.where('recordset_id', '<=', upTo);
  return textsByRecordset(await query.execute());
}

type OwnedPointing = StoredPointing & { readonly owner: string };

async function pointingIn(db: Kysely<Schema>, { after, upTo }: IdRange): Promise<readonly OwnedPointing[]> {
  let query = db
    .selectFrom('recordsets')
    .innerJoin('zones', 'zones.id', 'recordsets.zone_id')
    .select([
      'recordsets.id',
      'recordsets.zone_id',
      'recordsets.name',
      'recordsets.type',
      'recordsets.records',
    ])
    .select('zones.project_id as owner')
    .where('recordsets.id', '>', after)
    .where(IS_INDEXED);
  if (upTo !== undefined) query = query.where('recordsets.id', '<=', upTo);
  // A change that is under way has been seen, or waits.
  return query.modifyEnd(dialectOf(db).forUpdateOf('recordsets')).execute();
}

/**
 * Corrects the index for a range. The index is read first: a recordset that is created or deleted meanwhile is
 * indexed by who does that.
 */
async function reindexRange({ now: db, later }: OpenTransaction, range: IdRange): Promise<void> {
  const stale = await indexedIn(db, range);
  const wrong: PointingRecordset[] = [];
  for (const row of await pointingIn(db, range)) {
    const recordset = pointingFromRow(row);
    if (isIndexedAs(recordset, row.owner, stale.get(row.id))) stale.delete(row.id);
    else wrong.push(recordset);
  }
  for (const id of stale.keys()) later(targetsRemoved(db, [id]));
  const statement = targetsInserted(db, wrong);
  if (statement !== undefined) later(statement);
}

export function targetIndexReads(db: Kysely<Schema>): TargetIndexReads {
  return {
    async progress() {
      const row = await db
        .selectFrom('target_index')
        .select(['passes', 'finished_at as finishedAt'])
        .executeTakeFirst();
      return row ?? NOTHING_TO_INDEX;
    },
  };
}

export function targetIndexWrites(tx: OpenTransaction): TargetIndexWrites {
  const { now: db, later } = tx;
  return {
    async indexNext(now) {
      const found = await db.selectFrom('target_index').selectAll().executeTakeFirst();
      const {
        up_to: after,
        passes,
        finished_at,
      } = found ?? {
        up_to: '',
        passes: NOTHING_TO_INDEX.passes,
        finished_at: NOTHING_TO_INDEX.finishedAt,
      };
      const last = await db
        .selectFrom('recordsets')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .offset(STEP - 1)
        .limit(1)
        .executeTakeFirst();
      await reindexRange(tx, { after, upTo: last?.id });
      const end =
        last === undefined
          ? { up_to: '', passes: passes + 1, finished_at: now }
          : { up_to: last.id, passes, finished_at };
      later(
        db
          .insertInto('target_index')
          .values({ name: 'recordsets', ...end })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(end)),
      );
      return last !== undefined;
    },
  };
}
