import pino from 'pino';
import type { Config } from './config/options.ts';

/** JSON lines on standard error. Errors are written with their message and causes. */
export function createLog(level: Config['logLevel']): pino.Logger {
  // Each line is written as it comes; were the least length 0, flush() would call back without having waited.
  const destination = pino.destination({ fd: 2, sync: false, minLength: 1 });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
