import type { CharSet, Node, ParsedPattern, RepeatMode } from '../ast.ts';
import { ANCHOR_KINDS } from './instructions.ts';
import { isAnchored, isRegular } from './shapes.ts';

/** A pattern as code for the backtracker: the instructions of CPython's sre, with counters for counted repeats. */

export const SRE = {
  set: 0,
  anchor: 1,
  mark: 2,
  branch: 3,
  jump: 4,
  repeatOne: 5,
  minRepeatOne: 6,
  possessiveOne: 7,
  repeat: 8,
  maxUntil: 9,
  minUntil: 10,
  possessive: 11,
  atomic: 12,
  assert: 13,
  assertNot: 14,
  groupref: 15,
  groupExists: 16,
  success: 17,
} as const;

/** No upper bound. */
export const UNBOUNDED = 0x7fff_ffff;
/** More than the length of any text. */
const MAX_WIDTH = 0x3fff_ffff;

export interface BacktrackCode {
  readonly code: Int32Array;
  readonly sets: readonly CharSet[];
  readonly groupCount: number;
  readonly anchored: boolean;
}

const ONE_OPS: Record<RepeatMode, number> = {
  greedy: SRE.repeatOne,
  lazy: SRE.minRepeatOne,
  possessive: SRE.possessiveOne,
};

class SreCompiler {
  readonly code: number[] = [];
  readonly sets: CharSet[] = [];
  private readonly setIndexes = new Map<CharSet, number>();
  /** True if the matches of groups matter. */
  private readonly marking: boolean;

  constructor(marking: boolean) {
    this.marking = marking;
  }

  private setIndex(set: CharSet): number {
    const known = this.setIndexes.get(set);
    if (known !== undefined) return known;
    this.setIndexes.set(set, this.sets.length);
    return this.sets.push(set) - 1;
  }

  node(node: Node): void {
    const { code } = this;
    switch (node.kind) {
      case 'empty':
        break;
      case 'set':
        code.push(SRE.set, this.setIndex(node.chars));
        break;
      case 'anchor':
        code.push(SRE.anchor, ANCHOR_KINDS.indexOf(node.at), node.ascii ? 1 : 0);
        break;
      case 'sequence':
        for (const item of node.items) this.node(item);
        break;
      case 'backreference':
        code.push(SRE.groupref, node.group - 1, foldingNumber(node.ignoreCase, node.ascii));
        break;
      case 'group':
        this.group(node);
        break;
      default:
        this.compound(node);
    }
  }

  private group(node: Node & { kind: 'group' }): void {
    if (this.marking) this.code.push(SRE.mark, (node.index - 1) * 2);
    this.node(node.body);
    if (this.marking) this.code.push(SRE.mark, (node.index - 1) * 2 + 1);
  }

  private compound(
    node: Exclude<Node, { kind: 'empty' | 'set' | 'anchor' | 'sequence' | 'backreference' | 'group' }>,
  ): void {
    switch (node.kind) {
      case 'alternatives':
        this.branch(node.options);
        break;
      case 'repeat':
        this.repeat(node);
        break;
      case 'atomic':
        this.enclosed([SRE.atomic, 0], node.body);
        break;
      case 'look': {
        const width = Math.min(node.width, MAX_WIDTH);
        this.enclosed([node.negative ? SRE.assertNot : SRE.assert, 0, width], node.body);
        break;
      }
      case 'conditional':
        this.conditional(node);
    }
  }

  /** Emits `head`, whose second number becomes the address after it all, then `body`, then its success. */
  private enclosed(head: readonly number[], body: Node): void {
    const { code } = this;
    const at = code.length;
    code.push(...head);
    this.node(body);
    code.push(SRE.success);
    code[at + 1] = code.length;
  }

  /** Emits `branch`, then each option after the address of the next one; 0 ends them. */
  private branch(options: readonly Node[]): void {
    const { code } = this;
    const ends: number[] = [];
    code.push(SRE.branch);
    for (const option of options) {
      const at = code.push(0) - 1;
      this.node(option);
      code.push(SRE.jump, 0);
      ends.push(code.length - 1);
      code[at] = code.length;
    }
    code.push(0);
    for (const end of ends) code[end] = code.length;
  }

  private repeat(node: Node & { kind: 'repeat' }): void {
    const { code } = this;
    const { body, min, mode } = node;
    const max = node.max === Number.POSITIVE_INFINITY ? UNBOUNDED : node.max;
    if (body.kind === 'set') {
      code.push(ONE_OPS[mode], this.setIndex(body.chars), min, max);
    } else if (mode === 'possessive') {
      this.enclosed([SRE.possessive, 0, min, max], body);
    } else {
      const at = code.length;
      code.push(SRE.repeat, 0, min, max);
      this.node(body);
      code[at + 1] = code.length;
      code.push(mode === 'greedy' ? SRE.maxUntil : SRE.minUntil);
    }
  }

  private conditional(node: Node & { kind: 'conditional' }): void {
    const { code } = this;
    const at = code.length;
    code.push(SRE.groupExists, node.group - 1, 0);
    this.node(node.yes);
    code.push(SRE.jump, 0);
    const end = code.length - 1;
    code[at + 2] = code.length;
    this.node(node.no);
    code[end] = code.length;
  }
}

function foldingNumber(ignoreCase: boolean, ascii: boolean): number {
  if (!ignoreCase) return 0;
  return ascii ? 1 : 2;
}

export function compileBacktracking(pattern: ParsedPattern): BacktrackCode {
  const compiler = new SreCompiler(!isRegular(pattern.root));
  compiler.node(pattern.root);
  compiler.code.push(SRE.success);
  const { code, sets } = compiler;
  const { root, groupCount } = pattern;
  return { code: Int32Array.from(code), sets, groupCount, anchored: isAnchored(root) };
}
