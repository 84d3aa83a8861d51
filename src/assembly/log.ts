import { isatty } from 'node:tty';
import pino from 'pino';
import type { Config } from '../config/options.ts';
import { printable } from '../runtime/printable.ts';

const STANDARD_ERROR = 2;
/** Lines are written together: after this time in milliseconds, or when there are this many octets. */
const WRITE_MS = 100;
const WRITE_OCTETS = 8192;
/** Text that is unambiguous without quotes. */
const PLAIN = /^[^\s"'={}[\],]+$/;
const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

function shown(value: unknown): string {
  const isPlain = typeof value === 'string' && PLAIN.test(value);
  return printable(isPlain ? value : JSON.stringify(value));
}

/** The stack of an error, one frame per line. */
function stackOf(error: unknown): string {
  const { stack } = (error ?? {}) as { stack?: unknown };
  if (typeof stack !== 'string') return '';
  return stack
    .split('\n')
    .map((line) => `    ${printable(line.trim())}\n`)
    .join('');
}

/**
 * Formats a log line for people: the time of day in UTC, the level, the message, then the fields. An error's stack
 * follows. Contains nothing that a terminal interprets.
 * @param json the log line as JSON
 */
export function prettyLine(json: string): string {
  const { level, time, msg, ...fields } = JSON.parse(json);
  const stack = stackOf(fields.err);
  if (stack !== '') delete fields.err;
  const cells = Object.entries(fields).map(([name, value]) => `${printable(name)}=${shown(value)}`);
  const start = [
    String(time).slice(11, 23),
    (LEVELS[level] ?? String(level)).padEnd(5),
    printable(msg ?? ''),
  ];
  return `${[...start, ...cells].join(' ')}\n${stack}`;
}

function isForPeople(format: Config['logFormat']): boolean {
  return format === 'pretty' || (format === 'auto' && isatty(STANDARD_ERROR));
}

/**
 * Standard error, written to in batches: a write for each line would be up to a tenth of what a request costs. At the
 * exit of the process, what is left is written at once.
 */
function batchedStandardError() {
  const file = pino.destination({ fd: STANDARD_ERROR, sync: false, minLength: WRITE_OCTETS });
  let isDue = false;
  const flush = (): void => {
    isDue = false;
    file.flush();
  };
  return {
    write(lines: string): void {
      file.write(lines);
      if (isDue) return;
      isDue = true;
      setTimeout(flush, WRITE_MS).unref();
    },
    flush: (flushed: (error?: Error) => void) => file.flush(flushed),
  };
}

/** Logs to standard error, as JSON or for people. Errors are written with their message and causes. */
export function createLog({
  logLevel: level,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): pino.Logger {
  const standardError = batchedStandardError();
  const pretty = { ...standardError, write: (line: string) => standardError.write(prettyLine(line)) };
  const destination = isForPeople(logFormat) ? pretty : standardError;
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
