import type { Scope } from '../model/access/scope.ts';
import type { Label, LabelQuery } from '../model/labels/label.ts';
import type { LabelReads, LabelWrites } from '../model/labels/store.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import { inScope, nameFilterOn } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';
import { labels as table } from './migrations/0030-labels.ts';
import type { StoredPart } from './resource-part.ts';

type LabelRow = {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly text: string;
  readonly created_at: string;
};

type LabelTables = { labels: LabelRow };

function fromRow({ id, project_id, name, text, created_at }: LabelRow): Label {
  return { id, projectId: project_id, name, text, createdAt: created_at };
}

function toRow({ id, projectId, name, text, createdAt }: Label): LabelRow {
  return { id, project_id: projectId, name, text, created_at: createdAt };
}

const LABELS: Listing<LabelQuery, Scope, LabelRow, Label> = {
  table: 'labels',
  order: { created_at: ['created_at'], id: [], name: ['name'] },
  indexed: ['name'],
  filters: { name: nameFilterOn('name') },
  within: (scope) => inScope(scope),
  fromRow,
};

function labelReads(reads: DatabaseReads): LabelReads {
  const db = reads.reader.withTables<LabelTables>();
  return {
    async find(id, scope) {
      const query = db.selectFrom('labels').selectAll().where('id', '=', id);
      const row = await query.where(inScope(scope)).executeTakeFirst();
      return row && fromRow(row);
    },

    ...listsOf(reads, LABELS),
  };
}

function labelWrites({ now, later }: OpenTransaction): LabelWrites {
  const db = now.withTables<LabelTables>();
  return {
    async insert(label) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('labels')
        .values(toRow(label))
        .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async lock(id, scope) {
      const query = db.selectFrom('labels').selectAll().where('id', '=', id).where(inScope(scope));
      const row = await query.modifyEnd(dialectOf(now).forUpdate).executeTakeFirst();
      return row && fromRow(row);
    },

    remove: (id) => later(db.deleteFrom('labels').where('id', '=', id)),
  };
}

export const labels = {
  keys: { labels: 'id' },
  migrations: [{ version: 30, oldestReader: 19, up: table }],
  reads: labelReads,
  writes: labelWrites,
} as const satisfies StoredPart;
