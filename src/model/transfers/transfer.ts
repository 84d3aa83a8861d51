import type { Fqdn } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { ListQuery } from '../lists.ts';

/** ACTIVE: can be accepted. COMPLETE: has been accepted. ERROR: closed after too many wrong keys. */
export type TransferStatus = 'ACTIVE' | 'COMPLETE' | 'ERROR';

/** The offer of a zone to another project. */
export interface TransferRequest {
  readonly id: string;
  readonly zoneId: string;
  readonly zoneName: Fqdn;
  /** The zone's owner when the request was made. */
  readonly projectId: string;
  /** The only project that may accept; null lets any project with the key accept. */
  readonly targetProjectId: string | null;
  readonly description: string | null;
  readonly key: string;
  readonly status: TransferStatus;
  /** Number of wrong keys received. */
  readonly wrongKeys: number;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** A request as projects other than its owner see it. */
export type SeenTransferRequest = Omit<TransferRequest, 'key' | 'targetProjectId'> &
  Partial<Pick<TransferRequest, 'key' | 'targetProjectId'>>;

export interface TransferRequestDraft {
  readonly description?: string | null | undefined;
  readonly targetProjectId?: string | null | undefined;
}

/** The acceptance of an offered zone. */
export interface TransferAccept {
  readonly id: string;
  readonly requestId: string;
  readonly zoneId: string;
  /** The project that received the zone. */
  readonly projectId: string;
  readonly key: string;
  readonly createdAt: string;
}

export const TRANSFER_SORT_KEYS = ['created_at', 'id', 'updated_at', 'status'] as const;
export const TRANSFER_FILTERS = ['status'] as const;
export type TransferQuery = ListQuery<(typeof TRANSFER_SORT_KEYS)[number], (typeof TRANSFER_FILTERS)[number]>;

/** The request as visible to a scope: in full to its owner, without the key to possible recipients, else undefined. */
export function seenBy(scope: Scope, request: TransferRequest): SeenTransferRequest | undefined {
  if (scope === 'all projects' || scope.projectId === request.projectId) return request;
  const { key: _key, targetProjectId, ...outline } = request;
  return targetProjectId === null || targetProjectId === scope.projectId ? outline : undefined;
}
