/** Stored rows as read by verification, and the faults found in them. */

import type { Blacklist } from '../blacklists/blacklist.ts';
import type { KeptDeletedZone } from '../deleted-zones/deleted-zone.ts';
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
import type { HistoryVerificationReads } from './stored-history.ts';

export interface StoredZone {
  readonly zone: Zone;
  readonly subtreeKey: string;
  /** False if the attributes are unreadable; then they are empty here. */
  readonly readable: boolean;
  /** False if its own timers are unreadable; then they are missing here. True if it has none. */
  readonly timersReadable: boolean;
  /** False if its own guardrail modes are unreadable; then they are missing here. True if it has none. */
  readonly modesReadable: boolean;
  /** True if searches by part of its name find it. */
  readonly isIndexed: boolean;
}

export interface StoredRecordset {
  readonly recordset: Recordset;
  readonly subtreeKey: string;
  /** True if the zone is shared with the recordset's project. */
  readonly isShared: boolean;
  /**
   * False unless the records are a list of strings and their spellings an object of strings; then they are empty here.
   */
  readonly readable: boolean;
  /** True if the index of targets has exactly the names that it points at, or is still being built. */
  readonly isIndexed: boolean;
}

export interface StoredBlacklist {
  /** True if a list holds it, or it was created by hand. */
  readonly isHeld: boolean;
  readonly blacklist: Blacklist;
  readonly number: number;
  /** True if its search and sort keys match its pattern. */
  readonly haveValidKeys: boolean;
  /** False if the exceptions are unreadable; then they are empty here. */
  readonly readable: boolean;
  /** True if its expiry has been processed. */
  readonly hasEnded: boolean;
}

export interface StoredTransferRequest {
  readonly request: TransferRequest;
  /** The zone's current owner; undefined if the zone does not exist. */
  readonly owner: string | undefined;
}

export interface StoredShare {
  readonly share: Share;
  /** False unless the scope is an object; then the share has none here. */
  readonly readable: boolean;
  /** The zone's current owner; undefined if the zone does not exist. */
  readonly owner: string | undefined;
  /** Number of the target's recordsets in the zone. */
  readonly counted: number;
}

export interface StoredToken {
  readonly token: ApiToken;
  /** False unless the roles are a list of strings; then they are empty here. */
  readonly readable: boolean;
}

/** The response to a create with an idempotency key, without its body. */
export interface StoredAnswer {
  readonly key: string;
  readonly bodyHash: string;
  readonly status: number;
  readonly createdAt: string;
  /** True if the headers are readable and there is a body. */
  readonly readable: boolean;
}

/** Number of zones and recordsets, excluding managed ones. */
export interface ZoneTotals {
  readonly zones: number;
  readonly recordsets: number;
}

export interface StoredProject {
  readonly projectId: string;
  /** Counters and limits; undefined if the project has zones but no row. */
  readonly state: ProjectState | undefined;
  readonly counted: ZoneTotals;
}

type TreeZone = Pick<Zone, 'id' | 'name' | 'projectId'> & { readonly subtreeKey: string };

/** A list's hold on a blacklist. */
export interface StoredHolder {
  readonly key: string;
  readonly list: string;
  readonly blacklistId: string;
  readonly hasBlacklist: boolean;
  /** Also true if the list is still being created. */
  readonly hasList: boolean;
}

export interface StoredList {
  readonly name: string;
  readonly entries: number;
  /** Number of blacklists it holds. */
  readonly counted: number;
}

export interface StoredTsigKey {
  readonly key: TsigKey;
  /** What the id in the key refers to. */
  readonly resource: 'POOL' | 'ZONE' | 'nothing';
  /** The zone that it refers to. */
  readonly zone: Pick<Zone, 'name' | 'projectId'> | undefined;
}

/** A deleted zone, and what a restore needs: undefined if it is unreadable. */
export interface StoredDeletedZone {
  readonly id: string;
  readonly name: string;
  readonly contentsId: string;
  readonly kept: KeptDeletedZone | undefined;
}

/** Reads one snapshot of the whole store by keyset: each page starts after the last entry of the previous one. */
export interface VerificationReads extends HistoryVerificationReads {
  zones(after: StoredZone | undefined): Promise<readonly StoredZone[]>;
  /** Ordered so that each zone comes right before all zones below it. */
  zonesInTreeOrder(after: TreeZone | undefined): Promise<readonly TreeZone[]>;
  /** Ordered by zone; within a zone, each name comes right before all names below it. */
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
  /** The holds of lists on blacklists. */
  blacklistHolders(after: StoredHolder | undefined): Promise<readonly StoredHolder[]>;
  blacklistLists(): Promise<readonly StoredList[]>;
  /** The ids of orders to publish, and of members of catalogs, whose zones do not exist. */
  strayOrders(after: string | undefined): Promise<readonly string[]>;
  /** Every pool. There are few. */
  pools(): Promise<readonly Pool[]>;
  tsigKeys(after: StoredTsigKey | undefined): Promise<readonly StoredTsigKey[]>;
  deletedZones(after: StoredDeletedZone | undefined): Promise<readonly StoredDeletedZone[]>;
  /** The parts of the contents of a deleted zone. */
  deletedContents(contentsId: string): AsyncIterable<string>;
  /** The revision of the blacklists. */
  revision(): Promise<number>;
}

/** Reads and writes for a repair, except zone changes. */
export interface VerificationWrites {
  /** The zone as stored, locked. */
  lockZone(id: string): Promise<StoredZone | undefined>;
  /**
   * Counts the contents of a zone without its SOA and apex NS, and corrects the sizes of its recordsets. Unreadable
   * records do not count.
   */
  recountZone(id: string): Promise<Totals>;
  /**
   * Converts the names in a zone's recordsets to their current form. Recordsets that then have the same name and type
   * are merged.
   * @returns the number of recordsets that disappeared
   */
  rewriteNames(zone: Pick<Zone, 'id' | 'type'>): Promise<number>;
  /** Reindexes the name of a zone. */
  reindexZone(id: string): Promise<void>;
  /** Corrects the index of the names that a zone's recordsets point at. */
  reindexTargets(zoneId: string): Promise<void>;
  /** Removes the order and the members of a zone that does not exist. */
  removeStrayOrder(orderId: string): Promise<void>;
  /** Recounts the recordsets of a share's target, and corrects the counter. */
  recountShare(id: string): Promise<void>;
  /** Recounts the contents of a project's zones, and corrects its counters. */
  recountProject(projectId: string): Promise<void>;
  /** Recounts the changes of a zone or project, and corrects their size. @param id the kind and the id */
  recountHistory(id: string): Promise<void>;
  /** Recounts the blacklists that a list holds, and corrects its counter. */
  recountList(name: string): Promise<void>;
}

export interface Finding {
  readonly about:
    | 'database'
    | 'zone'
    | 'deleted zone'
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
    | 'order'
    | 'TSIG key'
    | 'kept answer'
    | 'event'
    | 'change'
    | 'history'
    | 'head of the events';
  readonly id: string;
  /** Its name, if it has one. */
  readonly name?: string;
  readonly fault: string;
  /**
   * Set for faults that can be repaired: a wrong counter, a wrong index entry, or names in the form of an earlier
   * version.
   */
  readonly isCounter?: true;
  /** Set if nothing is wrong in the store, but the operator may want to know. */
  readonly isNotice?: true;
}

/** A check of stored data. Returns the fault, or undefined. */
export type StoredCheck<T> = (stored: T) => string | undefined;

/** The faults found, in the order of the checks. */
export function faultsOf<T>(stored: T, checks: readonly StoredCheck<T>[]): readonly string[] {
  return checks.map((check) => check(stored)).filter((fault) => fault !== undefined);
}
