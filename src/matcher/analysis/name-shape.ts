import type { CharSet } from '../ast.ts';
import { contains, overlaps } from '../syntax/charset.ts';
import { spend } from '../work.ts';
import { ENDS, type Positions } from './positions.ts';

/**
 * An automaton for zone names, used to find out if a pattern can match any: at least two labels, each followed by a
 * dot, of letters, digits, `_`, `-` and non-ASCII characters, with no leading or trailing hyphen.
 */
type ShapeState = number;

/** Position in a label, times three, plus the number of labels completed (2 means two or more). */
const LABEL_START = 0;
const WITHIN = 3;
const AT_HYPHEN = 6;
const PLACES = 9;

/** In units of work. */
const ENTER_WORK = 15;

const DOT = 46;
const HYPHEN = 45;

interface Kinds {
  readonly dot: boolean;
  readonly hyphen: boolean;
  readonly other: boolean;
}

function kindsOf(set: CharSet): Kinds {
  const other =
    contains(set, 95) || overlaps(set, 48, 57) || overlaps(set, 97, 122) || overlaps(set, 128, 0x10ffff);
  return { dot: contains(set, DOT), hyphen: contains(set, HYPHEN), other };
}

function placesAfter(place: ShapeState, kinds: Kinds): ShapeState[] {
  const labels = place % 3;
  const at = place - labels;
  const after: ShapeState[] = [];
  if (kinds.dot && at === WITHIN) after.push(LABEL_START + Math.min(2, labels + 1));
  if (kinds.hyphen && at !== LABEL_START) after.push(AT_HYPHEN + labels);
  if (kinds.other) after.push(WITHIN + labels);
  return after;
}

const ALL_PLACES: readonly ShapeState[] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const ENDS_WITH_DOT: ReadonlySet<ShapeState> = new Set([LABEL_START + 2]);
/** States in which a name without its final dot would end. */
const ENDS_WITHOUT_DOT: ReadonlySet<ShapeState> = new Set([WITHIN + 1, WITHIN + 2]);

/** True if the pattern matches some zone name. With `finalDot` false: some name without its final dot. */
export function canMatchName(positions: Positions, finalDot: boolean): boolean {
  if (positions.emptyLater !== 0 || (positions.emptyAtStart & ENDS.always) !== 0) return true;
  const ends = finalDot ? ENDS_WITH_DOT : ENDS_WITHOUT_DOT;
  return new ShapeSearch(positions, ends).run();
}

class ShapeSearch {
  private readonly positions: Positions;
  private readonly ends: ReadonlySet<ShapeState>;
  private readonly kinds: readonly Kinds[];
  private readonly seen: Uint8Array;
  private readonly open: number[] = [];

  constructor(positions: Positions, ends: ReadonlySet<ShapeState>) {
    this.positions = positions;
    this.ends = ends;
    this.kinds = positions.sets.map(kindsOf);
    this.seen = new Uint8Array(positions.sets.length * PLACES);
  }

  run(): boolean {
    for (const position of this.positions.first) this.enter(position, LABEL_START);
    for (const place of ALL_PLACES)
      for (const position of this.positions.firstLater) this.enter(position, place);
    while (this.open.length > 0) {
      const state = this.open.pop()!;
      const position = Math.floor(state / PLACES);
      const place = state % PLACES;
      if (this.accepts(position, place)) return true;
      for (const next of this.positions.follow[position]!) this.enter(next, place);
    }
    return false;
  }

  private accepts(position: number, place: ShapeState): boolean {
    const ends = this.positions.ends[position]!;
    return (ends & ENDS.always) !== 0 || (ends !== 0 && this.ends.has(place));
  }

  private enter(position: number, place: ShapeState): void {
    spend(ENTER_WORK);
    for (const after of placesAfter(place, this.kinds[position]!)) {
      const state = position * PLACES + after;
      if (this.seen[state] === 1) continue;
      this.seen[state] = 1;
      this.open.push(state);
    }
  }
}
