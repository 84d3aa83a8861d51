import type { Kysely } from 'kysely';
import type { Blacklist } from '../../model/blacklists/blacklist.ts';
import type { Rule } from '../../model/blacklists/rule.ts';
import type { BlacklistReads } from '../../model/blacklists/store.ts';
import type { Schema } from '../database/schema.ts';
import { blacklistFromRow, termsFrom } from './rows.ts';
import { withLists } from './visibility.ts';

/** Maximum numbers in a batch. */
const MAX_NUMBERS = 128;

/**
 * Splits numbers, in ascending order, into batches whose lengths are powers of two, padded with the last number. So a
 * statement with a list of any length needs few texts, and the server still sees the numbers and finds each by index.
 */
function* paddedBatches(numbers: readonly number[]): Generator<readonly number[]> {
  const sorted = [...numbers].sort((one, other) => one - other);
  for (let start = 0; start < sorted.length; start += MAX_NUMBERS) {
    const batch = sorted.slice(start, start + MAX_NUMBERS);
    const length = 2 ** Math.ceil(Math.log2(batch.length));
    yield [...batch, ...Array.from({ length: length - batch.length }, () => batch.at(-1)!)];
  }
}

/** Lookups of entries by their numbers, which an index finds. */
export function blacklistsByNumber(
  db: Kysely<Schema>,
): Pick<BlacklistReads, 'findByNumber' | 'entries' | 'rules'> {
  return {
    async findByNumber(number) {
      const row = await withLists(db).where('number', '=', number).executeTakeFirst();
      return row && blacklistFromRow(row);
    },

    async entries(numbers) {
      const found: Blacklist[] = [];
      for (const some of paddedBatches(numbers)) {
        const query = withLists(db).where('number', 'in', some);
        found.push(...(await query.orderBy('number').execute()).map(blacklistFromRow));
      }
      return found;
    },

    async rules(numbers) {
      const found: Rule[] = [];
      for (const some of paddedBatches(numbers)) {
        const rows = await db
          .selectFrom('blacklists')
          .select(['number', 'id', 'mode', 'expires_at', 'exceptions'])
          .where('number', 'in', some)
          .orderBy('number')
          .execute();
        found.push(...rows.map((row) => ({ number: row.number, id: row.id, ...termsFrom(row) })));
      }
      return found;
    },
  };
}
