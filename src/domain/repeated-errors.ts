import { DamagedStore } from '../model/errors.ts';
import type { Log } from '../runtime/log.ts';

/** The time in which one error line of a kind is written, in milliseconds. */
const WINDOW = 1000;
/** Beyond this number of kinds in one window, the message alone makes a kind. */
const MOST_KINDS = 100;
const LONGEST_CAUSE = 200;
const DEEPEST_CAUSE = 5;

type Line = readonly [fields: object, message: string];

/** The last line that was held back in a window, and the number of those before it. */
interface Held {
  line?: Line;
  leftOut: number;
}

/** A log that holds back lines. */
export interface HoldingLog extends Log {
  /** Writes the lines that are held back. */
  flush(): void;
}

/** What an error has in common with others of its kind: its code, and its message without numbers and ids. */
function traitOf(error: object): string {
  const { name, code, sqliteCode, message } = error as Readonly<Record<string, unknown>>;
  const text = String(message)
    .slice(0, LONGEST_CAUSE)
    .replace(/\b[\w-]*\d[\w-]*\b/g, '#');
  return `${name} ${code ?? sqliteCode} ${text}`;
}

/** The kind of a line: its message, and the traits of its error and the causes of that. */
function kindOf([fields, message]: Line): string {
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

/** A log without what fails because of damage that has been logged: everything that writes does. */
export function withoutKnownDamage(log: Log): Log {
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => isKnownDamage(fields) || log.warn(fields, message),
    error: (fields, message) => isKnownDamage(fields) || log.error(fields, message),
  };
}

/**
 * A log that writes at most one error line of each kind a second: a disk that is full, or a database that is gone, fails
 * each request in the same way. The first line is written at once. Of those that follow within a second the last is
 * written at its end, with the number of the others as `left_out`.
 */
export function withoutRepeatedErrors(log: Log): HoldingLog {
  const kinds = new Map<string, Held>();

  function openWindow(kind: string): void {
    kinds.set(kind, { leftOut: 0 });
    setTimeout(() => closeWindow(kind), WINDOW).unref();
  }

  function write({ line: [fields, message] = [{}, ''], leftOut }: Held): void {
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
      const line: Line = [fields, message];
      const kind = kinds.size < MOST_KINDS ? kindOf(line) : message;
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
