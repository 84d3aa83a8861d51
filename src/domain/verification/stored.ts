/** What is read to verify the store, as it is stored, and what is found to be wrong. */

import type { Blacklist } from '../blacklists/blacklist.ts';
import type { ProjectState } from '../quotas/quota.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { ZoneTask } from '../tasks/zone-task.ts';
import type { ApiToken } from '../tokens/api-token.ts';
import type { TransferAccept, TransferRequest } from '../transfers/transfer.ts';
import type { Zone } from '../zones/zone.ts';
import type { Totals } from '../zones/zone-change.ts';

export interface StoredZone {
  readonly zone: Zone;
  readonly subtreeKey: string;
  /** Whether the attributes could be read; they are left out where they could not. */
  readonly readable: boolean;
}

export interface StoredRecordset {
  readonly recordset: Recordset;
  readonly subtreeKey: string;
  /** Whether the records are a list of texts; they are left out where they are not. */
  readonly readable: boolean;
}

export interface StoredBlacklist {
  readonly blacklist: Blacklist;
  readonly number: number;
  /** Whether what it is found and sorted by is that of its pattern. */
  readonly keysRight: boolean;
}

export interface StoredTransferRequest {
  readonly request: TransferRequest;
  /** Whose zone it is now; undefined where there is no such zone. */
  readonly owner: string | undefined;
}

export interface StoredTransferAccept {
  readonly accept: TransferAccept;
  /** Whether the zone is there still: its accepts go with it. */
  readonly hasZone: boolean;
}

export interface StoredToken {
  readonly token: ApiToken;
  /** Whether the roles are a list of texts; they are left out where they are not. */
  readonly readable: boolean;
}

/** The answer to a create with an idempotency key, but for its body. */
export interface StoredAnswer {
  readonly key: string;
  readonly bodyHash: string;
  readonly status: number;
  readonly createdAt: string;
  /** Whether the headers can be read, and there is a body. */
  readonly readable: boolean;
}

/** How many zones and recordsets there are, without the managed ones. */
export interface Counted {
  readonly zones: number;
  readonly recordsets: number;
}

export interface StoredProject {
  readonly projectId: string;
  /** The counters and the limits; undefined where zones have a project that has no row. */
  readonly state: ProjectState | undefined;
  readonly counted: Counted;
}

type TreeZone = Pick<Zone, 'id' | 'name' | 'projectId'> & { readonly subtreeKey: string };

/** Reads of one state of the whole store, a page at a time; each page follows the last entry of the one before. */
export interface VerificationReads {
  zones(after: StoredZone | undefined): Promise<readonly StoredZone[]>;
  /** Each zone right before all zones below it. */
  zonesInTreeOrder(after: TreeZone | undefined): Promise<readonly TreeZone[]>;
  /** By zone, in the order of zones; within it each name right before all names below it. */
  recordsets(after: StoredRecordset | undefined): Promise<readonly StoredRecordset[]>;
  projects(after: StoredProject | undefined): Promise<readonly StoredProject[]>;
  blacklists(after: StoredBlacklist | undefined): Promise<readonly StoredBlacklist[]>;
  transferRequests(after: StoredTransferRequest | undefined): Promise<readonly StoredTransferRequest[]>;
  transferAccepts(after: StoredTransferAccept | undefined): Promise<readonly StoredTransferAccept[]>;
  zoneTasks(after: ZoneTask | undefined): Promise<readonly ZoneTask[]>;
  tokens(after: StoredToken | undefined): Promise<readonly StoredToken[]>;
  answers(after: StoredAnswer | undefined): Promise<readonly StoredAnswer[]>;
  /** Of the blacklists. */
  revision(): Promise<number>;
}

/** What a repair reads and writes beside the change of a zone. */
export interface VerificationWrites {
  /** The zone as it is stored, locked. */
  lockZone(id: string): Promise<StoredZone | undefined>;
  /** Counts what a zone holds beside its SOA and the NS at its apex. What cannot be read counts as empty. */
  countZone(id: string): Promise<Totals>;
  /** Counts what a project has, and corrects its counters. */
  recountProject(projectId: string): Promise<void>;
}

export interface Finding {
  readonly about:
    | 'zone'
    | 'recordset'
    | 'project'
    | 'blacklist'
    | 'transfer request'
    | 'transfer accept'
    | 'task'
    | 'token'
    | 'kept answer';
  readonly id: string;
  /** Its name, where it has one. */
  readonly name?: string;
  readonly fault: string;
  /** It is a counter that is wrong, and can be corrected. */
  readonly isCounter?: true;
}

/** One rule about what is stored: what is wrong, or nothing. */
export type Check<T> = (stored: T) => string | undefined;

/** The faults that the rules find, in their order. */
export function faultsOf<T>(stored: T, checks: readonly Check<T>[]): readonly string[] {
  return checks.map((check) => check(stored)).filter((fault) => fault !== undefined);
}
