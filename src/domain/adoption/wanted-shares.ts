import { MOST_SHARES } from '../shares/share.ts';
import type { Outcome } from './outcome.ts';
import type { Given, Source, SourceShare, SourceZone } from './source.ts';

/** The shares of a zone of the source. */
export interface WantedShares {
  readonly shares: readonly SourceShare[];
  /** Those that are left out, each with the reason. */
  readonly refused: readonly Outcome[];
}

const TWICE = 'The zone has another share with this project, or this id. Delete one of them at the source.';

function refusal({ id, name, reason }: Omit<Extract<Given<never>, { ok: false }>, 'ok'>): Outcome {
  return { thing: 'share', id, name, outcome: 'refused', reason };
}

/**
 * Reads the shares of a zone; a share with its owner is none. One more than a zone may have are read at most: the zone is
 * refused for them.
 * @throws SourceTrouble
 */
export async function readWantedShares(
  source: Pick<Source, 'shares'>,
  { id: zoneId, projectId, mayBeShared }: SourceZone,
): Promise<WantedShares> {
  const shares: SourceShare[] = [];
  const refused: Outcome[] = [];
  const taken = new Set<string>([projectId]);
  if (!mayBeShared) return { shares, refused };
  for await (const given of source.shares(zoneId)) {
    if (!given.ok) refused.push(refusal(given));
    else {
      const { id, targetProjectId } = given.value;
      if (targetProjectId === projectId) continue;
      if (taken.has(id) || taken.has(targetProjectId))
        refused.push(refusal({ id, name: targetProjectId, reason: TWICE }));
      else shares.push(given.value);
      taken.add(id).add(targetProjectId);
    }
    if (shares.length + refused.length > MOST_SHARES) break;
  }
  return { shares, refused };
}
