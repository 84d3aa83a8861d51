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
 * The outcome for one resource of the source. `present`: it exists here and is equal. `different`: it exists here and
 * differs. `missing`: it does not exist here, and was not to be adopted. `left out`: it is not applicable here. `only
 * here`: it is not in the source.
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

export interface AdoptionOutcome {
  readonly thing: AdoptedThing;
  readonly id: string | null;
  readonly name: string | null;
  readonly outcome: OutcomeKind;
  /** Why it was refused or left out, or what differs. */
  readonly reason?: string | undefined;
}

/** The kind of resource that a zone of this type is. */
export function thingOf({ type }: Pick<Zone, 'type'>): 'zone' | 'secondary zone' {
  return type === 'SECONDARY' ? 'secondary zone' : 'zone';
}

/** True if nothing is left to do for the resource. */
export function isSettled({ outcome }: AdoptionOutcome): boolean {
  return outcome === 'added' || outcome === 'updated' || outcome === 'present' || outcome === 'left out';
}

/** Errors of the store itself, which end the run. */
const FATAL: ReadonlySet<string> = new Set(['storage_unavailable', 'slow_read', 'too_many_reads']);

/** The reason of a refusal by a rule; any other error is rethrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DomainError) || FATAL.has(error.kind)) throw error;
  return error.message;
}
