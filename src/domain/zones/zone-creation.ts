import type { Fqdn } from '../../dns/names.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import { type RequestContext, requireProject } from '../../model/context/request-context.ts';
import type { ZoneDraft } from '../../model/zones/zone.ts';
import type { Log } from '../../runtime/log.ts';
import type { BlacklistChecker } from '../blacklists/blacklist-checker.ts';
import type { HitCounter } from '../blacklists/hit-counter.ts';
import { bothAdmitted } from '../blacklists/many-names.ts';
import { type Admission, nameAdmission } from '../blacklists/name-admission.ts';
import { countNonEnforcing, createAdmitted } from '../blacklists/unchanged-blacklists.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { creationBatcher } from './creation-batcher.ts';
import { creationDecisions } from './creation-decisions.ts';
import type { ZoneChanges } from './zone-changes.ts';
import {
  type CreatedZone,
  createdZone,
  emitFor,
  type InitialContents,
  type ZoneCreateRequest,
} from './zone-create-request.ts';

export interface ZoneCreationDeps extends UseCaseDeps {
  readonly checker: BlacklistChecker;
  readonly hits: HitCounter;
  readonly log: Log;
  readonly changes: ZoneChanges;
  /** In seconds. */
  readonly defaultTtl: number;
}

/** True if a create can share a transaction: it writes only the zone, in few rows. */
function mayShare({ options, draft, filling }: ZoneCreateRequest): boolean {
  return options.idempotency === undefined && filling === undefined && draft.masters === undefined;
}

/** The only way to create a zone, empty or with contents. */
export function zoneCreation(deps: ZoneCreationDeps) {
  const { checker, hits, unitOfWork, changes } = deps;
  const requireAdmission = nameAdmission(deps);

  const decisions = creationDecisions(deps);
  const line = creationBatcher({ unitOfWork, changes, decisions, alone: insertAlone });

  async function insertAlone(wanted: ZoneCreateRequest): Promise<CreatedZone> {
    const { context, admission, filling, options } = wanted;
    return unitOfWork.commit(
      context,
      async (tx, emit): Promise<CreatedZone> => {
        const planned = await decisions.alone(tx, wanted);
        const zone = planned.after;
        await filling?.require(tx, zone);
        const applied = await changes.write(tx, planned);
        filling?.also(tx, zone);
        emitFor(emit, applied, admission);
        return createdZone(applied, admission);
      },
      options,
    );
  }

  async function insert(wanted: ZoneCreateRequest): Promise<CreatedZone> {
    const created = await (mayShare(wanted) ? line.add(wanted) : insertAlone(wanted));
    countNonEnforcing(hits, wanted.admission.noted);
    return created;
  }

  /** Checks the name of the zone against the blacklists, and then those in its contents. */
  async function admit(
    context: RequestContext,
    name: Fqdn,
    filling: InitialContents | undefined,
  ): Promise<Admission> {
    const admission = await requireAdmission(context, name);
    if (filling?.admit === undefined) return admission;
    return bothAdmitted(admission, await filling.admit(context));
  }

  async function create(
    context: RequestContext,
    draft: ZoneDraft,
    filling: InitialContents | undefined,
    options: CreateOptions<CreatedZone>,
  ): Promise<CreatedZone> {
    requireProject(context);
    return createAdmitted(
      checker,
      () => admit(context, draft.name, filling),
      (admission) => insert({ context, draft, admission, filling, options }),
    );
  }

  /**
   * Creates a zone. Checks in this order: blacklist, TLD, quotas, zones above and below, duplicate. All checks but the
   * pattern search run inside the creating transaction, which also verifies that the patterns have not changed. Creates
   * that wait are decided in one transaction, each on its own.
   */
  return (
    context: RequestContext,
    draft: ZoneDraft,
    filling?: InitialContents,
    options: CreateOptions<CreatedZone> = {},
  ): Promise<CreatedZone> =>
    unitOfWork.attempt(context, { kind: 'zone', name: draft.name, projectId: context.projectId }, () =>
      create(context, draft, filling, options),
    );
}

export type ZoneCreation = ReturnType<typeof zoneCreation>;
