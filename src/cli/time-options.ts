import { earlier, formatMicroseconds } from '../model/clock.ts';
import { millisecondsOf, spanOf } from '../model/moment.ts';
import { CommandError } from './errors.ts';

/** Parses a time, or an age such as 90d, into a time in the store's format. */
export function timeOf(option: string, text: string): string {
  const now = formatMicroseconds(Date.now() * 1000);
  const span = spanOf(text);
  if (span !== undefined) return earlier(now, span);
  const milliseconds = millisecondsOf(text);
  if (!Number.isNaN(milliseconds)) return formatMicroseconds(milliseconds * 1000);
  throw new CommandError(
    `${option}: "${text}" is not a time. Use a time such as 2030-01-31T12:00:00Z, or a period such as 90d, 12h or 30m.`,
  );
}
