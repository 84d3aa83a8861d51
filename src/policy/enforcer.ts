/** The effective policy: the defaults with the operator's overrides. */

import type { Caller } from '../model/access/caller.ts';
import type { Policy } from '../model/access/policy.ts';
import type { RuleDefinition } from '../model/resource-part.ts';
import { compileRules, type ParsedRule } from './compiler.ts';
import { namesIn } from './expressions.ts';
import { parseRule, type RuleSource } from './language.ts';
import { PolicyError, quoted } from './policy-error.ts';
import { BASE_RULES, GUARD_RULES } from './rules.ts';

/** Overrides by rule name; other names define rules for reference. */
export type PolicyOverrides = Readonly<Record<string, RuleSource>>;

/** The built-in roles: each implies the next. */
const ROLES = ['admin', 'member', 'reader'];

const DEFINITIONS: readonly (RuleDefinition & { readonly name: string })[] = [...BASE_RULES, ...GUARD_RULES];
const KNOWN_NAMES: ReadonlySet<string> = new Set(DEFINITIONS.map(({ name }) => name));

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
function refuseIdleRules(rules: ReadonlyMap<string, ParsedRule>): void {
  const referred = namesInAll(rules, 'rule');
  for (const [name, { where }] of rules) {
    if (!KNOWN_NAMES.has(name) && !referred.has(name)) {
      throw new PolicyError(
        where,
        'there is no rule with this name, and no other rule refers to it: check its spelling.',
      );
    }
  }
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
export function loadPolicy(overrides: PolicyOverrides = {}, fileName = 'policy'): Policy {
  const rules = defaultRules(fileName);
  for (const [name, source] of Object.entries(overrides)) {
    const where = `${fileName}: rule ${quoted(name)}`;
    rules.set(name, { where, expression: parseRule(source, where) });
  }
  refuseIdleRules(rules);
  const checks = compileRules(rules);
  const open = new Set(
    [...rules].flatMap(([name, { expression }]) =>
      namesIn(expression, 'role').includes(MONITORING) ? [name] : [],
    ),
  );
  return {
    allows: (rule, caller, target) =>
      (open.has(rule) || !isForMonitoring(caller)) && checks.get(rule)!(caller, target),
    roles: [...new Set([...ROLES, ...namesInAll(rules, 'role')])],
  };
}
