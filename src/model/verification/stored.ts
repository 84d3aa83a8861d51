/** The rows that verification reads, as stored, and the faults it finds. */

import type { Blacklist } from '../blacklists/blacklist.ts';
import type { EventHead, SealedEvent, WrittenEvent } from '../events/stored-event.ts';
import type { Pool } from '../pools/pool.ts';
import type { ProjectState } from '../quotas/quota.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { Share } from '../shares/share.ts';
import type { ZoneTask } from '../tasks/zone-task.ts';
import type { ApiToken } from '../tokens/api-token.ts';
import type { TransferAccept, TransferRequest } from '../transfers/transfer.ts';
import type { TsigKey } from '../tsig-keys/tsig-key.ts';
import type { Totals } from '../zones/totals.ts';
import type { Zone } from '../zones/zone.ts';

export interface StoredZone {
  readonly zone: Zone;
  readonly subtreeKey: string;
  /** Whether the attributes can be read; if not, they are missing here. */
  readonly readable: boolean;
  /** Whether its own timers can be read, if it has any; if not, they are missing here. */
  readonly timersReadable: boolean;
  /** Whether searches by a part of its name find it. */
  readonly isIndexed: boolean;
}

export interface StoredRecordset {
  readonly recordset: Recordset;
  readonly subtreeKey: string;
  /** Whether its zone is shared with its project. */
  readonly isShared: boolean;
  /** Whether the records are a list of strings, and their spellings an object of strings; if not, they are missing here. */
  readonly readable: boolean;
}

export interface StoredBlacklist {
  /** Whether a list or the hand holds it. */
  readonly isHeld: boolean;
  readonly blacklist: Blacklist;
  readonly number: number;
  /** Whether its search and sort keys match its pattern. */
  readonly keysRight: boolean;
  /** Whether the exceptions can be read; if not, they are missing here. */
  readonly readable: boolean;
  /** Whether it has been told that it has expired. */
  readonly hasEnded: boolean;
}

export interface StoredTransferRequest {
  readonly request: TransferRequest;
  /** The current owner of the zone; undefined if the zone does not exist. */
  readonly owner: string | undefined;
}

export interface StoredShare {
  readonly share: Share;
  /** The current owner of the zone; undefined if the zone does not exist. */
  readonly owner: string | undefined;
  /** How many recordsets of the zone are the target's. */
  readonly counted: number;
}

export interface StoredToken {
  readonly token: ApiToken;
  /** Whether the roles are a list of strings; if not, they are missing here. */
  readonly readable: boolean;
}

/** The answer to a create with an idempotency key, without its body. */
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
  /** The counters and the limits; undefined if the project of some zones has no row. */
  readonly state: ProjectState | undefined;
  readonly counted: Counted;
}

type TreeZone = Pick<Zone, 'id' | 'name' | 'projectId'> & { readonly subtreeKey: string };

/** That a list holds a blacklist. */
export interface StoredHolder {
  readonly key: string;
  readonly list: string;
  readonly blacklistId: string;
  readonly hasBlacklist: boolean;
  /** Also true where the list is still to come. */
  readonly hasList: boolean;
}

export interface StoredList {
  readonly name: string;
  readonly entries: number;
  /** How many it holds. */
  readonly counted: number;
}

export interface StoredTsigKey {
  readonly key: TsigKey;
  /** What has the id that the key names. */
  readonly resource: 'POOL' | 'ZONE' | 'nothing';
}

/** Reads one snapshot of the whole store by keyset: each page starts after the last entry of the previous one. */
export interface VerificationReads {
  zones(after: StoredZone | undefined): Promise<readonly StoredZone[]>;
  /** Each zone right before all zones below it. */
  zonesInTreeOrder(after: TreeZone | undefined): Promise<readonly TreeZone[]>;
  /** By zone, in the order of zones; within it each name right before all names below it. */
  recordsets(after: StoredRecordset | undefined): Promise<readonly StoredRecordset[]>;
  projects(after: StoredProject | undefined): Promise<readonly StoredProject[]>;
  blacklists(after: StoredBlacklist | undefined): Promise<readonly StoredBlacklist[]>;
  transferRequests(after: StoredTransferRequest | undefined): Promise<readonly StoredTransferRequest[]>;
  transferAccepts(after: TransferAccept | undefined): Promise<readonly TransferAccept[]>;
  shares(after: StoredShare | undefined): Promise<readonly StoredShare[]>;
  zoneTasks(after: ZoneTask | undefined): Promise<readonly ZoneTask[]>;
  tokens(after: StoredToken | undefined): Promise<readonly StoredToken[]>;
  answers(after: StoredAnswer | undefined): Promise<readonly StoredAnswer[]>;
  events(after: SealedEvent | undefined): Promise<readonly SealedEvent[]>;
  /** Events that are not sealed. */
  waitingEvents(after: WrittenEvent | undefined): Promise<readonly WrittenEvent[]>;
  eventHead(): Promise<EventHead>;
  /** What holds blacklists in lists. */
  blacklistHolders(after: StoredHolder | undefined): Promise<readonly StoredHolder[]>;
  blacklistLists(): Promise<readonly StoredList[]>;
  /** Every pool, and every TSIG key. There are few. */
  pools(): Promise<readonly Pool[]>;
  tsigKeys(): Promise<readonly StoredTsigKey[]>;
  /** Of the blacklists. */
  revision(): Promise<number>;
}

/** The reads and writes of a repair, other than the change of a zone. */
export interface VerificationWrites {
  /** The zone as it is stored, locked. */
  lockZone(id: string): Promise<StoredZone | undefined>;
  /**
   * Counts the contents of a zone without its SOA and apex NS, and corrects the sizes of its recordsets. Unreadable
   * records count as none.
   */
  recountZone(id: string): Promise<Totals>;
  /**
   * Gives the names in the recordsets of a zone their present form. Recordsets that become equal in name and type become one.
   * @returns how many fewer recordsets there are
   */
  rewriteNames(zone: Pick<Zone, 'id' | 'type'>): Promise<number>;
  /** Has the name of a zone indexed again. */
  reindexZone(id: string): Promise<void>;
  /** Counts the recordsets that belong to the target of a share, and corrects its counter. */
  recountShare(id: string): Promise<void>;
  /** Counts the contents of the zones of a project, and corrects its counters. */
  recountProject(projectId: string): Promise<void>;
  /** Counts the blacklists that a list holds, and corrects its counter. */
  recountList(name: string): Promise<void>;
}

export interface Finding {
  readonly about:
    | 'database'
    | 'zone'
    | 'recordset'
    | 'project'
    | 'blacklist'
    | 'list of blacklists'
    | 'transfer request'
    | 'transfer accept'
    | 'share'
    | 'task'
    | 'token'
    | 'pool'
    | 'TSIG key'
    | 'kept answer'
    | 'event'
    | 'head of the events';
  readonly id: string;
  /** Its name, if it has one. */
  readonly name?: string;
  readonly fault: string;
  /** A wrong counter, a missing entry of an index, or names in the form of an earlier version: what can be corrected. */
  readonly isCounter?: true;
  /** Nothing is wrong in the store: the operator may want to know. */
  readonly isNotice?: true;
}

/** One rule about stored data: returns the fault, or undefined. */
export type Check<T> = (stored: T) => string | undefined;

/** The faults that the rules find, in the order of the rules. */
export function faultsOf<T>(stored: T, checks: readonly Check<T>[]): readonly string[] {
  return checks.map((check) => check(stored)).filter((fault) => fault !== undefined);
}
