import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely';
import { type Dialect, dialectOf } from './dialect.ts';
import type { Schema } from './schema.ts';

/** Marks the place of a value in a statement. */
export type SlotFor<V> = (read: (values: V) => unknown) => never;

/** Stands for a value in a statement that is built before its values are known. */
class Slot<V> {
  readonly read: (values: V) => unknown;

  constructor(read: (values: V) => unknown) {
    this.read = read;
  }
}

/** A statement of Kysely's builder, or raw SQL. */
interface Unprepared<R> {
  compile(db: Kysely<Schema>): CompiledQuery<R>;
}

/**
 * Builds and compiles a statement on first use, once for each kind of database; after that only its values change.
 * For the statements of every create, whose cost would be dominated by building them each time.
 * @param build builds the statement, with `slot(…)` in place of each value; `first` are the first values
 * @returns the function that binds values, for `executeQuery` or `later`
 */
export function prepared<V, R = unknown>(
  build: (db: Kysely<Schema>, slot: SlotFor<V>, first: V) => Unprepared<R>,
): (db: Kysely<Schema>, values: V) => CompiledQuery<R> {
  const compiled = new Map<Dialect, CompiledQuery<R>>();
  const slot: SlotFor<V> = (read) => new Slot(read) as never;
  return (db, values) => {
    const dialect = dialectOf(db);
    let query = compiled.get(dialect);
    if (query === undefined) {
      query = build(db, slot, values).compile(db);
      compiled.set(dialect, query);
    }
    const parameters = query.parameters.map((one) => (one instanceof Slot ? one.read(values) : one));
    return { ...query, parameters };
  };
}

/**
 * Like `prepared`, with one statement for each number of values, such as the names from one name up to its zone.
 * @param count a number that stays small
 */
export function preparedForEach<V, R>(
  count: (values: V) => number,
  build: (db: Kysely<Schema>, slot: SlotFor<V>, first: V) => Unprepared<R>,
): (db: Kysely<Schema>, values: V) => CompiledQuery<R> {
  const byCount = new Map<number, ReturnType<typeof prepared<V, R>>>();
  return (db, values) => {
    const number = count(values);
    const bind = byCount.get(number) ?? prepared<V, R>(build);
    byCount.set(number, bind);
    return bind(db, values);
  };
}

/** Maximum number of rows that are inserted as separate values. */
const FEW_ROWS = 2;

/** An insert of as many rows as the first call has, as separate values. */
function valuesInsert<T extends keyof Schema>(table: T) {
  type Row = Selectable<Schema[T]>;
  return prepared<readonly Row[]>((db, slot, first) => {
    const rows = first.map((row, place) =>
      Object.fromEntries(
        Object.keys(row).map((column) => [column, slot((all) => all[place]![column as keyof Row])]),
      ),
    );
    return db.insertInto(table).values(rows as never);
  });
}

/** An insert of any number of rows, as one JSON text. */
function textInsert<T extends keyof Schema>(table: T) {
  type Row = Selectable<Schema[T]>;
  return prepared<readonly Row[]>((db, slot, first) => {
    const columns = Object.keys(first[0]!);
    const rows = dialectOf(db).jsonRows(table, columns, sql`${slot((all) => JSON.stringify(all))}`);
    const names = sql.join(columns.map((column) => sql.ref(column)));
    return sql`insert into ${sql.table(table)} (${names}) select ${names} from ${rows}`;
  });
}

/** An insert of rows that all have the same columns: one statement for any number of rows. */
export function preparedInsert<T extends keyof Schema>(table: T) {
  const byValues = Array.from({ length: FEW_ROWS }, () => valuesInsert(table));
  const byText = textInsert(table);
  return (db: Kysely<Schema>, rows: readonly Selectable<Schema[T]>[]): CompiledQuery =>
    (byValues[rows.length - 1] ?? byText)(db, rows);
}

/**
 * An update of a row by its id. All rows have the same columns.
 * @param fixed columns that do not change: SQLite would rewrite their indexes without comparing the values
 */
export function preparedUpdate<T extends keyof Schema>(
  table: T,
  fixed: readonly (keyof Schema[T] & string)[],
) {
  type Row = Selectable<Schema[T]> & { readonly id: string };
  return prepared<Row>((_, slot, first) => {
    const columns = Object.keys(first).filter(
      (column) => column !== 'id' && !(fixed as readonly string[]).includes(column),
    );
    const set = sql.join(
      columns.map((column) => sql`${sql.ref(column)} = ${slot((row) => row[column as keyof Row])}`),
    );
    return sql`update ${sql.table(table)} set ${set} where id = ${slot(({ id }) => id)}`;
  });
}
