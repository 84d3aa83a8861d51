import { analyse, matchesAnything } from '../analysis/analyse.ts';
import { encodeFolded } from '../analysis/fold.ts';
import type { Shape } from '../analysis/shape.ts';
import { parsePattern } from '../syntax/parse.ts';
import { type Placing, placingOf } from './placing.ts';
import { BEGINNINGS, type Quick, QuickReader } from './quick.ts';
import type { Tables } from './tables.ts';

interface Known {
  readonly placing: Placing;
  readonly mode: number;
}

/** Keeps the patterns that need no more than lookups, by their strings and contexts. */
export class Complete {
  private readonly tables: Tables;
  private readonly reader = new QuickReader();
  /** What the beginnings of quick patterns mean, by beginning, anchor, and whether a dot comes next. */
  private readonly known: (Known | undefined)[] = [];

  constructor(tables: Tables) {
    this.tables = tables;
  }

  /** Adds or removes a pattern of a quick shape; false when it is of another. */
  change(source: string, key: number, adding: boolean): boolean {
    const quick = this.reader.read(source);
    if (quick === undefined) return false;
    const known = this.meaningOf(quick);
    if (known === undefined) return false;
    const { placing, mode } = known;
    this.apply(adding, placing, this.reader.bytes, quick.length, mode, key);
    return true;
  }

  /** False when there are too many contexts; nothing has been added then. */
  addShapes(shapes: readonly Shape[], key: number): boolean {
    const places = shapes.flatMap(placesOf);
    const modes: number[] = [];
    for (const { placing } of places) {
      const mode = this.tables.contexts.take(placing.context);
      if (mode === undefined) {
        for (const taken of modes) this.tables.contexts.release(taken);
        return false;
      }
      modes.push(mode);
    }
    places.forEach(({ placing, bytes }, i) => {
      this.apply(true, placing, bytes, bytes.length, modes[i]!, key);
    });
    if (shapes.some(matchesAnything)) this.tables.addMatchingAll(key);
    return true;
  }

  removeShapes(shapes: readonly Shape[], key: number): void {
    for (const { placing, bytes } of shapes.flatMap(placesOf)) {
      const mode = this.tables.contexts.take(placing.context)!;
      this.apply(false, placing, bytes, bytes.length, mode, key);
      this.tables.contexts.release(mode);
      this.tables.contexts.release(mode);
    }
    if (shapes.some(matchesAnything)) this.tables.removeMatchingAll(key);
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

  private meaningOf(quick: Quick): Known | undefined {
    const dotted = this.reader.bytes[0] === 46;
    const at = quick.beginning * 4 + (quick.anchored ? 2 : 0) + (dotted ? 1 : 0);
    this.known[at] ??= this.learn(quick, dotted ? '\\.x' : 'x');
    return this.known[at];
  }

  /** Contexts learnt once are kept for good; undefined when there is no room for one. */
  private learn(quick: Quick, literal: string): Known | undefined {
    const analysis = analyse(
      parsePattern(BEGINNINGS[quick.beginning]! + literal + (quick.anchored ? '$' : '')).root,
    );
    if (analysis.kind !== 'complete') throw new Error('A quick pattern is complete.');
    const { context } = analysis.shapes[0]!;
    const placing = placingOf(context, this.reader.bytes, quick.length);
    const mode = this.tables.contexts.take(placing.context);
    return mode === undefined ? undefined : { placing, mode };
  }
}

function placesOf(shape: Shape): { placing: Placing; bytes: Uint8Array }[] {
  if (matchesAnything(shape)) return [];
  return shape.strings.map((string) => {
    const bytes = encodeFolded(string);
    return { placing: placingOf(shape.context, bytes, bytes.length), bytes };
  });
}
