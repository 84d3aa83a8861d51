import type { AnchorKind, CharSet, Node } from '../ast.ts';
import { spend } from '../work.ts';
import { isAnchored, isNullable } from './shapes.ts';

/**
 * A pattern without back-references and conditionals as a flat program. Counted repeats are unrolled. Look-around,
 * atomic groups and possessive repeats are calls of a part of the program that directly follows the call and ends with
 * `accept`.
 */

export const OP = {
  /** Consumes a character of the set `a`. */
  character: 0,
  /** Continues at `a`. */
  jump: 1,
  /**
   * Continues at `a`, or else at `b`. `c` is the number of enclosing loops with empty rounds; `index` numbers the
   * splits.
   */
  split: 2,
  /** Tests the anchor `a`; word characters are ASCII only if `b`. */
  anchor: 3,
  accept: 4,
  /**
   * A call of kind `b` that continues at `a`. `c` is the width of a look-behind, or where to continue if an attempt
   * fails.
   */
  call: 5,
  /** Begins a round of a loop that can be empty; `a` is the number of such enclosing loops. */
  roundStart: 6,
  /** Ends a round. `b` is the address after the loop, where an empty round continues. */
  roundEnd: 7,
  /** Leaves the loop. */
  leave: 8,
} as const;

export const CALL = { look: 0, notLook: 1, atomic: 2, attempt: 3 } as const;

export const ANCHOR_KINDS: readonly AnchorKind[] = [
  'textStart',
  'textEnd',
  'textEndOrFinalNewline',
  'lineStart',
  'lineEnd',
  'wordBoundary',
  'notWordBoundary',
];

/** Numbers per instruction: op, a, b, c, index. */
export const STRIDE = 5;

const MAX_INSTRUCTIONS = 16_000;
const MAX_VISITS = 64_000;
/** Limit on what may have to be remembered for each position of a text. */
const MAX_CHOICES = 32_000;
/** More than the length of any text. */
const MAX_WIDTH = 0x3fff_ffff;

export interface Instructions {
  readonly code: Int32Array;
  readonly sets: readonly CharSet[];
  readonly splits: number;
  readonly calls: number;
  /** Maximum nesting of loops with empty rounds. */
  readonly loopDepth: number;
  /** True if a match can begin only at the start of the text. */
  readonly anchored: boolean;
}

/** The depth outside of all calls: only the existence of a match counts there, not the order of choices. */
export const OUTSIDE = -1;

class TooLarge extends Error {}

const TOO_LARGE = new TooLarge('Written out, the pattern is too large.');
/** In units of work, for each unrolled node. */
const NODE_WORK = 60;

/** An operand to be set to the address after a loop. */
type Exit = readonly [at: number, operand: 1 | 2];

/** Number of optional rounds of a repeat to unroll. */
function roundsOf(node: Node & { kind: 'repeat' }): number {
  return node.max === Number.POSITIVE_INFINITY ? 1 : node.max - node.min;
}

class ProgramCompiler {
  readonly code: number[] = [];
  readonly sets: CharSet[] = [];
  splits = 0;
  calls = 0;
  loopDepth = 0;
  private visits = 0;
  private readonly setIndexes = new Map<CharSet, number>();
  private readonly nullable = new Map<Node, boolean>();

  private get next(): number {
    return this.code.length;
  }

  private emit(op: number, a = 0, b = 0, c = 0, index = 0): number {
    if (this.code.length >= MAX_INSTRUCTIONS * STRIDE) throw TOO_LARGE;
    return this.code.push(op, a, b, c, index) - STRIDE;
  }

  private patch(at: number, operand: 1 | 2 | 3): void {
    this.code[at + operand] = this.code.length;
  }

  accept(): void {
    this.emit(OP.accept);
  }

  /** `depth`: number of loops with empty rounds around `node` within its call, or `OUTSIDE` if it is in no call. */
  node(node: Node, depth: number): void {
    if (++this.visits > MAX_VISITS) throw TOO_LARGE;
    spend(NODE_WORK);
    switch (node.kind) {
      case 'empty':
        break;
      case 'set':
        this.emit(OP.character, this.setIndex(node.chars));
        break;
      case 'anchor':
        this.emit(OP.anchor, ANCHOR_KINDS.indexOf(node.at), node.ascii ? 1 : 0);
        break;
      case 'sequence':
        for (const item of node.items) this.node(item, depth);
        break;
      case 'group':
        this.node(node.body, depth);
        break;
      default:
        this.branching(node, depth);
    }
  }

  private branching(node: Node, depth: number): void {
    switch (node.kind) {
      case 'alternatives':
        this.alternatives(node.options, depth);
        break;
      case 'repeat':
        if (node.mode === 'possessive') this.possessive(node);
        else this.repeat(node, depth);
        break;
      case 'atomic':
        this.call(CALL.atomic, node.body);
        break;
      case 'look':
        this.call(node.negative ? CALL.notLook : CALL.look, node.body, Math.min(node.width, MAX_WIDTH));
        break;
      default:
        throw TOO_LARGE;
    }
  }

  private setIndex(set: CharSet): number {
    const known = this.setIndexes.get(set);
    if (known !== undefined) return known;
    this.setIndexes.set(set, this.sets.length);
    return this.sets.push(set) - 1;
  }

  private isNullable(node: Node): boolean {
    const known = this.nullable.get(node);
    if (known !== undefined) return known;
    const nullable = isNullable(node);
    this.nullable.set(node, nullable);
    return nullable;
  }

  private alternatives(options: readonly Node[], depth: number): void {
    const ends: number[] = [];
    for (const [i, option] of options.entries()) {
      const last = i === options.length - 1;
      const at = last ? -1 : this.emit(OP.split, this.next + STRIDE, 0, depth, this.splits++);
      this.node(option, depth);
      if (last) break;
      ends.push(this.emit(OP.jump));
      this.patch(at, 2);
    }
    for (const end of ends) this.patch(end, 1);
  }

  private repeat(node: Node & { kind: 'repeat' }, depth: number): void {
    for (let i = 0; i < node.min; i++) this.node(node.body, depth);
    const nullable = depth !== OUTSIDE && this.isNullable(node.body);
    if (nullable) this.loopDepth = Math.max(this.loopDepth, depth + 1);
    const exits: Exit[] = [];
    const rounds = roundsOf(node);
    for (let i = 0; i < rounds; i++) exits.push(...this.round(node, depth, nullable));
    for (const [at, operand] of exits) this.patch(at, operand);
    if (nullable && rounds > 0) this.emit(OP.leave, depth);
  }

  /** Emits one round beyond the minimum; returns the exits from it. */
  private round(node: Node & { kind: 'repeat' }, depth: number, nullable: boolean): Exit[] {
    const start = this.next;
    const lazy = node.mode === 'lazy';
    const at = this.emit(OP.split, 0, 0, depth, this.splits++);
    const exits: Exit[] = [[at, lazy ? 1 : 2]];
    this.patch(at, lazy ? 2 : 1);
    if (nullable) this.emit(OP.roundStart, depth);
    this.node(node.body, nullable ? depth + 1 : depth);
    if (nullable) exits.push([this.emit(OP.roundEnd, depth), 2]);
    if (node.max === Number.POSITIVE_INFINITY) this.emit(OP.jump, start);
    return exits;
  }

  private call(kind: number, body: Node, width = 0): number {
    const at = this.emit(OP.call, 0, kind, width, this.calls++);
    this.node(body, 0);
    this.emit(OP.accept);
    this.patch(at, 1);
    return at;
  }

  private possessive(node: Node & { kind: 'repeat' }): void {
    for (let i = 0; i < node.min; i++) this.call(CALL.atomic, node.body);
    const exits: number[] = [];
    const rounds = roundsOf(node);
    for (let i = 0; i < rounds; i++) {
      const at = this.call(CALL.attempt, node.body);
      exits.push(at);
      if (node.max === Number.POSITIVE_INFINITY) this.code[at + 1] = at;
    }
    for (const at of exits) this.patch(at, 3);
  }
}

/**
 * Undefined if the unrolled pattern would be too large.
 * @param depth 0 if the order of choices matters, and with it the end of a match
 */
export function compileInstructions(
  root: Node,
  depth: 0 | typeof OUTSIDE = OUTSIDE,
): Instructions | undefined {
  const compiler = new ProgramCompiler();
  try {
    compiler.node(root, depth);
    compiler.accept();
  } catch (error) {
    if (error === TOO_LARGE) return undefined;
    throw error;
  }
  const { code, sets, splits, calls, loopDepth } = compiler;
  const isMemoised = calls > 0 || depth === 0;
  if (isMemoised && splits * (loopDepth + 1) > MAX_CHOICES) return undefined;
  return { code: Int32Array.from(code), sets, splits, calls, loopDepth, anchored: isAnchored(root) };
}
