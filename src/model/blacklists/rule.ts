/** Decides whether a matching entry applies to a create, by its expiry and its exceptions. Pure. */
import type { OwnerName } from '../../dns/names.ts';
import type { BlacklistException, Terms } from './blacklist.ts';
import type { Traits } from './name-index.ts';

/** An entry as used in decisions. Immutable: an entry with changed terms has a new number. */
export interface Rule extends Terms {
  readonly number: number;
  /** The entry's id. */
  readonly id: string;
}

/** The create being decided. */
export interface RequestedName {
  readonly name: OwnerName;
  readonly projectId: string;
}

/** The range of creation times (as in a zone's `createdAt`) for which a decision is valid. */
export interface ValiditySpan {
  /** Inclusive; '' for no lower bound. */
  readonly from: string;
  /** Exclusive: the next expiry that affects the decision. Undefined for no upper bound. */
  readonly until: string | undefined;
}

/** The span of a decision that depends on no expiry. */
export const ALWAYS: ValiditySpan = { from: '', until: undefined };

/** The intersection of two spans. */
export function bothSpans(one: ValiditySpan, other: ValiditySpan): ValiditySpan {
  const starts = [one.from, other.from].sort();
  const ends = [one.until, other.until].filter((until) => until !== undefined).sort();
  return { from: starts[1]!, until: ends[0] };
}

export function covers({ from, until }: ValiditySpan, instant: string): boolean {
  return instant >= from && (until === undefined || instant < until);
}

/** How the index treats an entry with these terms. */
export function traitsOf({ mode, expiresAt, exceptions }: Terms): Traits {
  return { enforced: mode === 'enforce', conditional: expiresAt !== null || exceptions.length > 0 };
}

function isAbout({ projectId, name }: BlacklistException, asked: RequestedName): boolean {
  return (projectId ?? asked.projectId) === asked.projectId && (name ?? asked.name) === asked.name;
}

/** The rule with the exceptions that are about a name: no others affect the decision on it. */
export function ruleAbout(rule: Rule, asked: RequestedName): Rule {
  return { ...rule, exceptions: rule.exceptions.filter((one) => isAbout(one, asked)) };
}

function isBefore(instant: string, expiry: string | null): boolean {
  return expiry === null || instant < expiry;
}

/** The exception that allows a name at this time, if any. */
export function exceptionFor(
  { exceptions }: Pick<Terms, 'exceptions'>,
  asked: RequestedName,
  instant: string,
): BlacklistException | undefined {
  return exceptions.find((one) => isAbout(one, asked) && isBefore(instant, one.expiresAt));
}

/** Whether a matching entry applies to a zone created at this time. */
export function counts(rule: Terms, asked: RequestedName, instant: string): boolean {
  return isBefore(instant, rule.expiresAt) && exceptionFor(rule, asked, instant) === undefined;
}

function expiriesOf(rule: Terms, asked: RequestedName): readonly string[] {
  const about = rule.exceptions.filter((one) => isAbout(one, asked));
  return [rule, ...about].map(({ expiresAt }) => expiresAt).filter((expiry) => expiry !== null);
}

/** The span around this time in which the same entries apply. */
export function spanAround(rules: readonly Terms[], asked: RequestedName, instant: string): ValiditySpan {
  const expiries = rules.flatMap((rule) => expiriesOf(rule, asked)).sort();
  return {
    from: expiries.findLast((expiry) => expiry <= instant) ?? '',
    until: expiries.find((expiry) => expiry > instant),
  };
}
