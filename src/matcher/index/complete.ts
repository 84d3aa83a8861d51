import { analyse, matchesAnything } from '../analysis/analyse.ts';
import { encodeFolded } from '../analysis/fold.ts';
import type { PatternShape } from '../analysis/shape.ts';
import { parsePattern } from '../syntax/parse.ts';
import { CANDIDATE, modeOf } from './contexts.ts';
import { type Placing, placingOf } from './placing.ts';
import { BEGINNINGS, type Quick, QuickReader } from './quick.ts';
import { type Load, loadOf } from './table-budget.ts';
import type { StringPlacement, Tables } from './tables.ts';
import type { PatternKind } from './traits.ts';

/** A string of a shape, and how it is stored. */
interface PlacedString {
  readonly placing: Placing;
  readonly bytes: Uint8Array;
}

const ONE: Load = { count: 1, bytes: 0 };

interface KnownPlacing {
  readonly placing: Placing;
  readonly context: number;
}

/** Stores the patterns that need only lookups, by their strings and contexts. */
export class Complete {
  private readonly tables: Tables;
  private readonly reader = new QuickReader();
  /** The meaning of the beginnings of quick patterns: by beginning, anchor, and whether a dot follows. */
  private readonly known: (KnownPlacing | undefined)[] = [];

  constructor(tables: Tables) {
    this.tables = tables;
  }

  /**
   * Adds or removes a pattern with a quick shape. Returns false if it has another shape, or is to be removed but
   * missing.
   */
  change(source: string, key: number, kind: PatternKind, adding: boolean): boolean {
    const quick = this.reader.read(source);
    if (quick === undefined) return false;
    const known = this.meaningOf(quick);
    if (known === undefined) return false;
    const { placing, context } = known;
    const { bytes } = this.reader;
    const mode = modeOf(context, kind);
    if (adding) {
      if (!this.tables.hasCapacity(placing.kept, ONE)) return false;
      this.tables.contexts.hold(context);
    } else {
      if (!this.tables.has(placing.kept, bytes, placing.from, quick.length, mode, key)) return false;
      this.tables.contexts.release(context);
    }
    this.apply(adding, placing, bytes, quick.length, mode, key);
    return true;
  }

  /** Returns false, with nothing added, if there are too many contexts or strings. */
  addShapes(shapes: readonly PatternShape[], key: number, kind: PatternKind): boolean {
    const places = shapes.flatMap(placesOf);
    const loads = loadsOf(places);
    if (!loads.every(([kept, load]) => this.tables.hasCapacity(kept, load))) return false;
    const contexts: number[] = [];
    for (const { placing } of places) {
      const context = this.tables.contexts.take(placing.context);
      if (context === undefined) {
        for (const taken of contexts) this.tables.contexts.release(taken);
        return false;
      }
      contexts.push(context);
    }
    places.forEach(({ placing, bytes }, i) => {
      this.apply(true, placing, bytes, bytes.length, modeOf(contexts[i]!, kind), key);
    });
    for (const [kept, load] of loads) this.tables.take(kept, load, 1);
    if (shapes.some(matchesAnything)) this.tables.addMatchingAll(key, kind);
    return true;
  }

  /** Returns false, with nothing removed, if some of it is missing. */
  removeShapes(shapes: readonly PatternShape[], key: number, kind: PatternKind): boolean {
    const { tables } = this;
    const placed = shapes.flatMap(placesOf);
    const places = placed.map(({ placing, bytes }) => {
      return { placing, bytes, context: tables.contexts.find(placing.context) ?? CANDIDATE };
    });
    const complete = places.every(({ placing, bytes, context }) => {
      const mode = modeOf(context, kind);
      return context !== CANDIDATE && tables.has(placing.kept, bytes, placing.from, bytes.length, mode, key);
    });
    const everything = shapes.some(matchesAnything);
    if (!complete || (everything && !tables.matchingAll(kind).includes(key))) return false;
    for (const { placing, bytes, context } of places) {
      this.apply(false, placing, bytes, bytes.length, modeOf(context, kind), key);
      tables.contexts.release(context);
    }
    for (const [kept, load] of loadsOf(placed)) tables.take(kept, load, -1);
    if (everything) tables.removeMatchingAll(key, kind);
    return true;
  }

  private apply(
    adding: boolean,
    at: Placing,
    bytes: Uint8Array,
    to: number,
    mode: number,
    key: number,
  ): void {
    if (adding) this.tables.add(at.kept, bytes, at.from, to, mode, key);
    else this.tables.remove(at.kept, bytes, at.from, to, mode, key);
  }

  private meaningOf(quick: Quick): KnownPlacing | undefined {
    const dotted = this.reader.bytes[0] === 46;
    const at = quick.beginning * 4 + (quick.anchored ? 2 : 0) + (dotted ? 1 : 0);
    this.known[at] ??= this.learn(quick, dotted ? '\\.x' : 'x');
    return this.known[at];
  }

  /** Contexts learnt here are kept permanently; undefined if there is no room for one. */
  private learn(quick: Quick, literal: string): KnownPlacing | undefined {
    const analysis = analyse(
      parsePattern(BEGINNINGS[quick.beginning]! + literal + (quick.anchored ? '$' : '')).root,
    );
    if (analysis.kind !== 'complete') throw new Error('A quick pattern is complete.');
    const { context } = analysis.shapes[0]!;
    const placing = placingOf(context, this.reader.bytes, quick.length);
    const number = this.tables.contexts.take(placing.context);
    return number === undefined ? undefined : { placing, context: number };
  }
}

function placesOf(shape: PatternShape): PlacedString[] {
  if (matchesAnything(shape)) return [];
  return shape.strings.map((string) => {
    const bytes = encodeFolded(string);
    return { placing: placingOf(shape.context, bytes, bytes.length), bytes };
  });
}

/** The space that the strings of a pattern need in each table. */
function loadsOf(places: readonly PlacedString[]): (readonly [StringPlacement, Load])[] {
  return (['tail', 'literal'] as const).map((kept) => {
    const strings = places.filter(({ placing }) => placing.kept === kept).map(({ bytes }) => bytes);
    return [kept, loadOf(strings)];
  });
}
