import pino from 'pino';
import type { Config } from './config/options.ts';

/** JSON lines on standard error. Errors are written with their message and causes. */
export function createLog(level: Config['logLevel']): pino.Logger {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 0 });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
