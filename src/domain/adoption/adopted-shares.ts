/** The shares of an adopted zone. */
import { DomainError } from '../../model/errors.ts';
import { MAX_SHARES, type Share } from '../../model/shares/share.ts';
import type { ShareReads } from '../../model/shares/store.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { requireFewShares } from '../shares/shares.ts';
import type { SourceShare, SourceZone } from './source.ts';
import type { WantedShares } from './wanted-shares.ts';
import type { RecordsetDifference } from './zone-differences.ts';

const ALL_SHARES = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: MAX_SHARES } as const;
const ID_TAKEN =
  'Another zone has a share with the id of one of its shares. Delete that share at the source.';

/** Every share of a zone. */
export async function readShares(reads: ShareReads, zoneId: string): Promise<readonly Share[]> {
  return (await reads.list(ALL_SHARES, { zoneId, scope: 'all projects' }, '')).items;
}

/**
 * Inserts shares; must precede the recordsets of the projects they admit.
 * @throws DomainError `over_quota`, `duplicate_shared_zone`
 */
export async function insertShares(
  tx: Transaction,
  zone: Zone,
  shares: readonly SourceShare[],
): Promise<void> {
  for (const { id, targetProjectId, createdAt, updatedAt } of shares) {
    await requireFewShares(tx, zone.id, targetProjectId);
    const { id: zoneId, projectId } = zone;
    const share = { id, zoneId, projectId, targetProjectId, recordsets: 0, createdAt, updatedAt };
    if (!(await tx.shares.insert(share))) throw new DomainError('duplicate_shared_zone', ID_TAKEN);
  }
}

/** What an update does to shares and to the recordsets of their projects. */
export interface ShareChanges {
  /** Inserted before the recordsets are written. */
  readonly missing: readonly SourceShare[];
  /** Removed after the recordsets are written. */
  readonly over: readonly Share[];
  /** Projects whose shares ended at the source, but are kept here for recordsets that the source does not have. */
  readonly held: ReadonlySet<string>;
}

/**
 * Determines which shares to add and remove. A share that cannot be read at the source may be one of those here, so
 * none is removed then.
 * @param zone the zone at the source
 */
export function shareChanges(
  { zone, shares, refused }: WantedShares & { readonly zone: SourceZone },
  present: readonly Share[],
  recordsets: readonly RecordsetDifference[],
): ShareChanges {
  const here = new Set(present.map(({ targetProjectId }) => targetProjectId));
  const there = new Set(shares.map(({ targetProjectId }) => targetProjectId));
  const mayGo = zone.mayBeShared && refused.every(({ thing }) => thing !== 'share');
  const ended = mayGo ? present.filter(({ targetProjectId }) => !there.has(targetProjectId)) : [];
  const users = new Set(
    recordsets.flatMap((one) => (one.kind === 'only here' ? [one.present.projectId] : [])),
  );
  const over = ended.filter(({ targetProjectId }) => !users.has(targetProjectId));
  return {
    missing: shares.filter(({ targetProjectId }) => !here.has(targetProjectId)),
    over,
    held: new Set(ended.filter((one) => !over.includes(one)).map(({ targetProjectId }) => targetProjectId)),
  };
}
