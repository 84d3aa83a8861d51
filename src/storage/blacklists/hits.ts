import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { MoreHits } from '../../model/blacklists/store.ts';
import { flavourOf } from '../database/flavour.ts';
import type { Schema } from '../database/schema.ts';

/** Of a UUID. */
const ID = 36;
/** Digits of a count. */
const COUNT = 10;

function asText({ id, refused, warned, audited, lastAt }: MoreHits): string {
  const counts = [refused, warned, audited].map((count) => String(count).padStart(COUNT, '0'));
  return [id, ...counts, lastAt].join('');
}

/**
 * The one statement that adds the hits of many entries. Each is one text of fixed columns, which both databases take apart
 * alike; in the order of the ids, so that processes that write at the same time wait for one another, not in a circle.
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
    from ${flavourOf(db).jsonTexts(sql`${JSON.stringify(texts)}`)}
    where blacklists.id = substr(record.value, 1, ${sql.lit(ID)})`.compile(db);
}
