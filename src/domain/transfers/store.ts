import type { Scope } from '../acts/scope.ts';
import type { Page } from '../lists.ts';
import type { TransferAccept, TransferQuery, TransferRequest } from './transfer.ts';

export interface TransferReads {
  findRequest(id: string): Promise<TransferRequest | undefined>;
  /** Those that the scope made, and those that name it as their target. Throws `marker_not_found`. */
  listRequests(query: TransferQuery, scope: Scope): Promise<Page<TransferRequest>>;
  findAccept(id: string, scope: Scope): Promise<TransferAccept | undefined>;
  /** Throws `marker_not_found`. */
  listAccepts(query: TransferQuery, scope: Scope): Promise<Page<TransferAccept>>;
}

export interface TransferWrites {
  findRequest(id: string): Promise<TransferRequest | undefined>;
  lockRequest(id: string): Promise<TransferRequest | undefined>;
  /** False, and nothing stored, when the zone has an open request already. */
  insertRequest(request: TransferRequest): Promise<boolean>;
  updateRequest(request: TransferRequest): void;
  removeRequest(id: string): void;
  insertAccept(accept: TransferAccept): void;
  /** Removes the oldest requests of a project that are not open, and the oldest accepts, beyond so many of each. */
  keepNewest(projectId: string, count: number): void;
}
