/** Why changes of a set cannot be made: all reasons are reported, and the most important one is the refusal. */
import type { ChangeRefusal } from '../../model/changes/change-set.ts';
import { DomainError, errorType, type Fault } from '../../model/errors.ts';

/** Maximum number of faults in an answer. */
const MAX_LISTED = 100;

/** The kinds of faults, the most important one first. */
const RANKS: readonly string[] = [
  'access_denied',
  'invalid_object',
  'managed_recordset',
  'recordset_not_found',
  'duplicate_recordset',
  'changed_since',
  'invalid_recordset_location',
  'blacklisted_recordset',
  'unchecked_recordset',
  'protected',
  'too_many_deletions',
  'over_quota',
  'guardrail',
];

/** Kinds of faults that leave it open what a change would do. */
const UNDECIDED: readonly string[] = [
  'invalid_object',
  'managed_recordset',
  'recordset_not_found',
  'duplicate_recordset',
  'changed_since',
];

/** One reason, and the part of the request that it concerns. */
export interface ChangeFault extends ChangeRefusal {
  readonly path: Fault['path'];
  /** For events and the log only. */
  readonly details?: DomainError['details'] | undefined;
}

/** What the first part of a path is in the request: its list of changes, recordsets or updates, or a line of a zone file. */
export type PathRoot = 'changes' | 'recordsets' | 'line' | 'updates';

/** The path of a fault that concerns the whole set. */
export const WHOLE_SET: Fault['path'] = ['changes'];

/** The path of one change, or of a part of it. @param position undefined for what the request does not list */
export function pathOf(position: number | undefined, ...part: readonly (string | number)[]): Fault['path'] {
  return position === undefined ? WHOLE_SET : ['changes', position, ...part];
}

/** The path of a fault of a recordset that the request does not have. */
export function pathOfMissing(name: string, type: string | null): Fault['path'] {
  return ['changes', name, type ?? ''];
}

/** The position of the change that has the fault; -1 for a fault of the whole set. Those of missing recordsets are last. */
function positionOf({ path: [, position = -1] }: ChangeFault): number {
  return typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER;
}

/** The path as clients see it. A line of a file has no parts. */
function pathShown([, position, ...part]: Fault['path'], root: PathRoot): Fault['path'] {
  if (root === 'line' && typeof position === 'number') return [root, position];
  const list = root === 'line' ? 'recordsets' : root;
  return position === undefined ? [list] : [list, position, ...part];
}

/** Sorts the most important faults first; faults of one kind by position. */
export function byRank(faults: readonly ChangeFault[]): readonly ChangeFault[] {
  return faults.toSorted(
    (one, other) =>
      RANKS.indexOf(one.kind) - RANKS.indexOf(other.kind) || positionOf(one) - positionOf(other),
  );
}

/** The fault of an error that refuses a part of the set. @throws any error that is no refusal of a known kind */
export function faultOf(error: unknown, path: Fault['path']): ChangeFault {
  if (!(error instanceof DomainError) || !RANKS.includes(error.kind)) throw error;
  const { kind, message, details } = error;
  return { kind, message, path, details };
}

/** The most important faults of many, and how many there are. */
export class ChangeFaults {
  #ranked: readonly ChangeFault[] = [];
  #others: ChangeFault[] = [];
  count = 0;
  /** Whether a fault leaves it open what a change would do. */
  areUndecided = false;

  add(fault: ChangeFault): void {
    this.count += 1;
    this.areUndecided ||= UNDECIDED.includes(fault.kind);
    this.#others.push(fault);
    if (this.#others.length > MAX_LISTED) this.#rank();
  }

  #rank(): void {
    this.#ranked = byRank([...this.#ranked, ...this.#others]).slice(0, MAX_LISTED);
    this.#others = [];
  }

  /** As many as an answer lists, the most important one first. */
  get ranked(): readonly ChangeFault[] {
    this.#rank();
    return this.#ranked;
  }
}

/** The refusal of a set: its kind is that of the most important fault. */
export function refusalOfSet({ ranked, count }: ChangeFaults, root: PathRoot): DomainError {
  const { kind, message, path, details } = ranked[0]!;
  const whole = kind === 'invalid_object' ? `${pathShown(path, root).join('.')}: ${message}` : message;
  return new DomainError(kind, whole, {
    faults: ranked.map((fault) => ({
      path: pathShown(fault.path, root),
      type: errorType(fault.kind),
      message: fault.message,
    })),
    details: { ...details, faults: count },
  });
}
