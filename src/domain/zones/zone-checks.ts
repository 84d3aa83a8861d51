import type { Fqdn } from '../../dns/names.ts';
import { NO_CONTENTS } from '../../model/changes/contents.ts';
import { type RequestContext, requireProject } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { type Limits, limitsOf, type ProjectState, UNLIMITED } from '../../model/quotas/quota.ts';
import type { HiddenRecords } from '../../model/zones/hidden-records.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { BlacklistChecker } from '../blacklists/blacklist-checker.ts';
import { type Admission, admissionCheck } from '../blacklists/name-admission.ts';
import { createAdmitted, isWarned, requireUnchanged } from '../blacklists/unchanged-blacklists.ts';
import { type RefusalContacts, withContact } from '../unit-of-work/contacts.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { kinRules, newZoneTarget, plannedCreation, readableHidden, wantedName } from './creation-rules.ts';
import { newZone } from './new-zone.ts';
import type { ZoneChanges } from './zone-changes.ts';

/** Predicted result of a zone create. */
export interface ZoneCheck {
  readonly name: Fqdn;
  /** The error that the create would throw. */
  readonly refusal: DomainError | undefined;
  /** True if the create would succeed with a warning. */
  readonly isWarned: boolean;
  /** Records of the parent zone that the zone would hide, if the caller may read them. */
  readonly hides: HiddenRecords | undefined;
  /** Number of zones that the project can still create; undefined if unlimited. */
  readonly zonesLeft: number | undefined;
}

type Admitted = Pick<ZoneCheck, 'isWarned' | 'hides'>;

export interface ZoneCheckDeps extends Pick<UseCaseDeps, 'store' | 'clock' | 'access'> {
  readonly checker: BlacklistChecker;
  readonly changes: Pick<ZoneChanges, 'plan'>;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  /** In seconds. */
  readonly defaultTtl: number;
  readonly contacts: RefusalContacts;
}

function capacityIn(state: ProjectState, quotas: Limits): number | undefined {
  const { zones } = limitsOf(state, quotas);
  return zones === UNLIMITED ? undefined : Math.max(0, zones - state.zones);
}

/** The use case that checks whether a zone could be created. */
export function zoneCheckUseCases(deps: ZoneCheckDeps) {
  const { store, clock, access, checker, changes, quotas, contacts } = deps;
  const requireAdmission = admissionCheck(deps);

  /** Like the checks in the creating transaction, but without locks. */
  async function requireCreatable(
    context: RequestContext,
    name: Fqdn,
    admission: Admission,
  ): Promise<HiddenRecords | undefined> {
    const { projectId } = context;
    const [present, [tld], state, [conflicts], choose, hidden] = await pipelined(
      store.blacklists.present(),
      store.tlds.verdictsOn([name]),
      store.projects.state(projectId),
      store.zones.conflicts([wantedName(access, context, name)]),
      store.pools.chooser(),
      store.zones.hiddenBy([name]),
    );
    const found = { tld: tld!, conflicts: conflicts!, pool: choose(name, {}), hides: hidden.get(name) };
    const createdAt = requireUnchanged(admission, present, clock);
    const owners = new Map([[projectId, state]]);
    plannedCreation(found, kinRules(access, context, { name }), (chosen) => {
      const zone = { ...newZone(deps, { name }, { projectId, createdAt, after: undefined }), pool: chosen };
      return changes.plan({ kind: 'creation', zone, contents: NO_CONTENTS }, owners);
    });
    return readableHidden(access, context, found);
  }

  async function admit(context: RequestContext, name: Fqdn): Promise<Admitted> {
    return createAdmitted(
      checker,
      () => requireAdmission(context, name),
      async (admission) => {
        const hides = await requireCreatable(context, name, admission);
        return { isWarned: isWarned(admission), hides };
      },
    );
  }

  return {
    /**
     * Predicts the result of creating a zone with this name and an email address. It takes no lock, changes nothing,
     * and reports no event. Failures such as `storage_unavailable` are thrown.
     */
    async run(context: RequestContext, name: Fqdn): Promise<ZoneCheck> {
      access.require(context, 'create_zone', newZoneTarget(context, { name }));
      requireProject(context);
      const outcome = await outcomeOf(admit(context, name), contacts);
      const zonesLeft = capacityIn(await store.projects.state(context.projectId), quotas);
      return { name, ...outcome, zonesLeft };
    },
  };
}

/** Errors that mean a create would be refused; any other error is a failure of the check itself. */
const REFUSALS: readonly DomainError['kind'][] = [
  'blacklisted_name',
  'unchecked_name',
  'invalid_tld',
  'unknown_pool',
  'over_quota',
  'illegal_child',
  'illegal_parent',
  'access_denied',
  'duplicate_zone',
];

async function outcomeOf(
  admitted: Promise<Admitted>,
  contacts: RefusalContacts,
): Promise<Pick<ZoneCheck, 'refusal' | 'isWarned' | 'hides'>> {
  try {
    return { refusal: undefined, ...(await admitted) };
  } catch (error) {
    const refusal = withContact(error, contacts);
    if (!(refusal instanceof DomainError && REFUSALS.includes(refusal.kind))) throw refusal;
    return { refusal, isWarned: false, hides: undefined };
  }
}

export type ZoneCheckUseCases = ReturnType<typeof zoneCheckUseCases>;
