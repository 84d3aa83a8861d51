/** The effective policy: the defaults with the operator's overrides. */

import type { Caller } from '../model/access/caller.ts';
import type { Policy, PolicyTarget } from '../model/access/policy.ts';
import type { RuleName } from '../model/access/rule-name.ts';
import type { RuleDefinition } from '../model/resource-part.ts';
import { compileRules, type ParsedRule, type PolicyAnswer } from './compiler.ts';
import { namesIn } from './expressions.ts';
import { IDLE_RULES } from './idle-rules.ts';
import { requireKnownTargets } from './known-targets.ts';
import { parseRule, type RuleSource } from './language.ts';
import { PolicyError, quoted } from './policy-error.ts';
import { BASE_RULES, GUARD_RULES } from './rules.ts';

/** Overrides by rule name; other names define rules for reference. */
export type PolicyOverrides = Readonly<Record<string, RuleSource>>;

/** The built-in roles: each implies the next. */
const ROLES = ['admin', 'member', 'reader'];

const DEFINITIONS: readonly (RuleDefinition & { readonly name: string })[] = [...BASE_RULES, ...GUARD_RULES];
const DEFAULTS: ReadonlyMap<string, string> = new Map(
  DEFINITIONS.map(({ name, default: source }) => [name, source]),
);

/** A policy as it was loaded. */
export interface LoadedPolicy extends Policy {
  /** The overrides that have no effect, since they guard nothing here. */
  readonly idle: readonly string[];
}

function defaultRules(fileName: string): Map<string, ParsedRule> {
  return new Map(
    DEFINITIONS.map(({ name, default: source }) => {
      const where = `${fileName}: default of the rule ${quoted(name)}`;
      return [name, { where, expression: parseRule(source, where) }];
    }),
  );
}

/** The names of all referenced rules, or of all roles in use. */
function namesInAll(rules: ReadonlyMap<string, ParsedRule>, kind: 'rule' | 'role'): ReadonlySet<string> {
  return new Set([...rules.values()].flatMap(({ expression }) => namesIn(expression, kind)));
}

/** Rejects unknown rules that nothing refers to: a misspelt name would silently leave the default in effect. */
function refuseUnknownRules(rules: ReadonlyMap<string, ParsedRule>): void {
  const referred = namesInAll(rules, 'rule');
  for (const [name, { where }] of rules) {
    if (!DEFAULTS.has(name) && !IDLE_RULES.includes(name) && !referred.has(name)) {
      throw new PolicyError(
        where,
        'there is no rule with this name, and no other rule refers to it: check its spelling.',
      );
    }
  }
}

/** The overrides, without those of rules that guard nothing, unless another rule refers to them. */
function overridingRules(overrides: PolicyOverrides, fileName: string): ReadonlyMap<string, ParsedRule> {
  const rules = new Map<string, ParsedRule>();
  let left = Object.entries(overrides);
  let wanted = left.filter(([name]) => !IDLE_RULES.includes(name));
  while (wanted.length > 0) {
    for (const [name, source] of wanted) {
      const where = `${fileName}: rule ${quoted(name)}`;
      rules.set(name, { where, expression: parseRule(source, where) });
    }
    left = left.filter(([name]) => !rules.has(name));
    const referred = namesInAll(rules, 'rule');
    wanted = left.filter(([name]) => referred.has(name));
  }
  return rules;
}

/** A token with only this role belongs to a monitoring system: rules for everyone exclude it. */
const MONITORING = 'metrics';

const isForMonitoring = ({ roles }: Caller): boolean =>
  roles.length > 0 && roles.every((role) => role === MONITORING);

/**
 * Combines the defaults with overrides.
 * @param fileName source of the overrides, for error messages
 * @throws PolicyError
 */
export function loadPolicy(overrides: PolicyOverrides = {}, fileName = 'policy'): LoadedPolicy {
  const overriding = overridingRules(overrides, fileName);
  const rules = new Map([...defaultRules(fileName), ...overriding]);
  refuseUnknownRules(rules);
  const compiled = compileRules(rules);
  requireKnownTargets(GUARD_RULES, rules, compiled);
  const open = new Set(
    [...rules].flatMap(([name, { expression }]) =>
      namesIn(expression, 'role').includes(MONITORING) ? [name] : [],
    ),
  );
  const answer = (rule: RuleName, caller: Caller, target: PolicyTarget): PolicyAnswer =>
    (open.has(rule) || !isForMonitoring(caller)) && compiled.get(rule)!.check(caller, target);
  return {
    allows: (rule, caller, target) => answer(rule, caller, target) === true,
    mayAllow: (rule, caller, target) => answer(rule, caller, target) !== false,
    overridden: new Set([...overriding.keys()].filter((name) => overrides[name] !== DEFAULTS.get(name))),
    idle: Object.keys(overrides).filter((name) => !overriding.has(name)),
    roles: [...new Set([...ROLES, ...namesInAll(rules, 'role')])],
  };
}
