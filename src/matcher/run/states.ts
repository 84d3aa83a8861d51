/** The states of an automaton that are kept, and how to find one again. */

export interface State {
  /** The instructions from which the next character is looked for, in ascending order. */
  readonly waiting: Int32Array;
  readonly before: number;
  /** By letter. */
  readonly next: (State | undefined)[];
  readonly costs: number[];
}

/** How many numbers may be kept. */
const MAX_KEPT = 40_000;
/** What a state takes beside its instructions. */
const OVERHEAD = 24;

export function makeState(waiting: Int32Array, before: number): State {
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
  private byHash = new Map<number, State[]>();
  private kept = 0;

  /** The state itself, where it is known; else a new one. All are forgotten when they have become too many. */
  find(waiting: Int32Array, before: number): State {
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
