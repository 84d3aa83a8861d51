import { type Kysely, sql } from 'kysely';
import type { StoredType } from '../../dns/record-types.ts';
import { storedBytes } from '../../model/recordsets/size.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';

const PAGE = 500;

interface SizedRow {
  readonly id: string;
  readonly name: string;
  readonly type: StoredType;
  readonly records: string;
}

/** Unreadable records count as none, as in the verification. */
function bytesOf({ name, type, records }: SizedRow): number {
  try {
    const texts: unknown = JSON.parse(records);
    return Array.isArray(texts) ? storedBytes({ name, type, records: texts.map(String) }) : name.length;
  } catch {
    return name.length;
  }
}

async function measure(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<SizedRow>`
      select id, name, type, records from recordsets
      where id > ${after} and managed = 0 order by id limit ${PAGE}`.execute(db);
    if (rows.length === 0) return;
    const values = sql.join(rows.map((row) => sql`(${row.id}, cast(${bytesOf(row)} as integer))`));
    await sql`
      with measured (id, size) as (values ${values})
      update recordsets set bytes = (select size from measured where measured.id = recordsets.id)
      where id in (select id from measured)`.execute(db);
    after = rows.at(-1)!.id;
    await cooperativeYield();
  }
}

/** The sizes of recordsets and zones in bytes. */
export async function zoneSizes(db: Kysely<unknown>): Promise<void> {
  for (const table of ['recordsets', 'zones']) {
    await db.schema
      .alterTable(table)
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await measure(db);
  await sql`
    update zones set bytes = coalesce(
      (select sum(recordsets.bytes) from recordsets where recordsets.zone_id = zones.id), 0)`.execute(db);
  await db.schema
    .createIndex('zones_of_project_bytes')
    .on('zones')
    .columns(['project_id', 'bytes'])
    .execute();
}
