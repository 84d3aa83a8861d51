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
  /** A scope sees the requests it created and those that target it. */
  readonly requests: TransferRequestReads;
  readonly accepts: TransferAcceptReads;
}

export interface TransferWrites {
  findRequest(id: string): Promise<TransferRequest | undefined>;
  lockRequest(id: string): Promise<TransferRequest | undefined>;
  /** Returns false, with nothing stored, if the zone already has an open request. */
  insertRequest(request: TransferRequest): Promise<boolean>;
  updateRequest(request: TransferRequest): void;
  removeRequest(id: string): void;
  insertAccept(accept: TransferAccept): void;
  /** Removes a project's oldest closed requests and oldest accepts beyond `count` of each. */
  keepNewest(projectId: string, count: number): void;
}
