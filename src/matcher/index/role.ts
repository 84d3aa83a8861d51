import { positionsOf } from '../analysis/positions.ts';
import type { Node, ParsedPattern } from '../ast.ts';
import { parsePattern } from '../syntax/parse.ts';
import { within } from '../work.ts';
import { type BitLayout, layOut } from './bit-layout.ts';
import { PREFILTER_WORK } from './budget.ts';
import { prefilterOf } from './prefilter.ts';

/** How a pattern is run: as itself, or behind a sieve. Without a layout, it always runs individually. */
export interface Role {
  readonly layout: BitLayout | undefined;
  /** True if a hit of the layout is not a match yet, and the pattern has to be run. */
  readonly prefilters: boolean;
}

const ALONE: Role = { layout: undefined, prefilters: true };

export function layoutOf(root: Node): BitLayout | undefined {
  const positions = positionsOf(root);
  return positions && layOut(positions);
}

/** Identical in all processes, because the charge for a pattern depends on it. */
export function roleOf({ root }: ParsedPattern): Role {
  const layout = layoutOf(root);
  if (layout !== undefined) return { layout, prefilters: false };
  const prefilter = within(PREFILTER_WORK, () => prefilterOf(root))?.value;
  return prefilter === undefined ? ALONE : { layout: prefilter, prefilters: true };
}

export function roleOfSource(source: string): Role {
  return roleOf(parsePattern(source));
}
