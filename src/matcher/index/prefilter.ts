import { ENDS, positionsOf } from '../analysis/positions.ts';
import type { CharSet, Node } from '../ast.ts';
import { isNullable } from '../run/shapes.ts';
import { contains, EVERYTHING } from '../syntax/charset.ts';
import { spend } from '../work.ts';
import { type BitLayout, layOut } from './bit-layout.ts';

/**
 * A sieve is a regular pattern that matches at least what a given pattern matches. What passes it still has to be run;
 * what it rejects does not, and a thousand sieves run as one automaton.
 */

/** In units of work, for each rebuilt node. */
const NODE_WORK = 300;

const EMPTY: Node = { kind: 'empty' };
const ANYTHING: Node = {
  kind: 'repeat',
  body: { kind: 'set', chars: EVERYTHING },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  mode: 'greedy',
};

/** Non-ASCII characters that share a letter case class with an ASCII letter. */
const TIES: readonly (readonly [letter: string, others: readonly number[]])[] = [
  ['i', [0x130, 0x131]],
  ['k', [0x212a]],
  ['s', [0x17f]],
];
const TIED = TIES.flatMap(([, others]) => others);

/** True if the set has all cases or none of each letter, as far as is cheap to determine. */
function isClosedUnderCase(set: CharSet): boolean {
  for (let upper = 0x41; upper <= 0x5a; upper++) {
    if (contains(set, upper) !== contains(set, upper + 0x20)) return false;
  }
  for (const [letter, others] of TIES) {
    const holds = contains(set, letter.charCodeAt(0));
    if (others.some((other) => contains(set, other) !== holds)) return false;
  }
  return isAllOrNothingBeyondAscii(set);
}

function isAllOrNothingBeyondAscii(set: CharSet): boolean {
  const last = set.at(-1) ?? 0;
  if (last < 0x80) return true;
  const from = set.at(-2)!;
  if (last === 0x10ffff && from <= 0x80) return true;
  for (let at = 0; at < set.length; at += 2) {
    for (let code = Math.max(set[at]!, 0x80); code <= set[at + 1]!; code++) {
      if (!TIED.includes(code)) return false;
    }
  }
  return true;
}

/** Matches anything that a group can have captured: without anchors, and in any case. */
function caughtBy(node: Node): Node {
  spend(NODE_WORK);
  switch (node.kind) {
    case 'set':
      return isClosedUnderCase(node.chars) ? node : { kind: 'set', chars: EVERYTHING };
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(caughtBy) };
    case 'alternatives':
      return { kind: 'alternatives', options: node.options.map(caughtBy) };
    case 'repeat':
      return { ...node, body: caughtBy(node.body) };
    default:
      return EMPTY;
  }
}

/** Replaces irregular parts of a tree, so that it matches no less. */
class Loosener {
  private readonly caught = new Map<number, Node>();

  loosen(node: Node): Node {
    spend(NODE_WORK);
    switch (node.kind) {
      case 'sequence':
        return { kind: 'sequence', items: node.items.map((item) => this.loosen(item)) };
      case 'alternatives':
        return { kind: 'alternatives', options: node.options.map((option) => this.loosen(option)) };
      case 'group':
        return this.loosenGroup(node);
      case 'repeat':
        return { ...node, body: this.loosen(node.body), mode: 'greedy' };
      case 'atomic':
        return this.loosen(node.body);
      case 'look':
        // Visited for its groups, which may be referenced.
        this.loosen(node.body);
        return EMPTY;
      case 'backreference':
        return this.caught.get(node.group) ?? ANYTHING;
      case 'conditional':
        return { kind: 'alternatives', options: [this.loosen(node.yes), this.loosen(node.no)] };
      case 'anchor':
        return /^text/.test(node.at) ? node : EMPTY;
      default:
        return node;
    }
  }

  private loosenGroup({ index, body }: Node & { kind: 'group' }): Node {
    const loose = this.loosen(body);
    this.caught.set(index, caughtBy(loose));
    return loose;
  }

  /** If nothing need follow a look-ahead, its body can take its place. */
  loosenWhole(root: Node): Node {
    if (root.kind === 'alternatives') {
      return { kind: 'alternatives', options: root.options.map((option) => this.loosenWhole(option)) };
    }
    const loose = this.loosen(root);
    if (root.kind !== 'sequence' || !isNullable(loose)) return loose;
    const at = root.items.findIndex((item) => item.kind === 'look' && !item.behind && !item.negative);
    const look = root.items[at];
    if (look?.kind !== 'look') return loose;
    const before = root.items.slice(0, at).map((item) => this.loosen(item));
    return { kind: 'sequence', items: [...before, this.loosen(look.body)] };
  }
}

/** The sieve of a pattern as a layout; undefined if no sieve would reject anything. */
export function prefilterOf(root: Node): BitLayout | undefined {
  const positions = positionsOf(new Loosener().loosenWhole(root));
  if (positions === undefined) return undefined;
  const holdsBack = positions.emptyLater === 0 && (positions.emptyAtStart & ENDS.always) === 0;
  return holdsBack ? layOut(positions) : undefined;
}
