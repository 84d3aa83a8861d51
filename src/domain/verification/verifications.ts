import type { Act } from '../acts/act.ts';
import type { PatternLanguage } from '../blacklists/pattern-language.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { ApexSettings } from '../zones/apex.ts';
import type { ZoneChanges } from '../zones/zone-changes.ts';
import { zoneTarget } from '../zones/zone-target.ts';
import type { Finding } from './stored.ts';
import { type Verified, verifyStore } from './verification.ts';

export interface VerificationDeps extends Pick<UseCaseDeps, 'store' | 'acts'> {
  readonly changes: ZoneChanges;
  readonly apex: ApexSettings;
  readonly language: Pick<PatternLanguage, 'fault'>;
}

/** How a verification is run. */
export interface VerificationOrder {
  /** Whether wrong counters are corrected. */
  readonly repairs: boolean;
  /** Receives each finding and is awaited, so that findings do not pile up. */
  report(finding: Finding, isRepaired: boolean): void;
}

export interface VerificationResult {
  readonly verified: Verified;
  readonly faults: number;
  readonly repaired: number;
}

/** The use cases of verification. */
export function verificationUseCases({ store, acts, changes, apex, language }: VerificationDeps) {
  function repairZone(act: Act, id: string): Promise<void> {
    return acts.change(act, { kind: 'zone', id }, async (tx, tell) => {
      const stored = await tx.verification.lockZone(id);
      if (stored === undefined) return;
      const { zone } = stored;
      const counted = await tx.verification.recountZone(id);
      const applied = await changes.apply(tx, { kind: 'correction', zone, counted });
      tell({ type: 'zone.repaired', target: zoneTarget(zone), ...applied });
    });
  }

  /** Counts again under the lock, since the data may have changed after the finding. */
  async function repair(act: Act, { about, id }: Finding): Promise<void> {
    if (about === 'zone') await repairZone(act, id);
    else if (about === 'share') await acts.commit(act, (tx) => tx.verification.recountShare(id));
    else await acts.commit(act, (tx) => tx.verification.recountProject(id));
  }

  return {
    /** Verifies everything stored. On request it corrects counters, and nothing else. */
    async verify(act: Act, { repairs, report }: VerificationOrder): Promise<VerificationResult> {
      let faults = 0;
      let repaired = 0;
      const take = async (finding: Finding): Promise<void> => {
        faults += 1;
        const isRepaired = repairs && finding.isCounter === true;
        if (isRepaired) await repair(act, finding);
        if (isRepaired) repaired += 1;
        report(finding, isRepaired);
      };
      const verified = await store.snapshot((reads) => verifyStore({ reads, apex, language, report: take }));
      return { verified, faults, repaired };
    },
  };
}
