/** Another service whose zones and related resources are adopted. */
import type { OwnerName } from '../../dns/names.ts';
import type { RecordType } from '../../dns/record-types.ts';
import type { BlacklistDraft } from '../../model/blacklists/blacklist.ts';
import type { ImportedMetadata } from '../../model/imported-metadata.ts';
import type { QuotaChanges } from '../../model/quotas/quota.ts';
import type { TldDraft } from '../../model/tlds/tld.ts';
import type { TransferRequest } from '../../model/transfers/transfer.ts';
import type { TsigKeyDraft } from '../../model/tsig-keys/tsig-key.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { PoolDraft } from '../pools/pools.ts';

/** A resource as the source returns it, or why it cannot be adopted. */
export type Given<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly id: string | null; readonly name: string | null; readonly reason: string };

interface SourceZoneHead
  extends ImportedMetadata,
    Pick<Zone, 'name' | 'projectId' | 'description' | 'attributes' | 'version'> {
  readonly poolId: string;
  /** True if it is being deleted. */
  readonly isLeaving: boolean;
  /** True if the source supports shares. */
  readonly mayBeShared: boolean;
}

export interface SourcePrimary
  extends SourceZoneHead,
    Pick<Zone, 'email' | 'ttl' | 'serial' | 'transferredAt'> {
  readonly type: 'PRIMARY';
}

/** A zone whose contents, SOA and serial come from its masters. */
export interface SourceSecondary extends SourceZoneHead {
  readonly type: 'SECONDARY';
  /** As sent, not parsed. */
  readonly masters: readonly string[];
}

export type SourceZone = SourcePrimary | SourceSecondary;

export interface SourceShare extends ImportedMetadata {
  readonly targetProjectId: string;
}

/** A recordset with its records as sent, not parsed. */
export interface SourceRecordset extends ImportedMetadata {
  readonly name: OwnerName;
  readonly type: RecordType;
  /** The project it belongs to: the owner of the zone, or a project that the zone is shared with. */
  readonly projectId: string;
  /** In seconds; null means the zone's TTL. */
  readonly ttl: number | null;
  readonly records: readonly string[];
  readonly description: string | null;
  readonly version: number;
  /** True if it is being deleted. */
  readonly isLeaving: boolean;
}

export type SourceTransferRequest = ImportedMetadata &
  Pick<TransferRequest, 'zoneId' | 'zoneName' | 'targetProjectId' | 'description' | 'key' | 'status'>;

export type SourcePool = PoolDraft & ImportedMetadata;
export type SourceTsigKey = TsigKeyDraft & ImportedMetadata;
export type SourceTld = Required<TldDraft> & ImportedMetadata;
export type SourceBlacklist = ImportedMetadata &
  Pick<BlacklistDraft, 'pattern'> & { readonly description: string | null };

/** Each call reads its list anew, a page at a time, in the order of creation. All methods throw SourceTrouble. */
export interface AdoptionSource {
  /** Number of zones that the source reports, if it does. */
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

/** The source cannot be read any further now. Resources adopted until then are kept. */
export class SourceError extends Error {
  override readonly name: string = 'SourceTrouble';
}

/** The requested resource no longer exists in the source. */
export class GoneFromSource extends SourceError {
  override readonly name = 'GoneFromSource';
}
