import { type Selectable, sql } from 'kysely';
import type { WebhookReads, WebhookWrites } from '../model/webhooks/store.ts';
import type { DeliveryFailure, WebhookState } from '../model/webhooks/webhook.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { sealedFromRow } from './events/rows.ts';
import { matchesFilter } from './lists/list-conditions.ts';

function fromRow(row: Selectable<Schema['webhooks']>): WebhookState {
  return {
    name: row.name,
    position: row.position,
    isStopped: row.stopped === 1,
    failingSince: row.failing_since,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at,
    deliveredAt: row.delivered_at,
    skipTo: row.skip_to,
  };
}

export function webhookReads({ reader: db }: Pick<DatabaseReads, 'reader'>): WebhookReads {
  return {
    async find(name) {
      const row = await db.selectFrom('webhooks').selectAll().where('name', '=', name).executeTakeFirst();
      return row && fromRow(row);
    },

    async all() {
      return (await db.selectFrom('webhooks').selectAll().orderBy('name').execute()).map(fromRow);
    },

    async events({ after, upTo, types, limit }) {
      const wanted = types.map((type) => matchesFilter(sql.ref('type'), type));
      let query = db
        .selectFrom('events')
        .selectAll()
        .where('position', '>', after)
        .where('position', '<=', upTo);
      if (!types.includes('*')) query = query.where(sql<boolean>`(${sql.join(wanted, sql` or `)})`);
      return (await query.orderBy('position').limit(limit).execute()).map(sealedFromRow);
    },
  };
}

/** Records a failure; the first one also sets `failing_since`. */
function noted({ error, at }: DeliveryFailure) {
  return {
    last_error: error,
    last_error_at: at,
    failing_since: sql<string>`case failing_since when '' then ${at} else failing_since end`,
  };
}

export function webhookWrites({ now: db, later }: OpenTransaction): WebhookWrites {
  return {
    add(name, position) {
      const row = { name, position, stopped: 0, skip_to: 0 };
      const texts = { failing_since: '', last_error: '', last_error_at: '', delivered_at: '' };
      later(
        db
          .insertInto('webhooks')
          .values({ ...row, ...texts })
          .onConflict((conflict) => conflict.column('name').doNothing()),
      );
    },

    advance(progress) {
      // In a fixed order, so that two processes do not deadlock.
      for (const { name, position, deliveredAt } of [...progress].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      )) {
        const healed = { failing_since: '', last_error: '', last_error_at: '' };
        const taken = deliveredAt === '' ? {} : { delivered_at: deliveredAt, ...healed };
        const update = db.updateTable('webhooks').set({ position, ...taken });
        later(update.where('name', '=', name).where('position', '<', position));
      }
    },

    fail(failure) {
      const update = db.updateTable('webhooks').set(noted(failure));
      later(update.where('name', '=', failure.name).where('position', '<=', failure.position));
    },

    async stop(failure) {
      const { numUpdatedRows } = await db
        .updateTable('webhooks')
        .set({ ...noted(failure), stopped: 1 })
        .where('name', '=', failure.name)
        .where('position', '<=', failure.position)
        .where('stopped', '=', 0)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async resume(name) {
      const { numUpdatedRows } = await db
        .updateTable('webhooks')
        .set({ stopped: 0, failing_since: '' })
        .where('name', '=', name)
        .where('stopped', '=', 1)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async lock(name) {
      const query = db.selectFrom('webhooks').selectAll().where('name', '=', name);
      const row = await query.modifyEnd(dialectOf(db).forUpdate).executeTakeFirst();
      return row && fromRow(row);
    },

    skip(name, { position, skipTo }) {
      const went = { stopped: 0, failing_since: '', position, skip_to: skipTo };
      later(db.updateTable('webhooks').set(went).where('name', '=', name));
    },

    forget: (name) => later(db.deleteFrom('webhooks').where('name', '=', name)),
  };
}
