/** Derives the decision on a name from the verdict of the index and the entries it matched. Pure. */
import type { Verdict } from '../../model/blacklists/name-index.ts';
import type { NonEnforcingMatches } from '../../model/blacklists/noted.ts';
import {
  ALWAYS,
  counts,
  type RequestedName,
  type Rule,
  spanAround,
  type ValiditySpan,
} from '../../model/blacklists/rule.ts';

export type NameDecision =
  | { readonly kind: 'free'; readonly noted: NonEnforcingMatches }
  /** `rules` refuse the name: at least one, in the order of their numbers. */
  | { readonly kind: 'blocked'; readonly rules: readonly Rule[] }
  | { readonly kind: 'undecided'; readonly numbers: readonly number[] };

/** Numbers of the entries that the decision depends on. */
export function rulesToRead(verdict: Verdict): readonly number[] {
  if (verdict.kind === 'blocked') return [verdict.key];
  if (verdict.kind === 'undecided') return [];
  const refusing = verdict.kind === 'conditional' ? verdict.keys : [];
  return [...refusing, ...(verdict.notes?.matches ?? [])];
}

/**
 * The decision on a create at a given time.
 * @param rules the entries of `rulesToRead`
 */
export function decide(
  verdict: Verdict,
  rules: readonly Rule[],
  asked: RequestedName,
  instant: string,
): NameDecision & { readonly span: ValiditySpan } {
  if (verdict.kind === 'undecided') return { kind: 'undecided', numbers: verdict.keys, span: ALWAYS };
  const span = spanAround(rules, asked, instant);
  const counting = rules.filter((rule) => counts(rule, asked, instant));
  const refusing = counting.filter(({ mode }) => mode === 'enforce');
  if (refusing.length > 0) return { kind: 'blocked', rules: refusing, span };
  const passedOver = rules.filter(({ mode }) => mode !== 'enforce').length - counting.length;
  const found = (verdict.kind === 'blocked' ? 0 : (verdict.notes?.found ?? 0)) - passedOver;
  return { kind: 'free', noted: { rules: counting, found }, span };
}
