import { isatty } from 'node:tty';
import pino from 'pino';
import type { Config } from '../config/options.ts';
import { printable } from '../runtime/printable.ts';
import { BatchedOutput } from './batched-output.ts';

const STANDARD_ERROR = 2;
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

/** Logs to standard error, as JSON or for people. Errors are written with their message and causes. */
export function createLog({
  logLevel: level,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): pino.Logger {
  // A write for each line would be up to a tenth of what a request costs.
  const output = new BatchedOutput(STANDARD_ERROR, (lines) => log.warn({ lines }, 'log lines were lost'));
  const shownLine = isForPeople(logFormat) ? prettyLine : (line: string) => line;
  const destination = {
    write: (line: string) => output.add(shownLine(line)),
    flush: (flushed: () => void) => void output.flush().then(flushed),
  };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return log;
}
