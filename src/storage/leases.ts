import { later as timeAfter } from '../model/clock.ts';
import type { LeaseWrites } from '../model/leases.ts';
import type { OpenTransaction } from './database/database.ts';

export function leaseWrites({ now: db, later }: OpenTransaction): LeaseWrites {
  return {
    async take(name, holder, now, forMs) {
      const missing = { name, holder: '', held_until: '', next_at: '' };
      await db
        .insertInto('leases')
        .values(missing)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const { numUpdatedRows } = await db
        .updateTable('leases')
        .set({ holder, held_until: timeAfter(now, forMs) })
        .where('name', '=', name)
        .where('next_at', '<=', now)
        .where((eb) => eb.or([eb('holder', '=', holder), eb('held_until', '<=', now)]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    end: (name, holder, due) =>
      later(
        db
          .updateTable('leases')
          .set({
            holder: '',
            held_until: '',
            next_at: due === undefined ? '' : timeAfter(due.since, due.afterMs),
          })
          .where('name', '=', name)
          .where('holder', '=', holder),
      ),
  };
}
