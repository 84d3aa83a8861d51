import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { TransferAccept, TransferQuery, TransferRequest } from './transfer.ts';

export interface TransferRequestReads extends Lists<TransferRequest, TransferQuery, Scope> {
  find(id: string): Promise<TransferRequest | undefined>;
}

export interface TransferAcceptReads extends Lists<TransferAccept, TransferQuery, Scope> {
  find(id: string, scope: Scope): Promise<TransferAccept | undefined>;
}

export interface TransferReads {
  /** A scope sees the requests it created and those that name it as their target. */
  readonly requests: TransferRequestReads;
  readonly accepts: TransferAcceptReads;
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
