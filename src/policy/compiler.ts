/** Compiles parsed rules to functions. References are resolved once, at startup. */

import { type Caller, NO_PROJECT } from '../model/access/caller.ts';
import type { PolicyTarget } from '../model/access/policy.ts';
import type { PolicyExpression, Term } from './expressions.ts';
import { PolicyError, quoted } from './policy-error.ts';

export type PolicyCheck = (caller: Caller, target: PolicyTarget) => boolean;

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

interface Compiled {
  readonly check: PolicyCheck;
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

/** A missing value equals nothing, not even another missing value. */
function equalCheck(left: Term, right: Term): PolicyCheck {
  return (caller, target) => {
    const value = termValue(left, caller, target);
    return value !== undefined && value === termValue(right, caller, target);
  };
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
        return { check: () => expression.value, steps: 1 };
      case 'role':
        return { check: roleCheck(expression.name), steps: 1 };
      case 'equal':
        return { check: equalCheck(expression.left, expression.right), steps: 1 };
      case 'rule':
        return this.#reference(expression.name, where);
      case 'not': {
        const { check, steps } = this.#expression(expression.body, where);
        return { check: (caller, target) => !check(caller, target), steps };
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
    const check: PolicyCheck =
      kind === 'and'
        ? (caller, target) => checks.every((one) => one(caller, target))
        : (caller, target) => checks.some((one) => one(caller, target));
    return { check, steps: parts.reduce((sum, part) => sum + part.steps, 0) };
  }
}

/**
 * Compiles the rules.
 * @throws PolicyError for missing references, cycles, and rules that are too costly to evaluate
 */
export function compileRules(rules: ReadonlyMap<string, ParsedRule>): ReadonlyMap<string, PolicyCheck> {
  const compiler = new PolicyCompiler(rules);
  return new Map([...rules.keys()].map((name) => [name, compiler.rule(name).check]));
}
