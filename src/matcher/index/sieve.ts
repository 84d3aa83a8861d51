import { ENDS, positionsOf } from '../analysis/positions.ts';
import type { CharSet, Node } from '../ast.ts';
import { isNullable } from '../run/shapes.ts';
import { contains, EVERYTHING } from '../syntax/charset.ts';
import { spend } from '../work.ts';
import { type BitLayout, layOut } from './bit-layout.ts';

/**
 * A regular pattern that finds at least what a given one finds. What a sieve lets through has still to be run; what it
 * holds back need not be, and a thousand sieves run as one automaton.
 */

/** In units of work: a node that is made again. */
const NODE_WORK = 300;

const EMPTY: Node = { kind: 'empty' };
const ANYTHING: Node = {
  kind: 'repeat',
  body: { kind: 'set', chars: EVERYTHING },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  mode: 'greedy',
};

/** Characters beyond ASCII that letter case ties to a letter of ASCII. */
const TIES: readonly (readonly [letter: string, others: readonly number[]])[] = [
  ['i', [0x130, 0x131]],
  ['k', [0x212a]],
  ['s', [0x17f]],
];
const TIED = TIES.flatMap(([, others]) => others);

/** Whether a set holds of each letter all cases or none, as far as can be told easily. */
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

/** What a group can have caught, wherever it stands: without anchors, and in whatever case. */
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

/** Takes out of a tree what is not regular, so that it finds no less. */
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
        // For the groups in it, which may be referred to.
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

  /** Where nothing need follow a look-ahead, what it asks for can stand in its place. */
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

/** The sieve of a pattern, laid out for a union; undefined where there is none that would hold anything back. */
export function sieveOf(root: Node): BitLayout | undefined {
  const positions = positionsOf(new Loosener().loosenWhole(root));
  if (positions === undefined) return undefined;
  const holdsBack = positions.emptyLater === 0 && (positions.emptyAtStart & ENDS.always) === 0;
  return holdsBack ? layOut(positions) : undefined;
}
