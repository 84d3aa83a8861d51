import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { MoreHits } from '../../model/blacklists/store.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** Length of a UUID. */
const ID = 36;
/** Number of digits of a count. */
const COUNT = 10;

function asText({ id, refused, warned, audited, lastAt }: MoreHits): string {
  const counts = [refused, warned, audited].map((count) => String(count).padStart(COUNT, '0'));
  return [id, ...counts, lastAt].join('');
}

/**
 * One statement that adds the hits of many entries. Each entry is one text of fixed-width columns, which both
 * databases split in the same way. Sorted by id, so that concurrent processes do not deadlock.
 */
export function hitsAdded(db: Kysely<Schema>, hits: readonly MoreHits[]): CompiledQuery {
  const texts = hits.map(asText).sort();
  const part = (place: number) =>
    sql`cast(substr(record.value, ${sql.lit(ID + 1 + place * COUNT)}, ${sql.lit(COUNT)}) as bigint)`;
  const at = sql`substr(record.value, ${sql.lit(ID + 1 + 3 * COUNT)})`;
  return sql`update blacklists set
      hits_refused = hits_refused + ${part(0)},
      hits_warned = hits_warned + ${part(1)},
      hits_audited = hits_audited + ${part(2)},
      hits_at = case when hits_at > ${at} then hits_at else ${at} end
    from ${dialectOf(db).jsonTexts(sql`${JSON.stringify(texts)}`)}
    where blacklists.id = substr(record.value, 1, ${sql.lit(ID)})`.compile(db);
}
