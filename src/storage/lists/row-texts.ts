import { type Kysely, type RawBuilder, sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** A row as the JSON text of an array. */
interface TextRow {
  readonly entry: string;
}

/** Rows that the database returns as texts. */
export interface RowTexts<Row> {
  /** The result column, where the rows are selected from. */
  entry(db: Kysely<Schema>): RawBuilder<unknown>;
  /** Selects rows as texts. @param rows selects at least the columns */
  select(db: Kysely<Schema>, rows: RawBuilder<unknown>): RawBuilder<TextRow>;
  read(texts: readonly TextRow[]): readonly Row[];
  /** Reads rows, in any order, as one text: for very many. @param rows selects at least the columns */
  readTogether(db: Kysely<Schema>, rows: RawBuilder<unknown>): Promise<readonly Row[]>;
}

class ValueRow {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

/** A class whose instances read the values of an array by the names of the columns, without copying them. */
function rowClassOf(columns: readonly string[]): typeof ValueRow {
  const NamedRow = class extends ValueRow {};
  columns.forEach((column, place) => {
    Object.defineProperty(NamedRow.prototype, column, {
      get(this: ValueRow) {
        return this.values[place];
      },
    });
  });
  return NamedRow;
}

/**
 * For long lists: both drivers, and the way from a thread, cost far more for each value than for each text.
 * @param columns the columns of a row; no others can be read
 */
export function rowTextsOf<Row>(columns: readonly (keyof Row & string)[]): RowTexts<Row> {
  const NamedRow = rowClassOf(columns);
  const refs = columns.map((column) => sql.ref(column));
  const entry = (db: Kysely<Schema>) => sql`${dialectOf(db).jsonArray(sql.join(refs))} as entry`;
  const select: RowTexts<Row>['select'] = (db, rows) => sql`select ${entry(db)} from (${rows}) as page`;
  const rowsIn = (entries: string): readonly Row[] => {
    const all = JSON.parse(`[${entries}]`) as (readonly unknown[])[];
    return all.map((values) => new NamedRow(values) as unknown as Row);
  };
  return {
    entry,
    select,
    read: (texts) => rowsIn(texts.map((text) => text.entry).join(',')),
    async readTogether(db, rows) {
      const found = await sql<{ readonly entries: string | null }>`
        select string_agg(entry, ',') as entries from (${select(db, rows)}) as texts`.execute(db);
      return rowsIn(found.rows[0]!.entries ?? '');
    },
  };
}
