import type { Kysely } from 'kysely';
import type { Rule } from '../domain/blacklists/rule.ts';
import { termsFrom } from './blacklist-rows.ts';
import { paddedBatches } from './padded-batches.ts';
import type { Schema } from './schema.ts';

/** What counts of the entries of these numbers. */
export async function readRules(db: Kysely<Schema>, numbers: readonly number[]): Promise<Rule[]> {
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
}
