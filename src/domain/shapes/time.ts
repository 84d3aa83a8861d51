import { parseTimestamp } from '../../model/clock.ts';
import { nullable, parsed } from './shape.ts';

/** A point in time, or null. */
export const time = nullable(
  parsed(parseTimestamp, {
    description:
      'A time in UTC, such as 2030-01-31T12:00:00.000000; a trailing `Z` or offset is also accepted.',
  }),
);
