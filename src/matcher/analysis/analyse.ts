import type { Node } from '../ast.ts';
import { encodeFolded } from './fold.ts';
import { optionsOf, simplify } from './form.ts';
import { neededBy } from './need.ts';
import { type Shape, shapesOf } from './shape.ts';

/** What the index has to know of a pattern. */
export type Analysis =
  /** It matches exactly where one of these is found: nothing more has to be run. */
  | {
      readonly kind: 'complete';
      readonly shapes: readonly Shape[];
      /** What a candidate would need, should there be no room for the shapes. */
      readonly literals: () => readonly string[] | undefined;
    }
  /** It can match only where one of `literals` is found; without them it can match anything. */
  | { readonly kind: 'candidate'; readonly literals: readonly string[] | undefined };

const LONGEST = 255;

export function analyse(root: Node): Analysis {
  const { form, exact } = simplify(root);
  const shapes = exact ? shapesOf(optionsOf(form)) : undefined;
  if (shapes?.every(isStorable)) return { kind: 'complete', shapes, literals: () => neededBy(form) };
  return { kind: 'candidate', literals: neededBy(form) };
}

/** The literal that every match has, as a list, where there is one worth looking for. */
export function literalOfAll(root: Node): readonly string[] | undefined {
  return neededBy(simplify(root).form, 1);
}

function isStorable(shape: Shape): boolean {
  return (
    shape.strings.every((text) => text.length * 3 <= LONGEST || encodeFolded(text).length <= LONGEST) &&
    (matchesAnything(shape) || !shape.strings.includes(''))
  );
}

export function matchesAnything(shape: Shape): boolean {
  const { before, after } = shape.context;
  if (after !== 'anywhere' || !shape.strings.includes('')) return false;
  return before.kind === 'start' || (before.kind === 'anywhere' && before.least === 0);
}
