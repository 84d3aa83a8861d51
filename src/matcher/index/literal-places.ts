import { type Analysis, analyse, literalOfAll } from '../analysis/analyse.ts';
import { encodeFolded } from '../analysis/fold.ts';
import { parsePattern } from '../syntax/parse.ts';
import { within } from '../work.ts';
import { ANALYSE_HERE } from './budget.ts';
import type { LiteralCandidates } from './candidates.ts';
import { CANDIDATE, modeOf } from './contexts.ts';
import { loadOf } from './table-budget.ts';
import type { Tables } from './tables.ts';
import { BLOCKING, NOTED, type PatternKind } from './traits.ts';

/** The patterns that have to be run, stored behind literals of which every match contains at least one. */
export class LiteralPlaces {
  private readonly tables: Tables;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  placeAt(entry: number): LiteralCandidates {
    const { literals } = this.tables;
    return { place: entry, keys: literals.lists.all(literals.heldBy(entry)) };
  }

  /**
   * Chooses the literals for a pattern: the most selective ones or, if there is no room for several, the one that all
   * matches contain. Undefined if there is none, or no room.
   */
  choose(analysis: Analysis, source: string): readonly string[] | undefined {
    const literals = literalsOf(analysis);
    if (literals === undefined || this.hasCapacity(literals)) return literals;
    const alone = within(ANALYSE_HERE, () => literalOfAll(parsePattern(source).root))?.value;
    return alone !== undefined && this.hasCapacity(alone) ? alone : undefined;
  }

  /** The literals that a pattern is stored behind. */
  chosen(key: number, source: string, kind: PatternKind): readonly string[] | undefined {
    const { root } = parsePattern(source);
    const literals = literalsOf(analyse(root));
    if (this.areBefore(literals, key, kind)) return literals;
    const alone = literals && literalOfAll(root);
    return this.areBefore(alone, key, kind) ? alone : undefined;
  }

  /** Adds a key behind its literals, or removes it. Returns the places with their current keys. */
  change(key: number, kind: PatternKind, literals: readonly string[], adding: boolean): LiteralCandidates[] {
    const strings = literals.map(encodeFolded);
    this.tables.take('literal', loadOf(strings), adding ? 1 : -1);
    return strings.map((bytes) => {
      const change = adding ? 'add' : 'remove';
      const entry = this.tables[change]('literal', bytes, 0, bytes.length, candidateMode(kind), key);
      return this.placeAt(entry);
    });
  }

  private hasCapacity(literals: readonly string[]): boolean {
    return this.tables.hasCapacity('literal', loadOf(literals.map(encodeFolded)));
  }

  private areBefore(literals: readonly string[] | undefined, key: number, kind: PatternKind): boolean {
    return literals?.every((literal) => this.isBefore(literal, key, kind)) === true;
  }

  private isBefore(literal: string, key: number, kind: PatternKind): boolean {
    const bytes = encodeFolded(literal);
    return this.tables.has('literal', bytes, 0, bytes.length, candidateMode(kind), key);
  }
}

/** Enforced patterns share literal entries, conditional or not. */
function candidateMode(kind: PatternKind): number {
  return modeOf(CANDIDATE, kind === NOTED ? NOTED : BLOCKING);
}

export function analysisOf(source: string): Analysis {
  return analyse(parsePattern(source).root);
}

function literalsOf(analysis: Analysis): readonly string[] | undefined {
  return analysis.kind === 'candidate' ? analysis.literals : analysis.literals();
}
