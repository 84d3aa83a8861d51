import type { CharSet, Node } from '../ast.ts';

/**
 * Rewrites nested repeats of one character as one repeat, and joins neighbours of the same character: `(?:x?){200}` and
 * `(?:x?x?){100}` become `x{0,200}`. The result matches the same strings, but the order of choices is lost, so it is
 * only for automata.
 */
export function withJoinedRepeats(node: Node): Node {
  switch (node.kind) {
    case 'group':
      return withJoinedRepeats(node.body);
    case 'sequence':
      return joinedSequence(node.items);
    case 'alternatives':
      return { kind: 'alternatives', options: node.options.map(withJoinedRepeats) };
    case 'repeat':
      return node.mode === 'possessive'
        ? node
        : joinedRepeat(withJoinedRepeats(node.body), node.min, node.max);
    default:
      return node;
  }
}

/** Texts are shorter. A minimum of this many can never be reached, and a maximum of this many counts as unlimited. */
const MANY = 255;

interface CountedSet {
  readonly chars: CharSet;
  readonly min: number;
  readonly max: number;
}

/** A node as a repeat of one character; undefined if it is not. */
function counted(node: Node): CountedSet | undefined {
  if (node.kind === 'set') return { chars: node.chars, min: 1, max: 1 };
  if (node.kind !== 'repeat' || node.mode === 'possessive' || node.body.kind !== 'set') return undefined;
  return { chars: node.body.chars, min: node.min, max: node.max };
}

function repeatOf({ chars, min, max }: CountedSet): Node {
  if (min === 1 && max === 1) return { kind: 'set', chars };
  return {
    kind: 'repeat',
    body: { kind: 'set', chars },
    min: Math.min(min, MANY),
    max: max > MANY ? Number.POSITIVE_INFINITY : max,
    mode: 'greedy',
  };
}

function joinedRepeat(body: Node, min: number, max: number): Node {
  const inner = body.kind === 'repeat' ? counted(body) : undefined;
  if (inner === undefined || max === 0 || inner.max === 0 || hasGaps(inner, min, max)) {
    return { kind: 'repeat', body, min, max, mode: 'greedy' };
  }
  return repeatOf({ chars: inner.chars, min: inner.min * min, max: inner.max * max });
}

/** True if some count between the minimum and maximum of `(x{a,b}){min,max}` cannot be reached. */
function hasGaps(inner: CountedSet, min: number, max: number): boolean {
  if (min === max) return false;
  if (min === 0) return inner.min > 1;
  return min * (inner.max - inner.min) + 1 < inner.min;
}

function joinedSequence(items: readonly Node[]): Node {
  const joined: Node[] = [];
  for (const item of items) {
    const node = withJoinedRepeats(item);
    const last = joined.at(-1);
    const both = last && bothOf(last, node);
    if (both === undefined) joined.push(node);
    else joined[joined.length - 1] = both;
  }
  return joined.length === 1 ? joined[0]! : { kind: 'sequence', items: joined };
}

/** Joins two neighbours into one repeat if they repeat the same character. */
function bothOf(one: Node, other: Node): Node | undefined {
  if (one.kind === 'set' && other.kind === 'set') return undefined;
  const [left, right] = [counted(one), counted(other)];
  if (left === undefined || right === undefined || !isSame(left.chars, right.chars)) return undefined;
  return repeatOf({ chars: left.chars, min: left.min + right.min, max: left.max + right.max });
}

function isSame(one: CharSet, other: CharSet): boolean {
  return one === other || (one.length === other.length && one.every((code, i) => code === other[i]));
}
