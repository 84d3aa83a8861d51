import type { Kysely } from 'kysely';
import type { Blacklist } from '../../model/blacklists/blacklist.ts';
import { type Rule, ruleAbout } from '../../model/blacklists/rule.ts';
import type { BlacklistReads } from '../../model/blacklists/store.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { Schema } from '../database/schema.ts';
import { type BlacklistRow, blacklistFromRow, type TermColumns, termsFrom } from './rows.ts';
import { withLists } from './visibility.ts';

/** Maximum numbers in a batch. */
const MAX_NUMBERS = 128;
/** Numbers in the first batch of rules. */
const FIRST_NUMBERS = 8;
/** Size of the exceptions in a batch of rules above which the next batch is smaller, in characters: each may have 150,000. */
const MUCH_TEXT = 65_536;

/**
 * Pads a batch with its last number to a power of two. So a statement with a list of any length needs few texts, and the
 * server still sees the numbers and finds each by index.
 */
function padded(batch: readonly number[]): readonly number[] {
  const length = 2 ** Math.ceil(Math.log2(batch.length));
  return [...batch, ...Array.from({ length: length - batch.length }, () => batch.at(-1)!)];
}

const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((one, other) => one - other);

type RuleRow = Pick<BlacklistRow, 'number' | 'id' | keyof TermColumns>;

function readRules(db: Kysely<Schema>, numbers: readonly number[]): Promise<RuleRow[]> {
  return db
    .selectFrom('blacklists')
    .select(['number', 'id', 'mode', 'expires_at', 'exceptions'])
    .where('number', 'in', numbers)
    .orderBy('number')
    .execute();
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
      const sorted = ascending(numbers);
      for (let start = 0; start < sorted.length; start += MAX_NUMBERS) {
        const some = padded(sorted.slice(start, start + MAX_NUMBERS));
        const query = withLists(db).where('number', 'in', some);
        found.push(...(await query.orderBy('number').execute()).map(blacklistFromRow));
      }
      return found;
    },

    async rules(numbers, asked) {
      const sorted = ascending(numbers);
      const found: Rule[] = [];
      const turns = new TimeSlices(asked.projectId);
      const add = (row: RuleRow) => {
        const { number, id } = row;
        found.push(ruleAbout({ number, id, ...termsFrom(row) }, asked));
      };
      let length = FIRST_NUMBERS;
      for (let start = 0; start < sorted.length; ) {
        const rows = await readRules(db, padded(sorted.slice(start, start + length)));
        await eachInTurns(rows, add, turns);
        start += length;
        const text = rows.reduce((sum, { exceptions }) => sum + exceptions.length, 0);
        length = text > MUCH_TEXT ? Math.max(length / 2, 1) : Math.min(length * 2, MAX_NUMBERS);
      }
      return found;
    },
  };
}
