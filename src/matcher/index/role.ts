import { positionsOf } from '../analysis/positions.ts';
import type { Node, ParsedPattern } from '../ast.ts';
import { parsePattern } from '../syntax/parse.ts';
import { within } from '../work.ts';
import { type BitLayout, layOut } from './bit-layout.ts';
import { SIEVE_WORK } from './budget.ts';
import { sieveOf } from './sieve.ts';

/** How a pattern is run: as itself, or behind a sieve. Without a layout, it always runs individually. */
export interface Role {
  readonly layout: BitLayout | undefined;
  /** True if a hit of the layout is not a match yet, and the pattern has to be run. */
  readonly sieves: boolean;
}

const ALONE: Role = { layout: undefined, sieves: true };

export function layoutOf(root: Node): BitLayout | undefined {
  const positions = positionsOf(root);
  return positions && layOut(positions);
}

/** Identical in all processes, because the charge for a pattern depends on it. */
export function roleOf({ root }: ParsedPattern): Role {
  const layout = layoutOf(root);
  if (layout !== undefined) return { layout, sieves: false };
  const sieve = within(SIEVE_WORK, () => sieveOf(root))?.value;
  return sieve === undefined ? ALONE : { layout: sieve, sieves: true };
}

export function roleOfSource(source: string): Role {
  return roleOf(parsePattern(source));
}
