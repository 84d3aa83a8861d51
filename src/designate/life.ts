/** The id and the timestamps that every Designate object has. */
import type { Parsed } from '../dns/parsed.ts';
import { parseId } from '../domain/pools/pool-file.ts';
import { nullable, parsed } from '../domain/shapes/shape.ts';
import type { ImportedMetadata } from '../model/imported-metadata.ts';

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z?$/;

function parseTime(given: string): Parsed<string> {
  const [, seconds, fraction = ''] = TIME.exec(given) ?? [];
  if (seconds === undefined || Number.isNaN(Date.parse(`${seconds}Z`))) {
    return { ok: false, reason: 'This is not a time such as 2024-01-31T12:00:00.000000.' };
  }
  return { ok: true, value: `${seconds}.${fraction.padEnd(6, '0')}` };
}

export const id = parsed((given) => {
  const read = parseId(given);
  return read.ok ? read : { ok: false, reason: 'This is not a UUID.' };
});
export const time = nullable(parsed(parseTime));

export const life = { id, created_at: time, updated_at: time };

export interface Life {
  readonly id: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** The default pool in Designate's database has no creation time. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000000';

export function keptOf({ id, created_at, updated_at }: Life): ImportedMetadata {
  return { id, createdAt: created_at ?? updated_at ?? UNKNOWN_TIME, updatedAt: updated_at };
}
