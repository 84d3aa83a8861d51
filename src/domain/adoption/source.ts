/** Another service whose zones, and all that belongs to them, are taken over. */
import type { OwnerName } from '../../dns/names.ts';
import type { RecordType } from '../../dns/record-types.ts';
import type { BlacklistDraft } from '../../model/blacklists/blacklist.ts';
import type { Kept } from '../../model/kept.ts';
import type { QuotaChanges } from '../../model/quotas/quota.ts';
import type { TldDraft } from '../../model/tlds/tld.ts';
import type { TransferRequest } from '../../model/transfers/transfer.ts';
import type { TsigKeyDraft } from '../../model/tsig-keys/tsig-key.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { PoolDraft } from '../pools/pools.ts';

/** One thing as the source gives it, or why it cannot be taken. */
export type Given<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly id: string | null; readonly name: string | null; readonly reason: string };

interface SourceZoneHead
  extends Kept,
    Pick<Zone, 'name' | 'projectId' | 'description' | 'attributes' | 'version'> {
  readonly poolId: string;
  /** Whether it is being deleted. */
  readonly isLeaving: boolean;
  /** Whether the source knows shares at all. */
  readonly mayBeShared: boolean;
}

export interface SourcePrimary
  extends SourceZoneHead,
    Pick<Zone, 'email' | 'ttl' | 'serial' | 'transferredAt'> {
  readonly type: 'PRIMARY';
}

/** A zone whose contents, SOA and serial are those of its masters. */
export interface SourceSecondary extends SourceZoneHead {
  readonly type: 'SECONDARY';
  /** As they were sent. */
  readonly masters: readonly string[];
}

export type SourceZone = SourcePrimary | SourceSecondary;

export interface SourceShare extends Kept {
  readonly targetProjectId: string;
}

/** A recordset whose records are still as they were sent. */
export interface SourceRecordset extends Kept {
  readonly name: OwnerName;
  readonly type: RecordType;
  /** Whose it is: of the owner of the zone, or of a project that the zone is shared with. */
  readonly projectId: string;
  /** Seconds; null means the zone's TTL. */
  readonly ttl: number | null;
  readonly records: readonly string[];
  readonly description: string | null;
  readonly version: number;
  /** Whether it is being deleted. */
  readonly isLeaving: boolean;
}

export type SourceTransferRequest = Kept &
  Pick<TransferRequest, 'zoneId' | 'zoneName' | 'targetProjectId' | 'description' | 'key' | 'status'>;

export type SourcePool = PoolDraft & Kept;
export type SourceTsigKey = TsigKeyDraft & Kept;
export type SourceTld = Required<TldDraft> & Kept;
export type SourceBlacklist = Kept &
  Pick<BlacklistDraft, 'pattern'> & { readonly description: string | null };

/** Each list is read anew, a page at a time, in the order of creation. All methods throw SourceTrouble. */
export interface Source {
  /** How many zones it says it has, if it says so. */
  countZones(): Promise<number | undefined>;
  pools(): AsyncIterable<Given<SourcePool>>;
  tsigKeys(): AsyncIterable<Given<SourceTsigKey>>;
  /** The limits in force for a project. */
  quotas(projectId: string): Promise<Given<QuotaChanges>>;
  zones(): AsyncIterable<Given<SourceZone>>;
  recordsets(zoneId: string): AsyncIterable<Given<SourceRecordset>>;
  shares(zoneId: string): AsyncIterable<Given<SourceShare>>;
  transferRequests(): AsyncIterable<Given<SourceTransferRequest>>;
  tlds(): AsyncIterable<Given<SourceTld>>;
  blacklists(): AsyncIterable<Given<SourceBlacklist>>;
}

/** The source cannot be read any further now. What has been taken over by then stays. */
export class SourceTrouble extends Error {
  override readonly name: string = 'SourceTrouble';
}

/** What was asked for is not in the source any more. */
export class GoneFromSource extends SourceTrouble {
  override readonly name = 'GoneFromSource';
}
