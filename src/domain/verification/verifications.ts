import type { AddressRule } from '../../addresses/address-rule.ts';
import type { PatternLanguage } from '../../model/blacklists/pattern-language.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { isStorageFailure } from '../../model/errors.ts';
import type { EventKeys } from '../../model/events/event-key.ts';
import type { Finding } from '../../model/verification/stored.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import type { ApexSettings } from '../zones/apex.ts';
import type { ZoneChanges } from '../zones/zone-changes.ts';
import { type VerifiedStore, verifyStore } from './verification.ts';

export interface VerificationDeps extends Pick<UseCaseDeps, 'store' | 'unitOfWork' | 'access'> {
  readonly changes: ZoneChanges;
  readonly apex: ApexSettings;
  readonly language: Pick<PatternLanguage, 'fault'>;
  readonly keys: EventKeys;
  readonly maySendTo: AddressRule;
}

/** The options of a verification. */
export interface VerificationOrder {
  /** True to correct what can be corrected. */
  readonly repairs: boolean;
  /** The hash of an earlier head of the event chain, as logged; it must be in the chain. */
  readonly pastHead?: string | undefined;
  /** Receives each finding. */
  report(finding: Finding, isRepaired: boolean): void;
}

export interface VerificationResult extends Pick<VerifiedStore, 'unproven'> {
  /** Empty if the file is too damaged to be read. */
  readonly verified: Partial<VerifiedStore['verified']>;
  readonly faults: number;
  readonly repaired: number;
}

/** The use cases of verification. */
export function verificationUseCases(deps: VerificationDeps) {
  const { store, access, unitOfWork, changes, apex, language, keys, maySendTo } = deps;

  function repairZone(context: RequestContext, id: string): Promise<void> {
    return unitOfWork.change(context, { kind: 'zone', id }, async (tx, tell) => {
      const stored = await tx.verification.lockZone(id);
      if (stored === undefined) return;
      const { zone } = stored;
      await tx.verification.reindexZone(id);
      const fewer = await tx.verification.rewriteNames(zone);
      if (fewer > 0) tx.projects.grow(zone.projectId, { zones: 0, recordsets: -fewer });
      await tx.verification.reindexTargets(id);
      const counted = await tx.verification.recountZone(id);
      const applied = await changes.apply(tx, { kind: 'correction', zone, counted });
      tell({ type: 'zone.repaired', target: zoneTarget(zone), ...applied });
    });
  }

  function repairList(context: RequestContext, name: string): Promise<void> {
    return unitOfWork.commit(context, async (tx, tell) => {
      await tx.verification.recountList(name);
      tell({ type: 'blacklists.list_repaired', target: { kind: 'blacklist', name }, list: name });
    });
  }

  /** Recounts under the lock, since the data may have changed after the finding. */
  async function repair(context: RequestContext, { about, id }: Finding): Promise<void> {
    if (about === 'zone') return repairZone(context, id);
    if (about === 'list of blacklists') return repairList(context, id);
    // Neither is data of a project: there is no event.
    if (about === 'order') return unitOfWork.commit(context, (tx) => tx.verification.removeStrayOrder(id));
    if (about === 'history') return unitOfWork.commit(context, (tx) => tx.verification.recountHistory(id));
    const kind = about === 'share' ? 'share' : 'project';
    await unitOfWork.commit(context, async (tx, tell) => {
      await (kind === 'share' ? tx.verification.recountShare(id) : tx.verification.recountProject(id));
      tell({ type: `${kind}.repaired`, target: { kind, id } });
    });
  }

  return {
    /**
     * Verifies everything stored. If requested, corrects counters, the indexes of zone names and of targets, orders of zones that do not
     * exist, and names in an earlier version's format.
     */
    async verify(
      context: RequestContext,
      { repairs, pastHead, report }: VerificationOrder,
    ): Promise<VerificationResult> {
      let faults = 0;
      let repaired = 0;
      const take = async (finding: Finding): Promise<void> => {
        if (finding.isNotice !== true) faults += 1;
        const isRepaired = repairs && finding.isCounter === true;
        if (isRepaired) await repair(context, finding);
        if (isRepaired) repaired += 1;
        report(finding, isRepaired);
      };
      const damage = await store.fileFaults();
      for (const fault of damage) await take({ about: 'database', id: 'file', fault });
      const mayBelowOthers = access.isOverridden('create_sub_zone_other_project');
      try {
        const found = await store.snapshot((reads) =>
          verifyStore({ reads, apex, language, keys, maySendTo, mayBelowOthers, pastHead, report: take }),
        );
        return { ...found, faults, repaired };
      } catch (error) {
        // What is damaged may not be readable.
        if (damage.length === 0 || !isStorageFailure(error)) throw error;
        return { verified: {}, unproven: new Map(), faults, repaired };
      }
    },
  };
}
