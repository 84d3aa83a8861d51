import type { Node } from '../ast.ts';
import { EVERYTHING } from '../syntax/charset.ts';
import { isRegular } from './shapes.ts';

/**
 * A pattern for the linear engines that matches at least what a given one matches, so that the backtracker can skip
 * what it rejects. Back-references may match anything, and large counts are unlimited.
 */

const LARGE = 4;
const ANYTHING: Node = {
  kind: 'repeat',
  body: { kind: 'set', chars: EVERYTHING },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  mode: 'greedy',
};

function isLarge(node: Node & { kind: 'repeat' }): boolean {
  return (
    node.body.kind !== 'set' &&
    (node.min > LARGE || (node.max > LARGE && node.max !== Number.POSITIVE_INFINITY))
  );
}

/** True if a node is kept unchanged. Replaced nodes must not make the surrounding pattern match less. */
function isKept(node: Node): boolean {
  switch (node.kind) {
    case 'sequence':
      return node.items.every(isKept);
    case 'alternatives':
      return node.options.every(isKept);
    case 'repeat':
      return !isLarge(node) && isKept(node.body);
    case 'group':
    case 'atomic':
    case 'look':
      return isKept(node.body);
    default:
      return isRegular(node);
  }
}

function looseRepeat(node: Node & { kind: 'repeat' }): Node {
  const body = skeletonOf(node.body);
  const mode = 'greedy';
  if (!isLarge(node)) return { ...node, body, mode };
  return { kind: 'repeat', body, mode, min: Math.min(node.min, LARGE), max: Number.POSITIVE_INFINITY };
}

function looseLook(node: Node & { kind: 'look' }): Node {
  return node.negative ? { kind: 'empty' } : { ...node, body: skeletonOf(node.body) };
}

export function skeletonOf(node: Node): Node {
  switch (node.kind) {
    case 'backreference':
      return ANYTHING;
    case 'conditional':
      return { kind: 'alternatives', options: [skeletonOf(node.yes), skeletonOf(node.no)] };
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(skeletonOf) };
    case 'alternatives':
      return { kind: 'alternatives', options: node.options.map(skeletonOf) };
    case 'group':
      return skeletonOf(node.body);
    case 'atomic':
      return isKept(node) ? node : skeletonOf(node.body);
    case 'look':
      return isKept(node) ? node : looseLook(node);
    case 'repeat':
      return isKept(node) ? node : looseRepeat(node);
    default:
      return node;
  }
}
