/** A cached state of an automaton. */

export interface AutomatonState {
  /** The instructions at which the next character is tested, in ascending order. */
  readonly waiting: Int32Array;
  readonly before: number;
  /** By letter. */
  readonly next: (AutomatonState | undefined)[];
  readonly costs: number[];
}

/** Maximum size of the cache, in numbers. */
const MAX_KEPT = 40_000;
/** Size of a state in addition to its instructions. */
const OVERHEAD = 24;

export function makeState(waiting: Int32Array, before: number): AutomatonState {
  return { waiting, before, next: [], costs: [] };
}

function sameInstructions(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function hashOf(waiting: Int32Array, before: number): number {
  let hash = before;
  for (let i = 0; i < waiting.length; i++)
    hash = Math.imul(hash ^ (waiting[i] as number), 0x5bd1e995) ^ (hash >>> 13);
  return hash;
}

export class StateTable {
  private byHash = new Map<number, AutomatonState[]>();
  private kept = 0;

  /** Returns the cached state, or a new one. All states are dropped when there are too many. */
  find(waiting: Int32Array, before: number): AutomatonState {
    const hash = hashOf(waiting, before);
    const known = this.byHash.get(hash) ?? [];
    for (const state of known) {
      if (state.before === before && sameInstructions(state.waiting, waiting)) return state;
    }
    this.count(waiting.length + OVERHEAD);
    const state = makeState(waiting, before);
    this.byHash.set(hash, [...known, state]);
    return state;
  }

  count(numbers: number): void {
    this.kept += numbers;
    if (this.kept <= MAX_KEPT) return;
    this.byHash.clear();
    this.kept = numbers;
  }
}
