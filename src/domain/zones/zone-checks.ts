import type { Fqdn } from '../../dns/names.ts';
import { type Act, requireProject } from '../../model/acts/act.ts';
import { NO_CONTENTS } from '../../model/changes/zone-change.ts';
import { DomainError } from '../../model/errors.ts';
import { type Limits, limitsOf, type ProjectState, UNLIMITED } from '../../model/quotas/quota.ts';
import type { HiddenRecords } from '../../model/zones/hidden-records.ts';
import { together } from '../../runtime/together.ts';
import { type Contacts, withContact } from '../acts/contacts.ts';
import type { UseCaseDeps } from '../acts/use-case.ts';
import type { BlacklistGuard } from '../blacklists/blacklist-guard.ts';
import { createAdmitted, isWarned, requireHeld } from '../blacklists/held.ts';
import { type Admission, askedAdmission } from '../blacklists/name-admission.ts';
import { plannedCreation, readableHidden } from './creation-rules.ts';
import { newZone } from './new-zone.ts';
import type { ZoneChanges } from './zone-changes.ts';

/** What a create of a zone would meet. */
export interface ZoneCheck {
  readonly name: Fqdn;
  /** As the create would throw it. */
  readonly refusal: DomainError | undefined;
  /** Whether the create would succeed with a warning. */
  readonly isWarned: boolean;
  /** What the zone would hide of the zone above it, as far as the caller may know. */
  readonly hides: HiddenRecords | undefined;
  /** How many more zones the project may have; undefined if that is not limited. */
  readonly room: number | undefined;
}

type Admitted = Pick<ZoneCheck, 'isWarned' | 'hides'>;

export interface ZoneCheckDeps extends Pick<UseCaseDeps, 'store' | 'clock' | 'access'> {
  readonly guard: BlacklistGuard;
  readonly changes: Pick<ZoneChanges, 'plan'>;
  /** The limits of projects without limits of their own. */
  readonly quotas: Limits;
  /** Seconds. */
  readonly defaultTtl: number;
  readonly contacts: Contacts;
}

function roomIn(state: ProjectState, quotas: Limits): number | undefined {
  const { zones } = limitsOf(state, quotas);
  return zones === UNLIMITED ? undefined : Math.max(0, zones - state.zones);
}

/** The use case of asking whether a zone could be created. */
export function zoneCheckUseCases(deps: ZoneCheckDeps) {
  const { store, clock, access, guard, changes, quotas, contacts } = deps;
  const requireAdmission = askedAdmission(deps);

  /** What the creating transaction asks, without its locks. */
  async function requireCreatable(
    act: Act,
    name: Fqdn,
    admission: Admission,
  ): Promise<HiddenRecords | undefined> {
    const { projectId } = act;
    const [present, [tld], state, [conflicts], choose, hidden] = await together(
      store.blacklists.present(),
      store.tlds.verdictsOn([name]),
      store.projects.state(projectId),
      store.zones.conflicts([{ name, projectId }]),
      store.pools.chooser(),
      store.zones.hiddenBy([name]),
    );
    const found = { tld: tld!, conflicts: conflicts!, pool: choose(name, {}) };
    const createdAt = requireHeld(admission, present, clock);
    const owners = new Map([[projectId, state]]);
    plannedCreation(found, (chosen) => {
      const zone = { ...newZone(deps, { name }, { projectId, createdAt, after: undefined }), pool: chosen };
      return changes.plan({ kind: 'creation', zone, contents: NO_CONTENTS }, owners);
    });
    return readableHidden(access, act, hidden.get(name));
  }

  async function admit(act: Act, name: Fqdn): Promise<Admitted> {
    return createAdmitted(
      guard,
      () => requireAdmission(act, name),
      async (admission) => {
        const hides = await requireCreatable(act, name, admission);
        return { isWarned: isWarned(admission), hides };
      },
    );
  }

  return {
    /**
     * What a create of the name, with nothing but an email besides, would meet now. It takes no lock, and changes, counts and
     * tells nothing. What fails is thrown, such as `storage_unavailable`.
     */
    async run(act: Act, name: Fqdn): Promise<ZoneCheck> {
      access.require(act, 'create_zone', { projectId: act.projectId });
      requireProject(act);
      const outcome = await outcomeOf(admit(act, name), contacts);
      const room = roomIn(await store.projects.state(act.projectId), quotas);
      return { name, ...outcome, room };
    },
  };
}

/** The refusals that say no to a create; any other error is a failure of the check itself. */
const REFUSALS: readonly DomainError['kind'][] = [
  'blacklisted_name',
  'unchecked_name',
  'invalid_tld',
  'unknown_pool',
  'over_quota',
  'illegal_child',
  'illegal_parent',
  'duplicate_zone',
];

async function outcomeOf(
  admitted: Promise<Admitted>,
  contacts: Contacts,
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
