import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';

/**
 * A statement with a list. It is prepared for lists whose lengths are powers of two, so that few texts serve lists of
 * any length; the last value pads a list.
 * @param build builds the statement, with the slots of the list
 * @returns the function that binds a list of at least one value
 */
export function preparedList<V, R>(
  build: (db: Kysely<Schema>, places: readonly never[]) => Compilable<R>,
): (db: Kysely<Schema>, list: readonly V[]) => CompiledQuery<R> {
  const statements = new Map<number, ReturnType<typeof prepared<readonly V[], R>>>();
  const statementOf = (size: number) =>
    prepared<readonly V[], R>((db, slot) => {
      const placeAt = (place: number) => slot((list) => list[Math.min(place, list.length - 1)]);
      return build(
        db,
        Array.from({ length: size }, (_, place) => placeAt(place)),
      );
    });
  return (db, list) => {
    let size = 1;
    while (size < list.length) size *= 2;
    let statement = statements.get(size);
    if (statement === undefined) {
      statement = statementOf(size);
      statements.set(size, statement);
    }
    return statement(db, list);
  };
}
