/** The rules that a new zone must meet. Pure, so that creates and previews share them. */

import type { AppliedCreation } from '../../model/changes/zone-change.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { ZonePool } from '../../model/pools/pool.ts';
import type { PoolChooser } from '../../model/pools/store.ts';
import type { TldVerdict } from '../../model/tlds/tld.ts';
import type { HiddenRecords } from '../../model/zones/hidden-records.ts';
import type { NameConflicts } from '../../model/zones/store.ts';
import type { AccessControl } from '../access/access-control.ts';
import { requireTld } from '../tlds/tlds.ts';

/** The facts from the store about a new name. */
export interface Circumstances {
  readonly tld: TldVerdict;
  readonly pool: ReturnType<PoolChooser>;
  readonly conflicts: NameConflicts;
}

const LEAVING =
  'A zone with this name is being deleted: its name servers have not dropped it yet. Retry when they have.';

function requireNoConflict(conflicts: NameConflicts): void {
  if (conflicts.foreignParent) throw new DomainError('illegal_child');
  if (conflicts.foreignChild) throw new DomainError('illegal_parent');
  if (conflicts.isLeaving) throw new DomainError('duplicate_zone', LEAVING);
  if (conflicts.duplicate) throw new DomainError('duplicate_zone');
}

/** Rejects the name of a catalog zone, because name servers would mistake the zone for the catalog. */
function requirePool(chosen: Circumstances['pool']): asserts chosen is ZonePool {
  if (chosen === undefined) throw new DomainError('unknown_pool');
  if (chosen === 'name of a catalog') {
    throw new DomainError('duplicate_zone', 'The catalog of a pool has this name. Choose another name.');
  }
}

/**
 * Plans the creation of a zone that the blacklists allow. Checks in this order: TLD, pool, quotas, zones above and
 * below, duplicate.
 * @param plan plans the zone in its pool; throws `over_quota` if its owner has no room for it
 */
export function plannedCreation(
  { tld, pool, conflicts }: Circumstances,
  plan: (pool: ZonePool) => AppliedCreation,
): AppliedCreation {
  requireTld(tld);
  requirePool(pool);
  const planned = plan(pool);
  requireNoConflict(conflicts);
  return planned;
}

/**
 * The records that a new zone hides, if the caller may read them. They belong to the project of the new zone, since a
 * parent zone of another project rules it out.
 */
export function readableHidden(
  access: Pick<AccessControl, 'allows'>,
  context: RequestContext,
  hidden: HiddenRecords | undefined,
): HiddenRecords | undefined {
  if (hidden === undefined) return undefined;
  return access.allows(context, 'find_recordsets', { projectId: context.projectId }) ? hidden : undefined;
}
