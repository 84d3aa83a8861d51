import type { CharSet, Node } from '../ast.ts';
import { contains } from '../syntax/charset.ts';
import { spend } from '../work.ts';
import { withJoinedRepeats } from './regular-form.ts';

/** When a match may end after a position. */
export const ENDS = { always: 1, finalEnd: 2, end: 4 } as const;

/**
 * A regular pattern as its positions: each character it can consume, and which ones may follow. Only characters,
 * alternatives, repeats and the ends of the text can be expressed; other patterns have no such automaton.
 */
export interface Positions {
  readonly sets: readonly CharSet[];
  readonly first: readonly number[];
  /** Positions at which a match may begin anywhere but at the start of the text. */
  readonly firstLater: readonly number[];
  readonly follow: readonly (readonly number[])[];
  /** ENDS bits for each position, and for the empty match at the start and elsewhere. */
  readonly ends: readonly number[];
  readonly emptyAtStart: number;
  readonly emptyLater: number;
}

const MAX_STATES = 8192;
const MAX_POSITIONS = 2048;
const MAX_EDGES = 40_000;
/** In units of work: for a state, and for following an empty edge. */
const STATE_WORK = 100;
const EDGE_WORK = 12;
const NEWLINE = 10;
const ACCEPT = 0;

class NotRegular extends Error {}

const NOT_REGULAR = new NotRegular('The pattern has no such automaton.');

type AnchorCondition = 'start' | 'finalEnd' | 'end' | undefined;

interface Edge {
  readonly to: number;
  readonly when: AnchorCondition;
}

/** Builds the automaton of a pattern; undefined if it has none, or if it would be too large. */
export function positionsOf(root: Node): Positions | undefined {
  try {
    const graph = new Graph();
    const begin = graph.state();
    graph.link(graph.build(withJoinedRepeats(root), begin), ACCEPT);
    return new Closures(graph).positions(begin);
  } catch (error) {
    if (error === NOT_REGULAR) return undefined;
    throw error;
  }
}

/** The pattern as a graph of states with empty edges. Some states consume a character and lead to one other state. */
class Graph {
  readonly edges: Edge[][] = [[]];
  readonly sets: (CharSet | undefined)[] = [undefined];
  readonly consumers: number[] = [];

  state(): number {
    if (this.edges.length >= MAX_STATES) throw NOT_REGULAR;
    spend(STATE_WORK);
    this.sets.push(undefined);
    return this.edges.push([]) - 1;
  }

  link(from: number, to: number, when?: AnchorCondition): void {
    this.edges[from]!.push({ to, when });
  }

  /** Adds a node after a state and returns the state after the node. */
  build(node: Node, from: number): number {
    switch (node.kind) {
      case 'empty':
        return from;
      case 'set':
        return this.consume(node.chars, from);
      case 'group':
        return this.build(node.body, from);
      case 'sequence':
        return node.items.reduce((state, item) => this.build(item, state), from);
      case 'alternatives':
        return this.alternatives(node.options, from);
      case 'repeat':
        return this.repeat(node, from);
      case 'anchor':
        return this.anchor(node, from);
      default:
        throw NOT_REGULAR;
    }
  }

  private consume(chars: CharSet, from: number): number {
    if (this.consumers.length >= MAX_POSITIONS) throw NOT_REGULAR;
    const consumer = this.state();
    this.sets[consumer] = chars;
    this.consumers.push(consumer);
    this.link(from, consumer);
    return consumer;
  }

  private alternatives(options: readonly Node[], from: number): number {
    const out = this.state();
    for (const option of options) {
      const begin = this.state();
      this.link(from, begin);
      this.link(this.build(option, begin), out);
    }
    return out;
  }

  private repeat(node: Node & { kind: 'repeat' }, from: number): number {
    if (node.mode === 'possessive') throw NOT_REGULAR;
    let state = from;
    for (let i = 0; i < node.min; i++) state = this.fresh(node.body, state);
    const out = this.state();
    if (node.max === Infinity) {
      const again = this.state();
      this.link(state, again);
      this.link(this.fresh(node.body, again), again);
      this.link(again, out);
      return out;
    }
    for (let i = node.min; i < node.max; i++) {
      this.link(state, out);
      state = this.fresh(node.body, state);
    }
    this.link(state, out);
    return out;
  }

  /** Copies a body behind a state of its own, so that edges back into it stay separate. */
  private fresh(body: Node, from: number): number {
    const begin = this.state();
    this.link(from, begin);
    return this.build(body, begin);
  }

  private anchor(node: Node & { kind: 'anchor' }, from: number): number {
    const out = this.state();
    if (node.at === 'textStart') this.link(from, out, 'start');
    else if (node.at === 'textEnd') this.link(from, out, 'end');
    else if (node.at === 'textEndOrFinalNewline') this.link(from, out, 'finalEnd');
    else throw NOT_REGULAR;
    return out;
  }
}

interface Closure {
  readonly next: readonly number[];
  readonly ends: number;
}

/** Computes which positions are reachable over empty edges. */
class Closures {
  private readonly graph: Graph;
  private readonly numbers: Int32Array;
  private readonly seen: Int32Array;
  private round = 0;
  private edges = 0;
  private next: number[] = [];
  private ends = 0;

  constructor(graph: Graph) {
    this.graph = graph;
    this.numbers = new Int32Array(graph.edges.length);
    this.seen = new Int32Array(graph.edges.length * 3);
    graph.consumers.forEach((consumer, number) => {
      this.numbers[consumer] = number;
    });
  }

  positions(begin: number): Positions {
    const { consumers, sets } = this.graph;
    const atStart = this.close(begin, true);
    const later = this.close(begin, false);
    const behind = consumers.map((consumer) => this.close(consumer, false));
    return {
      sets: consumers.map((consumer) => sets[consumer]!),
      first: atStart.next,
      firstLater: later.next,
      follow: behind.map((closure) => closure.next),
      ends: behind.map((closure) => closure.ends),
      emptyAtStart: atStart.ends,
      emptyLater: later.ends,
    };
  }

  private close(from: number, atStart: boolean): Closure {
    this.round++;
    this.next = [];
    this.ends = 0;
    const stack: number[] = [];
    this.spread(from, 0, atStart, stack);
    while (stack.length > 0) {
      const place = stack.pop()!;
      this.visit(Math.floor(place / 3), place % 3, atStart, stack);
    }
    this.edges += this.next.length;
    if (this.edges > MAX_EDGES) throw NOT_REGULAR;
    return { next: this.next.sort((a, b) => a - b), ends: this.ends };
  }

  /** `past`: 0 before any end of the text, 1 after a `$`, 2 after a `\Z`. */
  private visit(state: number, past: number, atStart: boolean, stack: number[]): void {
    if (state === ACCEPT) {
      this.ends |= [ENDS.always, ENDS.finalEnd, ENDS.end][past]!;
      return;
    }
    const set = this.graph.sets[state];
    if (set === undefined) this.spread(state, past, atStart, stack);
    else if (past === 0) this.next.push(this.numbers[state]!);
    else if (past === 1 && contains(set, NEWLINE)) throw NOT_REGULAR;
  }

  private spread(state: number, past: number, atStart: boolean, stack: number[]): void {
    spend(EDGE_WORK * (1 + this.graph.edges[state]!.length));
    for (const edge of this.graph.edges[state]!) {
      if (edge.when === 'start' && !atStart) continue;
      const place = edge.to * 3 + pastEdge(past, edge.when);
      if (this.seen[place] === this.round) continue;
      this.seen[place] = this.round;
      stack.push(place);
    }
  }
}

function pastEdge(past: number, when: AnchorCondition): number {
  if (when === 'end') return 2;
  return when === 'finalEnd' && past === 0 ? 1 : past;
}
