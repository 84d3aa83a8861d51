import { DomainError } from '../../model/errors.ts';
import type { Zone } from '../../model/zones/zone.ts';

export type AdoptedThing =
  | 'pool'
  | 'tsigkey'
  | 'quotas'
  | 'zone'
  | 'secondary zone'
  | 'recordset'
  | 'share'
  | 'transfer request'
  | 'tld'
  | 'blacklist';

/**
 * What became of one thing of the source: `present` is here and equal, `different` is here and not equal, `missing` is
 * not here and was not to be taken, `left out` has no place here, `only here` is not in the source.
 */
export type OutcomeKind =
  | 'added'
  | 'updated'
  | 'present'
  | 'different'
  | 'missing'
  | 'refused'
  | 'left out'
  | 'only here';

export interface Outcome {
  readonly thing: AdoptedThing;
  readonly id: string | null;
  readonly name: string | null;
  readonly outcome: OutcomeKind;
  /** Why it was refused or left out, or what differs. */
  readonly reason?: string | undefined;
}

/** What a zone of this type is called. */
export function thingOf({ type }: Pick<Zone, 'type'>): 'zone' | 'secondary zone' {
  return type === 'SECONDARY' ? 'secondary zone' : 'zone';
}

/** Whether nothing is left to do about the thing. */
export function isSettled({ outcome }: Outcome): boolean {
  return outcome === 'added' || outcome === 'updated' || outcome === 'present' || outcome === 'left out';
}

/** Refusals of the store itself, which end the run. */
const FATAL: ReadonlySet<string> = new Set(['storage_unavailable', 'slow_read', 'too_many_reads']);

/** The reason of a refusal by a rule; anything else is thrown on. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DomainError) || FATAL.has(error.kind)) throw error;
  return error.message;
}
