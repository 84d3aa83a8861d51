import type { Positions } from '../analysis/positions.ts';
import { spend } from '../work.ts';

/** Transitions between positions: bits in words where possible, and `groups` for the rest. */
export interface Jumps {
  readonly shift: Int32Array;
  readonly loop: Int32Array;
  readonly skip: Int32Array;
  readonly jumping: Int32Array;
  /**
   * For each word the offset of its groups in this array, plus one offset for their end; then groups of three numbers
   * (bits with equal jumps, start and end of their targets); then targets, each a word and its bits.
   */
  readonly groups: Int32Array;
}

interface JumpGroup {
  mask: number;
  readonly targets: readonly number[];
}

const EDGE_WORK = 8;

export function jumpsOf(positions: Positions, words: number): Jumps {
  const { follow } = positions;
  const edges = follow.reduce((sum, next) => sum + next.length, 0);
  spend(edges * EDGE_WORK + follow.length * 100);
  const [shift, loop, jumping] = [new Int32Array(words), new Int32Array(words), new Int32Array(words)];
  const skips = skippable(positions);
  const groups: JumpGroup[][] = Array.from({ length: words }, () => []);
  const byTargets = Array.from({ length: words }, () => new Map<string, JumpGroup>());
  follow.forEach((next, p) => {
    const bit = 1 << (p & 31);
    const word = p >>> 5;
    const rest = next.filter((q, i) => {
      if (q === p) loop[word]! |= bit;
      if (q === p + 1) shift[word]! |= bit;
      return q !== p && q !== p + 1 && !(next[i - 1] === q - 1 && skips[q - 1] === 1);
    });
    if (rest.length === 0) return;
    jumping[word]! |= bit;
    const targets = targetsOf(rest);
    const name = targets.join();
    const known = byTargets[word]!.get(name);
    if (known !== undefined) known.mask |= bit;
    else {
      const group = { mask: bit, targets };
      byTargets[word]!.set(name, group);
      groups[word]!.push(group);
    }
  });
  return { shift, loop, jumping, skip: bitsOf(skips, words), groups: flattened(groups) };
}

/** Positions that can be left out: all predecessors of one of them lead to its successor, too. */
function skippable({ follow, first, firstLater }: Positions): Uint8Array {
  const skips = new Uint8Array(follow.length).fill(1);
  skips[follow.length - 1] = 0;
  for (const next of [...follow, first, firstLater]) {
    next.forEach((q, i) => {
      if (next[i + 1] !== q + 1) skips[q] = 0;
    });
  }
  return skips;
}

function bitsOf(flags: Uint8Array, words: number): Int32Array {
  const bits = new Int32Array(words);
  flags.forEach((flag, p) => {
    if (flag === 1) bits[p >>> 5]! |= 1 << (p & 31);
  });
  return bits;
}

/** Words and their bits, alternating. */
function targetsOf(next: readonly number[]): number[] {
  const targets: number[] = [];
  for (const q of next) {
    const at = targets.length - 2;
    if (at >= 0 && targets[at] === q >>> 5) targets[at + 1]! |= 1 << (q & 31);
    else targets.push(q >>> 5, 1 << (q & 31));
  }
  return targets;
}

function flattened(groups: readonly (readonly JumpGroup[])[]): Int32Array {
  const count = groups.reduce((sum, list) => sum + list.length, 0);
  const all = groups.flat();
  const targetsAt = groups.length + 1 + count * 3;
  const size = all.reduce((sum, { targets }) => sum + targets.length, targetsAt);
  const flat = new Int32Array(size);
  let group = groups.length + 1;
  let target = targetsAt;
  groups.forEach((list, word) => {
    flat[word] = group;
    for (const { mask, targets } of list) {
      flat.set([mask, target, target + targets.length], group);
      flat.set(targets, target);
      group += 3;
      target += targets.length;
    }
  });
  flat[groups.length] = group;
  return flat;
}
