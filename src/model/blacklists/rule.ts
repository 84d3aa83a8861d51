/** Whether an entry whose pattern matches a name counts for a create: its expiry, and its exceptions. Pure. */
import type { OwnerName } from '../../dns/names.ts';
import type { BlacklistException, Terms } from './blacklist.ts';
import type { Traits } from './name-index.ts';

/** An entry as it takes part in judgements. It never changes: with other terms the entry has another number. */
export interface Rule extends Terms {
  readonly number: number;
  /** Of the entry. */
  readonly id: string;
}

/** Whose create of which name is judged. */
export interface Asked {
  readonly name: OwnerName;
  readonly projectId: string;
}

/** The instants for which a judgement is true, as zones have them for `createdAt`. */
export interface Span {
  /** The first of them; '' if there is none. */
  readonly from: string;
  /** The first one after them: the next expiry that the judgement depends on. */
  readonly until: string | undefined;
}

/** The span of what depends on no expiry. */
export const ALWAYS: Span = { from: '', until: undefined };

/** The instants of both. */
export function bothSpans(one: Span, other: Span): Span {
  const starts = [one.from, other.from].sort();
  const ends = [one.until, other.until].filter((until) => until !== undefined).sort();
  return { from: starts[1]!, until: ends[0] };
}

export function covers({ from, until }: Span, instant: string): boolean {
  return instant >= from && (until === undefined || instant < until);
}

/** How the index has to treat an entry. */
export function traitsOf({ mode, expiresAt, exceptions }: Terms): Traits {
  return { enforced: mode === 'enforce', conditional: expiresAt !== null || exceptions.length > 0 };
}

function isAbout({ projectId, name }: BlacklistException, asked: Asked): boolean {
  return (projectId ?? asked.projectId) === asked.projectId && (name ?? asked.name) === asked.name;
}

function isBefore(instant: string, expiry: string | null): boolean {
  return expiry === null || instant < expiry;
}

/** The exception that lets a name pass at an instant, if there is one. */
export function exceptionFor(
  { exceptions }: Pick<Terms, 'exceptions'>,
  asked: Asked,
  instant: string,
): BlacklistException | undefined {
  return exceptions.find((one) => isAbout(one, asked) && isBefore(instant, one.expiresAt));
}

/** Whether a matching entry counts for a zone that is created at this instant. */
export function counts(rule: Terms, asked: Asked, instant: string): boolean {
  return isBefore(instant, rule.expiresAt) && exceptionFor(rule, asked, instant) === undefined;
}

function expiriesOf(rule: Terms, asked: Asked): readonly string[] {
  const about = rule.exceptions.filter((one) => isAbout(one, asked));
  return [rule, ...about].map(({ expiresAt }) => expiresAt).filter((expiry) => expiry !== null);
}

/** The instants around this one at which the same of these entries count. */
export function spanAround(rules: readonly Terms[], asked: Asked, instant: string): Span {
  const expiries = rules.flatMap((rule) => expiriesOf(rule, asked)).sort();
  return {
    from: expiries.findLast((expiry) => expiry <= instant) ?? '',
    until: expiries.find((expiry) => expiry > instant),
  };
}
