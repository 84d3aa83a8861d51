/** The numbers of the rows of a skewed database, and what is made of them. */

/** Zones that are spread evenly, those of yesterday, of which the statistics are. */
export const EVEN = 1000;
/** Zones in all. */
export const ZONES = 21_000;
export const PROJECTS = 100;
/** What of a project's is kept, however much there was. */
export const KEPT_TASKS = `n < ${EVEN} + 1900`;
export const KEPT_DELETED = `n < ${EVEN} + 9000`;
/** The zone that has as many recordsets of its own as there are numbers after it. */
export const LARGE_ZONE = 1000;
export const SERIAL = 1_700_000_000;
export const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

export const padded = (number: string, digits: number) => `lpad((${number})::text, ${digits}, '0')`;
export const id = (kind: number, number = 'n') => `'0000000${kind}-0000-4000-8000-' || ${padded(number, 12)}`;
/** Yesterday, so that nothing is due to be removed. */
export const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
export const when = `'${DAY}T00:00:00.' || ${padded('n', 6)}`;

/** The id of a zone, or of another thing, by its number. */
export const skewedId = (kind: number, number: number): string =>
  `0000000${kind}-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const skewedName = (number: number): string => `z${number}.example.`;

export interface Part {
  readonly from: number;
  /** The number after the last one. */
  readonly to: number;
  /** SQL of the project that has what has a number. */
  readonly project: string;
  /** SQL of the zone that changes and recordsets are of. */
  readonly zone: string;
}

/** The rows of one statement: a table, its columns, and for each its SQL by the number `n`. */
export type Rows = readonly [table: string, columns: Readonly<Record<string, string>>, where?: string];
