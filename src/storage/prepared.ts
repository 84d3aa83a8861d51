import type { Compilable, CompiledQuery, Kysely, Selectable } from 'kysely';
import { type Flavour, flavourOf } from './flavour.ts';
import type { Schema } from './schema.ts';

type SlotFor<V> = (read: (values: V) => unknown) => never;

/** Stands for a value in a statement that is built before its values are known. */
class Slot<V> {
  readonly read: (values: V) => unknown;

  constructor(read: (values: V) => unknown) {
    this.read = read;
  }
}

/**
 * A statement that is built and compiled when it is first needed, once for each kind of database; after that only its
 * values change. It is for the statements of every create: building them each time would dominate the cost of a create.
 * @param build makes the statement, with `slot(…)` in the place of each value; `first` are the first values
 * @returns the function that binds values, for `executeQuery` or `later`
 */
export function prepared<V, R = unknown>(
  build: (db: Kysely<Schema>, slot: SlotFor<V>, first: V) => Compilable<R>,
): (db: Kysely<Schema>, values: V) => CompiledQuery<R> {
  const compiled = new Map<Flavour, CompiledQuery<R>>();
  const slot: SlotFor<V> = (read) => new Slot(read) as never;
  return (db, values) => {
    const flavour = flavourOf(db);
    let query = compiled.get(flavour);
    if (query === undefined) {
      query = build(db, slot, values).compile();
      compiled.set(flavour, query);
    }
    const parameters = query.parameters.map((one) => (one instanceof Slot ? one.read(values) : one));
    return { ...query, parameters };
  };
}

/** An insert of as many rows as the first call has, all with the same columns. */
export function preparedInsert<T extends keyof Schema>(table: T) {
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
