import { hasHiddenRecordsets, type Scope } from '../../model/access/scope.ts';
import { DomainError } from '../../model/errors.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** A refusal, without the usage of the zone if the scope hides recordsets of it: they must not be counted. */
export function shownQuota(scope: Scope, zone: Zone, refusal: unknown): unknown {
  const isQuota = refusal instanceof DomainError && refusal.kind === 'over_quota';
  if (!isQuota || !hasHiddenRecordsets(scope, zone)) return refusal;
  const { quota } = refusal.details;
  // The only one that does not count the zone.
  if (quota === 'recordset_records') return refusal;
  return new DomainError('over_quota', `Quota exceeded for ${quota}. Your scope hides the usage.`, {
    details: { quota },
  });
}
