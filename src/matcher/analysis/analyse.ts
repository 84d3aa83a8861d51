import type { Node } from '../ast.ts';
import { encodeFolded } from './fold.ts';
import { optionsOf, simplify } from './form.ts';
import { neededBy } from './need.ts';
import { type PatternShape, shapesOf } from './shape.ts';

/** How the index handles a pattern. */
export type Analysis =
  /** It matches exactly where one of these shapes is found, so nothing has to be run. */
  | {
      readonly kind: 'complete';
      readonly shapes: readonly PatternShape[];
      /** Literals for a candidate, in case there is no room for the shapes. */
      readonly literals: () => readonly string[] | undefined;
    }
  /** It can match only where one of `literals` is found. If undefined, it can match anything. */
  | { readonly kind: 'candidate'; readonly literals: readonly string[] | undefined };

const LONGEST = 255;

export function analyse(root: Node): Analysis {
  const { form, exact } = simplify(root);
  const shapes = exact ? shapesOf(optionsOf(form)) : undefined;
  if (shapes?.every(isStorable)) return { kind: 'complete', shapes, literals: () => neededBy(form) };
  return { kind: 'candidate', literals: neededBy(form) };
}

/** The one literal that every match contains, as a list; undefined if there is none worth looking for. */
export function literalOfAll(root: Node): readonly string[] | undefined {
  return neededBy(simplify(root).form, 1);
}

function isStorable(shape: PatternShape): boolean {
  return (
    shape.strings.every((text) => text.length * 3 <= LONGEST || encodeFolded(text).length <= LONGEST) &&
    (matchesAnything(shape) || !shape.strings.includes(''))
  );
}

export function matchesAnything(shape: PatternShape): boolean {
  const { before, after } = shape.context;
  if (after !== 'anywhere' || !shape.strings.includes('')) return false;
  return before.kind === 'start' || (before.kind === 'anywhere' && before.minLength === 0);
}
