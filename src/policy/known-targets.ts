/** Which rules may use the targets of what is written or shown. */
import type { WrittenTarget } from '../model/access/policy.ts';
import type { RuleDefinition } from '../model/resource-part.ts';
import type { CompiledRule, ParsedRule } from './compiler.ts';
import { nameOfWritten } from './expressions.ts';
import { PolicyError } from './policy-error.ts';

type NamedRule = RuleDefinition & { readonly name: string };

const OF_ZONES: readonly (keyof WrittenTarget)[] = ['zoneName', 'zoneType'];

function isKnown(key: keyof WrittenTarget, { knows }: RuleDefinition): boolean {
  return knows === 'recordset' || (knows === 'zone' && OF_ZONES.includes(key));
}

function reasonOf({ name, knows }: NamedRule): string {
  if (knows === 'zone') return 'this rule is asked about a zone, not about a recordset';
  if (/^(find|list)_/.test(name)) return 'a list is not asked entry by entry';
  return 'this rule is asked before that is known, or about something else';
}

/**
 * Rejects rules that use a target which they never know: they would refuse, or allow, without a look at it.
 * @throws PolicyError
 */
export function requireKnownTargets(
  definitions: readonly NamedRule[],
  rules: ReadonlyMap<string, ParsedRule>,
  compiled: ReadonlyMap<string, CompiledRule>,
): void {
  for (const rule of definitions) {
    const unknown = [...compiled.get(rule.name)!.uses].find((key) => !isKnown(key, rule));
    if (unknown === undefined) continue;
    throw new PolicyError(
      rules.get(rule.name)!.where,
      `uses %(${nameOfWritten(unknown)})s, itself or in a rule that it refers to, but ${reasonOf(rule)}. docs/policy.md says which rules may use it.`,
    );
  }
}
