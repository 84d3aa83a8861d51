import type { LeaseWrites } from '../model/publication/store.ts';
import type { OpenTransaction } from './database/database.ts';

export function leaseWrites({ now: db, later }: OpenTransaction): LeaseWrites {
  return {
    async takeLease(name, holder, now, until) {
      const missing = { name, holder: '', held_until: '', next_at: '' };
      await db
        .insertInto('leases')
        .values(missing)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const { numUpdatedRows } = await db
        .updateTable('leases')
        .set({ holder, held_until: until })
        .where('name', '=', name)
        .where('next_at', '<=', now)
        .where((eb) => eb.or([eb('holder', '=', holder), eb('held_until', '<=', now)]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    endLease: (name, holder, nextAt) =>
      later(
        db
          .updateTable('leases')
          .set({ holder: '', held_until: '', next_at: nextAt })
          .where('name', '=', name)
          .where('holder', '=', holder),
      ),
  };
}
