import { MAX_SHARES } from '../../model/shares/share.ts';
import type { AdoptionOutcome } from './outcome.ts';
import type { AdoptionSource, Given, SourceShare, SourceZone } from './source.ts';

/** The shares of a zone at the source. */
export interface WantedShares {
  readonly shares: readonly SourceShare[];
  /** Shares that are left out, each with the reason. */
  readonly refused: readonly AdoptionOutcome[];
}

const TWICE = 'The zone has another share with this project, or this id. Delete one of them at the source.';

function refusal({ id, name, reason }: Omit<Extract<Given<never>, { ok: false }>, 'ok'>): AdoptionOutcome {
  return { thing: 'share', id, name, outcome: 'refused', reason };
}

/** Collects the shares of one zone. */
class SharesGathering implements WantedShares {
  readonly shares: SourceShare[] = [];
  readonly refused: AdoptionOutcome[] = [];
  readonly #taken = new Set<string>();

  add(given: Given<SourceShare>): void {
    if (given.ok) this.#addRead(given.value);
    else this.refused.push(refusal(given));
  }

  #addRead(share: SourceShare): void {
    const { id, targetProjectId } = share;
    if (this.#taken.has(id) || this.#taken.has(targetProjectId))
      this.refused.push(refusal({ id, name: targetProjectId, reason: TWICE }));
    else this.shares.push(share);
    this.#taken.add(id).add(targetProjectId);
  }
}

/**
 * Reads the shares of a zone, except one with its owner. Reads at most one more than a zone may have, since the zone is
 * then refused.
 * @throws SourceTrouble
 */
export async function readWantedShares(
  source: Pick<AdoptionSource, 'shares'>,
  { id, projectId, mayBeShared }: SourceZone,
): Promise<WantedShares> {
  const gathering = new SharesGathering();
  if (!mayBeShared) return gathering;
  for await (const given of source.shares(id)) {
    if (given.ok && given.value.targetProjectId === projectId) continue;
    gathering.add(given);
    if (gathering.shares.length + gathering.refused.length > MAX_SHARES) break;
  }
  return gathering;
}
