import { formatMicroseconds, parseTimestamp } from '../../model/clock.ts';
import { millisecondsOf } from '../../model/moment.ts';
import { EdgeError } from './errors.ts';

/** Parses a point in time into its stored form. @throws EdgeError `bad_request` */
export function timeOf(text: string): string {
  const milliseconds = millisecondsOf(text);
  if (Number.isNaN(milliseconds)) {
    throw new EdgeError('bad_request', 'Must be a time, such as 2030-01-31 or 2030-01-31T12:00:00Z.');
  }
  return formatMicroseconds(milliseconds * 1000);
}

/** Like `timeOf`, but keeps microseconds. */
export function exactTimeOf(text: string): string {
  const parsed = parseTimestamp(text);
  return parsed.ok ? parsed.value : timeOf(text);
}
