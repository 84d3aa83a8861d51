/** The rules that a new zone must meet. Pure, so that creates and previews share them. */

import type { Fqdn } from '../../dns/names.ts';
import type { PolicyTarget } from '../../model/access/policy.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import { limitsIn } from '../../model/access/scope.ts';
import type { AppliedCreation } from '../../model/changes/zone-change.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { ZonePool } from '../../model/pools/pool.ts';
import type { PoolChooser } from '../../model/pools/store.ts';
import { allowsZone } from '../../model/scopes/credential-scope.ts';
import type { TldVerdict } from '../../model/tlds/tld.ts';
import type { HiddenRecords } from '../../model/zones/hidden-records.ts';
import type { NameConflicts, WantedName } from '../../model/zones/store.ts';
import type { ZoneDraft } from '../../model/zones/zone.ts';
import type { AccessControl } from '../access/access-control.ts';
import { requireTld } from '../tlds/tlds.ts';

/** The facts from the store about a new name. */
export interface Circumstances {
  readonly tld: TldVerdict;
  readonly pool: ReturnType<PoolChooser>;
  readonly conflicts: NameConflicts;
  readonly hides: HiddenRecords | undefined;
}

const LEAVING =
  'A zone with this name is being deleted: its name servers have not dropped it yet. Retry when they have.';

/** The rules about zones above and below a new one. */
export interface KinRules {
  /** True if it may lie below a zone of another project. */
  readonly mayBeForeignChild: boolean;
  /** The refusal if it lies below, or above, another zone of its project; undefined if it may. */
  readonly below: DomainError | undefined;
  readonly above: DomainError | undefined;
}

/** A new zone as the target of policy rules. */
export function newZoneTarget(
  { projectId }: Pick<RequestContext, 'projectId'>,
  { name, masters }: Pick<ZoneDraft, 'name' | 'masters'>,
): PolicyTarget {
  return { projectId, zoneName: name, zoneType: masters === undefined ? 'PRIMARY' : 'SECONDARY' };
}

type KinAccess = Pick<AccessControl, 'allows' | 'denial' | 'isOverridden'>;

/** Commands skip the policy, but still refuse what the API refuses by default. */
const NO_RULES: KinRules = { mayBeForeignChild: false, below: undefined, above: undefined };

/** The name of a new zone, to be looked for with what the rules need to know. */
export function wantedName(access: KinAccess, { projectId, origin }: RequestContext, name: Fqdn): WantedName {
  return {
    name,
    projectId,
    findsOwnChild: origin.kind !== 'command' && access.isOverridden('create_super_zone'),
  };
}

/** Asks only rules that the operator has changed: by default, they say what has been asked already. */
export function kinRules(
  access: KinAccess,
  context: RequestContext,
  draft: Pick<ZoneDraft, 'name' | 'masters'>,
): KinRules {
  if (context.origin.kind === 'command') return NO_RULES;
  const target = newZoneTarget(context, draft);
  const refusalBy = (rule: RuleName) =>
    !access.isOverridden(rule) || access.allows(context, rule, target)
      ? undefined
      : access.denial(context, rule, target);
  const foreign = 'create_sub_zone_other_project';
  return {
    mayBeForeignChild: access.isOverridden(foreign) && access.allows(context, foreign, target),
    below: refusalBy('create_sub_zone'),
    above: refusalBy('create_super_zone'),
  };
}

function requireNoConflict(conflicts: NameConflicts, kin: KinRules): void {
  if (conflicts.foreignParent && !kin.mayBeForeignChild) throw new DomainError('illegal_child');
  if (conflicts.foreignChild) throw new DomainError('illegal_parent');
  if (conflicts.ownParent && kin.below !== undefined) throw kin.below;
  if (conflicts.ownChild && kin.above !== undefined) throw kin.above;
  if (conflicts.isLeaving) throw new DomainError('duplicate_zone', LEAVING);
  if (conflicts.duplicate) throw new DomainError('duplicate_zone');
}

/**
 * Rejects the name of a catalog zone, because name servers would mistake the zone for the catalog; and names below it, for
 * which Knot responds with BADKEY once it does not have the zone.
 */
function requirePool(chosen: Circumstances['pool']): asserts chosen is ZonePool {
  if (chosen === undefined) throw new DomainError('unknown_pool');
  if (chosen === 'name of a catalog') {
    throw new DomainError('duplicate_zone', 'The catalog of a pool has this name. Choose another name.');
  }
  if (chosen === 'name in a catalog')
    throw new DomainError('duplicate_zone', 'The name is in the catalog of a pool. Choose another name.');
}

/**
 * Plans the creation of a zone that the blacklists allow. Checks in this order: TLD, pool, quotas, zones above and
 * below, duplicate.
 * @param plan plans the zone in its pool; throws `over_quota` if its owner has no room for it
 */
export function plannedCreation(
  { tld, pool, conflicts }: Circumstances,
  kin: KinRules,
  plan: (pool: ZonePool) => AppliedCreation,
): AppliedCreation {
  requireTld(tld);
  requirePool(pool);
  const planned = plan(pool);
  requireNoConflict(conflicts, kin);
  return planned;
}

/** The records that a new zone hides, if the caller may read them: none of a zone of another project. */
export function readableHidden(
  access: Pick<AccessControl, 'allows'>,
  context: RequestContext,
  { hides: hidden, conflicts }: Circumstances,
): HiddenRecords | undefined {
  if (hidden === undefined || conflicts.foreignParent) return undefined;
  // The id of the zone above is not known here, so only patterns can allow it.
  const isWithin = allowsZone(limitsIn(context.scope) ?? {}, { id: '', name: hidden.zoneName });
  if (!isWithin) return undefined;
  return access.allows(context, 'find_recordsets', { projectId: context.projectId }) ? hidden : undefined;
}
