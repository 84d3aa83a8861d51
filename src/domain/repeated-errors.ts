import { DamagedStore } from '../model/errors.ts';
import type { Log } from '../runtime/log.ts';

/** Window in which at most one error line of a kind is written, in milliseconds. */
const WINDOW = 1000;
/** Beyond this number of kinds in one window, lines are grouped by message alone. */
const MAX_KINDS = 100;
const LONGEST_CAUSE = 200;
const DEEPEST_CAUSE = 5;

type LogLine = readonly [fields: object, message: string];

/** The last line held back in a window, and the number of lines left out before it. */
interface HeldLine {
  line?: LogLine;
  leftOut: number;
}

/** A log that holds back lines. */
export interface HoldingLog extends Log {
  /** Writes the lines that are held back. */
  flush(): void;
}

/** What errors of one kind share: name, code, and message without numbers and ids. */
function traitOf(error: object): string {
  const { name, code, sqliteCode, message } = error as Readonly<Record<string, unknown>>;
  const text = String(message)
    .slice(0, LONGEST_CAUSE)
    .replace(/\b[\w-]*\d[\w-]*\b/g, '#');
  return `${name} ${code ?? sqliteCode} ${text}`;
}

/** The kind of a line: its message, and the traits of its error and that error's causes. */
function kindOf([fields, message]: LogLine): string {
  const traits = [message];
  let error = (fields as { err?: unknown }).err;
  while (typeof error === 'object' && error !== null && traits.length <= DEEPEST_CAUSE) {
    traits.push(traitOf(error));
    error = (error as { cause?: unknown }).cause;
  }
  return traits.join('\n');
}

function isKnownDamage(fields: object): boolean {
  let error = (fields as { err?: unknown }).err;
  for (let depth = 0; error instanceof Error && depth < DEEPEST_CAUSE; depth++) {
    if (error instanceof DamagedStore) return true;
    error = error.cause;
  }
  return false;
}

/** Suppresses failures caused by store damage that has already been logged: after damage, every write fails. */
export function withoutKnownDamage(log: Log): Log {
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => isKnownDamage(fields) || log.warn(fields, message),
    error: (fields, message) => isKnownDamage(fields) || log.error(fields, message),
  };
}

/**
 * Limits error lines to one of each kind per second: a full disk or a lost database fails every request in the same
 * way. The first line is written at once. Of those that follow within a second, only the last is written, at the end of
 * the second, with the number of suppressed lines as `left_out`.
 */
export function withoutRepeatedErrors(log: Log): HoldingLog {
  const kinds = new Map<string, HeldLine>();

  function openWindow(kind: string): void {
    kinds.set(kind, { leftOut: 0 });
    setTimeout(() => closeWindow(kind), WINDOW).unref();
  }

  function write({ line: [fields, message] = [{}, ''], leftOut }: HeldLine): void {
    log.error(leftOut === 0 ? fields : { ...fields, left_out: leftOut }, message);
  }

  function closeWindow(kind: string): void {
    const held = kinds.get(kind);
    kinds.delete(kind);
    if (held?.line === undefined) return;
    openWindow(kind);
    write(held);
  }

  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error(fields, message) {
      const line: LogLine = [fields, message];
      const kind = kinds.size < MAX_KINDS ? kindOf(line) : message;
      const held = kinds.get(kind);
      if (held === undefined) {
        openWindow(kind);
        log.error(fields, message);
        return;
      }
      if (held.line !== undefined) held.leftOut += 1;
      held.line = line;
    },
    flush() {
      for (const held of kinds.values()) if (held.line !== undefined) write(held);
      kinds.clear();
    },
  };
}
