/** Compiles parsed rules to functions. References are resolved once, at startup. */

import { type Caller, NO_PROJECT } from '../model/access/caller.ts';
import type { PolicyTarget, WrittenTarget } from '../model/access/policy.ts';
import { isWrittenKey, type PolicyExpression, type Term } from './expressions.ts';
import { PolicyError, quoted } from './policy-error.ts';

/** What a rule says; undefined if that depends on a property of the target that is not known yet. */
export type PolicyAnswer = boolean | undefined;

export type PolicyCheck = (caller: Caller, target: PolicyTarget) => PolicyAnswer;

/** A compiled rule. */
export interface CompiledRule {
  readonly check: PolicyCheck;
  /** The properties of what is written that it uses, with the rules that it refers to. */
  readonly uses: ReadonlySet<keyof WrittenTarget>;
}

export interface ParsedRule {
  readonly where: string;
  readonly expression: PolicyExpression;
}

const MAX_REFERENCE_DEPTH = 50;
const MAX_STEPS = 10_000;

/** The roles that grant a role: admin implies member, member implies reader. */
const GRANTED_BY = new Map<string, readonly string[]>([
  ['member', ['member', 'admin']],
  ['reader', ['reader', 'member', 'admin']],
]);

interface Compiled extends CompiledRule {
  /** Maximum number of leaves that one evaluation visits. */
  readonly steps: number;
}

function roleCheck(name: string): PolicyCheck {
  const granting = GRANTED_BY.get(name) ?? [name];
  return (caller) => caller.roles.some((role) => granting.includes(role.toLowerCase()));
}

function termValue(term: Term, caller: Caller, target: PolicyTarget): string | undefined {
  switch (term.from) {
    case 'text':
      return term.text;
    case 'caller':
      // A caller without a project never matches a project, not even that of objects without one.
      return caller[term.key] === NO_PROJECT ? undefined : caller[term.key];
    case 'target':
      return target[term.key];
    case 'nowhere':
      return undefined;
  }
}

/** True for the value of a property that may still turn out to be anything. */
function isOpen(term: Term, value: string | undefined): boolean {
  if (term.from !== 'target') return false;
  return isWrittenKey(term.key) ? value === undefined : term.key === 'zoneShared' && value === 'unknown';
}

/** A missing value equals nothing, not even another missing value, unless it is only not known yet. */
function equalCheck(left: Term, right: Term): PolicyCheck {
  return (caller, target) => {
    const value = termValue(left, caller, target);
    if (value === undefined) return false;
    const other = termValue(right, caller, target);
    return isOpen(right, other) ? undefined : value === other;
  };
}

function negated(answer: PolicyAnswer): PolicyAnswer {
  return answer === undefined ? undefined : !answer;
}

/** Kleene's logic: `and` is decided by one false, `or` by one true; otherwise one undecided part leaves it undecided. */
function junctionCheck(checks: readonly PolicyCheck[], deciding: boolean): PolicyCheck {
  return (caller, target) => {
    let answer: PolicyAnswer = !deciding;
    for (const check of checks) {
      const one = check(caller, target);
      if (one === deciding) return deciding;
      if (one === undefined) answer = undefined;
    }
    return answer;
  };
}

const NO_USES: ReadonlySet<keyof WrittenTarget> = new Set();

function usesOf(term: Term): ReadonlySet<keyof WrittenTarget> {
  return term.from === 'target' && isWrittenKey(term.key) ? new Set([term.key]) : NO_USES;
}

class PolicyCompiler {
  readonly #done = new Map<string, Compiled>();
  readonly #path: string[] = [];

  readonly #rules: ReadonlyMap<string, ParsedRule>;

  constructor(rules: ReadonlyMap<string, ParsedRule>) {
    this.#rules = rules;
  }

  rule(name: string): Compiled {
    const known = this.#done.get(name);
    if (known !== undefined) return known;
    const { where, expression } = this.#rules.get(name)!;
    this.#path.push(name);
    if (this.#path.length > MAX_REFERENCE_DEPTH) {
      throw new PolicyError(
        where,
        `ends a chain of more than ${MAX_REFERENCE_DEPTH} rules that refer to each other.`,
      );
    }
    const compiled = this.#expression(expression, where);
    if (compiled.steps > MAX_STEPS) {
      throw new PolicyError(where, `has more than ${MAX_STEPS} checks, including the rules it refers to.`);
    }
    this.#path.pop();
    this.#done.set(name, compiled);
    return compiled;
  }

  #expression(expression: PolicyExpression, where: string): Compiled {
    switch (expression.kind) {
      case 'constant':
        return { check: () => expression.value, steps: 1, uses: NO_USES };
      case 'role':
        return { check: roleCheck(expression.name), steps: 1, uses: NO_USES };
      case 'equal':
        return {
          check: equalCheck(expression.left, expression.right),
          steps: 1,
          uses: usesOf(expression.right),
        };
      case 'rule':
        return this.#reference(expression.name, where);
      case 'not': {
        const { check, ...body } = this.#expression(expression.body, where);
        return { ...body, check: (caller, target) => negated(check(caller, target)) };
      }
      default:
        return this.#junction(expression.kind, expression.items, where);
    }
  }

  #reference(name: string, where: string): Compiled {
    if (!this.#rules.has(name))
      throw new PolicyError(where, `refers to a rule that does not exist, ${quoted(name)}.`);
    if (this.#path.includes(name)) {
      const circle = [...this.#path.slice(this.#path.indexOf(name)), name].map(quoted).join(' → ');
      throw new PolicyError(where, `rules refer to each other in a cycle: ${circle}.`);
    }
    return this.rule(name);
  }

  #junction(kind: 'and' | 'or', items: readonly PolicyExpression[], where: string): Compiled {
    const parts = items.map((item) => this.#expression(item, where));
    const checks = parts.map((part) => part.check);
    return {
      check: junctionCheck(checks, kind === 'or'),
      steps: parts.reduce((sum, part) => sum + part.steps, 0),
      uses: new Set(parts.flatMap(({ uses }) => [...uses])),
    };
  }
}

/**
 * Compiles the rules.
 * @throws PolicyError for missing references, cycles, and rules that are too costly to evaluate
 */
export function compileRules(rules: ReadonlyMap<string, ParsedRule>): ReadonlyMap<string, CompiledRule> {
  const compiler = new PolicyCompiler(rules);
  return new Map([...rules.keys()].map((name) => [name, compiler.rule(name)]));
}
