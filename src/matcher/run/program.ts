import type { Node, ParsedPattern } from '../ast.ts';
import { Automaton } from './automaton.ts';
import { locateCode } from './backtrack.ts';
import type { SearchResult, StepBudget } from './budget.ts';
import type { Instructions } from './instructions.ts';
import { compileInstructions } from './instructions.ts';
import { Membership } from './membership.ts';
import { locateMemoised } from './memo.ts';
import type { BacktrackCode } from './opcodes.ts';
import { compileBacktracking } from './opcodes.ts';
import { isRegular } from './shapes.ts';
import { skeletonOf } from './skeleton.ts';
import type { Text, TextSpan } from './text.ts';

/** A compiled pattern. */
export interface Program {
  /** True if it has no back-references and no conditionals. */
  readonly regular: boolean;
  /** True if its searches always take time at most linear in the length of the text. */
  readonly linear: boolean;
  /** Approximate memory in bytes, without the states of automata. */
  readonly size: number;
  search(text: Text, budget: StepBudget): SearchResult;
}

function resultOf(found: TextSpan | 'miss' | 'exhausted'): SearchResult {
  return typeof found === 'string' ? found : 'match';
}

class AutomatonProgram implements Program {
  readonly regular = true;
  readonly linear = true;
  readonly size: number;
  private readonly automaton: Automaton;

  constructor(instructions: Instructions) {
    this.size = 1000 + instructions.code.length * 6;
    this.automaton = new Automaton(instructions);
  }

  search(text: Text, budget: StepBudget): SearchResult {
    return this.automaton.search(text, budget);
  }
}

class MemoisedProgram implements Program {
  readonly regular = true;
  readonly linear = true;
  readonly size: number;
  private readonly instructions: Instructions;
  private readonly members: Membership;

  constructor(instructions: Instructions) {
    this.size = 1000 + instructions.code.length * 4 + instructions.sets.length * 128;
    this.instructions = instructions;
    this.members = new Membership(instructions.sets);
  }

  search(text: Text, budget: StepBudget): SearchResult {
    return resultOf(locateMemoised(this.instructions, this.members, text, budget));
  }
}

class BacktrackingProgram implements Program {
  readonly regular: boolean;
  readonly linear = false;
  readonly size: number;
  private readonly code: BacktrackCode;
  private readonly members: Membership;
  private readonly skeleton: Program | undefined;

  constructor(pattern: ParsedPattern, regular: boolean, skeleton: Program | undefined) {
    this.regular = regular;
    this.skeleton = skeleton;
    this.code = compileBacktracking(pattern);
    this.members = new Membership(this.code.sets);
    this.size = 1000 + this.code.code.length * 4 + this.code.sets.length * 128 + (skeleton?.size ?? 0);
  }

  search(text: Text, budget: StepBudget): SearchResult {
    const likely = this.skeleton?.search(text, budget) ?? 'match';
    if (likely !== 'match') return likely;
    return resultOf(locateCode(this.code, this.members, text, budget));
  }
}

function compileLinear(root: Node): Program | undefined {
  const instructions = compileInstructions(root);
  if (instructions === undefined) return undefined;
  return instructions.calls === 0 ? new AutomatonProgram(instructions) : new MemoisedProgram(instructions);
}

/** Compiles a pattern. If its regular form would be too large, the backtracker runs it. */
export function compileProgram(pattern: ParsedPattern): Program {
  const regular = isRegular(pattern.root);
  const linear = regular ? compileLinear(pattern.root) : undefined;
  return linear ?? new BacktrackingProgram(pattern, regular, compileLinear(skeletonOf(pattern.root)));
}

/** Compiles any pattern for CPython's own backtracking, as a reference for the other engines. */
export function compileBacktracker(pattern: ParsedPattern): Program {
  return new BacktrackingProgram(pattern, isRegular(pattern.root), undefined);
}

/** Searches the text as `re.search` would. */
export function searchPattern(program: Program, text: Text, budget: StepBudget): SearchResult {
  return program.search(text, budget);
}
