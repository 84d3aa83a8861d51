import type { Fqdn } from '../dns/names.ts';
import type { ApiToken } from './api-token.ts';
import type { AuditReads, CounterWrites } from './audit.ts';
import type { Blacklist, BlacklistQuery } from './blacklist.ts';
import type { Caller } from './caller.ts';
import type { IdempotencyKeyReads, IdempotencyKeyWrites } from './idempotency-key.ts';
import type { Page } from './lists.ts';
import type { ProjectState, QuotaChanges } from './quota.ts';
import type { ListedRecordset, Recordset, RecordsetQuery } from './recordset.ts';
import type { Placed, Surroundings } from './recordset-location.ts';
import type { TransferAccept, TransferQuery, TransferRequest } from './transfer.ts';
import type { FullestZone, Zone, ZoneQuery, ZoneScope } from './zone.ts';
import type { ZoneTask, ZoneTaskQuery } from './zone-task.ts';

/** Where the blacklists stand: it grows with each pattern that is added, changed or removed. */
export type Revision = number;

/** A pattern as the index knows it. Its number is the revision that brought it, and so is never used again. */
export interface NumberedPattern {
  readonly number: Revision;
  readonly pattern: string;
}

export interface BlacklistReads {
  find(id: string): Promise<Blacklist | undefined>;
  /** The entry that holds the pattern of this number now, if any still does. */
  findByNumber(number: number): Promise<Blacklist | undefined>;
  /** Throws `marker_not_found`. */
  list(query: BlacklistQuery): Promise<Page<Blacklist>>;
  stream(query: Omit<BlacklistQuery, 'limit' | 'marker'>): AsyncIterable<readonly Blacklist[]>;
  revision(): Promise<Revision>;
  count(): Promise<number>;
  /** What was added after one revision and up to another and is there still, in batches; from 0: every pattern. */
  added(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
  /** What was removed after one revision and up to another, in batches. */
  removed(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
}

export interface BlacklistWrites {
  /** The revision as it is committed now; nobody else raises it while this transaction holds a name. */
  revision(): Promise<Revision>;
  lock(id: string): Promise<Blacklist | undefined>;
  /** Stores the entries whose pattern is not there yet and returns how many those were. */
  insert(blacklists: readonly Blacklist[]): Promise<number>;
  /** False, and nothing changed, when another entry has the new pattern. */
  update(current: Blacklist, changed: Blacklist): Promise<boolean>;
  remove(blacklist: Blacklist): Promise<void>;
  /** Marks the patterns of these numbers as having used up the budget of one more check. */
  markExhausted(numbers: readonly number[], at: string): Promise<void>;
}

/** The zones that stand in the way of a new name. */
export interface NameConflicts {
  readonly duplicate: boolean;
  /** A zone above the name belongs to another project; the other one, a zone below it. */
  readonly foreignParent: boolean;
  readonly foreignChild: boolean;
}

export interface ZoneReads {
  find(id: string, scope: ZoneScope): Promise<Zone | undefined>;
  /** Throws `marker_not_found`. */
  list(query: ZoneQuery, scope: ZoneScope): Promise<Page<Zone>>;
  /** How many zones match; from the counters where nothing is filtered. */
  count(filters: ZoneQuery['filters'], scope: ZoneScope): Promise<number>;
  /** The zone of a project that holds the most records. */
  fullest(projectId: string): Promise<FullestZone | undefined>;
}

export interface ZoneWrites {
  /**
   * Waits for the name: until this transaction ends nobody else creates or moves a zone at it, above it or below it,
   * and nobody changes the blacklists. It comes before any other lock.
   */
  lockName(name: Fqdn): Promise<void>;
  lock(id: string, scope: ZoneScope): Promise<Zone | undefined>;
  conflicts(name: Fqdn, projectId: string): Promise<NameConflicts>;
  hasChildren(name: Fqdn): Promise<boolean>;
  /** Those of the names that are names of zones. */
  namesAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores a zone whose name is locked and free. */
  insert(zone: Zone): Promise<void>;
  update(zone: Zone, soa: string): Promise<void>;
  /** With its transfer requests and accepts; its recordsets go first. */
  remove(zone: Zone): Promise<void>;
}

export interface RecordsetPages {
  /** The recordsets of a zone that follow one, or the first: by the tree of names, then by type. */
  inTreeOrder(zoneId: string, after?: Pick<Recordset, 'name' | 'type'>): Promise<readonly Recordset[]>;
}

export interface RecordsetReads extends RecordsetPages {
  find(zoneId: string, id: string): Promise<Recordset | undefined>;
  zoneOf(id: string, scope: ZoneScope): Promise<string | undefined>;
  /** Throws `marker_not_found`. */
  list(query: RecordsetQuery, within: ZoneScope | { zoneId: string }): Promise<Page<ListedRecordset>>;
  /** How many match, the managed ones included; from the counters where nothing is filtered. */
  count(filters: RecordsetQuery['filters'], within: ZoneScope | { zoneId: string }): Promise<number>;
}

export interface RecordsetWrites extends RecordsetPages {
  find(zoneId: string, id: string): Promise<Recordset | undefined>;
  surroundings(zone: Zone, placed: Placed): Promise<Surroundings>;
  /** False, and nothing stored, when one of the names has a recordset of the type already. */
  insert(recordsets: readonly Recordset[]): Promise<boolean>;
  /** Stores the first recordsets of a new zone. */
  insertApex(soa: Recordset, nameServers: Recordset): Promise<void>;
  update(recordset: Recordset): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes all recordsets of a zone, with turns for others. */
  removeAll(zoneId: string): Promise<void>;
  /** How many records the largest recordset of a zone has, the managed ones left out. */
  mostRecords(zoneId: string): Promise<number>;
  /** Gives all recordsets of a zone to a project, with turns for others. */
  moveTo(zoneId: string, projectId: string): Promise<void>;
}

export interface ProjectReads {
  /** What is stored of a project: its usage, and the limits that were set for it. */
  state(projectId: string): Promise<ProjectState>;
}

/** What a project gains; negative where it loses. */
export interface ProjectGrowth {
  readonly zones?: number;
  readonly recordsets?: number;
}

export interface ProjectWrites {
  /** The state of a project, which nobody else changes before this transaction ends. */
  lock(projectId: string): Promise<ProjectState>;
  /** Adds to the project's counters. */
  grow(projectId: string, by: ProjectGrowth): Promise<void>;
  setQuotas(projectId: string, changes: QuotaChanges): Promise<ProjectState>;
  resetQuotas(projectId: string): Promise<void>;
}

export interface ZoneTaskReads {
  find(kind: ZoneTask['kind'], id: string, scope: ZoneScope): Promise<ZoneTask | undefined>;
  /** Throws `marker_not_found`. */
  list(kind: ZoneTask['kind'], query: ZoneTaskQuery, scope: ZoneScope): Promise<Page<ZoneTask>>;
}

export interface ZoneTaskWrites {
  insert(task: ZoneTask): Promise<void>;
  /** Removes the oldest of a project, beyond so many. */
  keepNewest(kind: ZoneTask['kind'], projectId: string, count: number): Promise<void>;
  /** False when there is no such task. */
  remove(kind: ZoneTask['kind'], id: string, scope: ZoneScope): Promise<boolean>;
}

export interface TransferReads {
  findRequest(id: string): Promise<TransferRequest | undefined>;
  /** Those that the scope made, and those that name it as their target. Throws `marker_not_found`. */
  listRequests(query: TransferQuery, scope: ZoneScope): Promise<Page<TransferRequest>>;
  findAccept(id: string, scope: ZoneScope): Promise<TransferAccept | undefined>;
  /** Throws `marker_not_found`. */
  listAccepts(query: TransferQuery, scope: ZoneScope): Promise<Page<TransferAccept>>;
}

export interface TransferWrites {
  findRequest(id: string): Promise<TransferRequest | undefined>;
  lockRequest(id: string): Promise<TransferRequest | undefined>;
  /** False, and nothing stored, when the zone has an open request already. */
  insertRequest(request: TransferRequest): Promise<boolean>;
  updateRequest(request: TransferRequest): Promise<void>;
  removeRequest(id: string): Promise<void>;
  insertAccept(accept: TransferAccept): Promise<void>;
  /** Removes the oldest requests of a project that are not open, and the oldest accepts, beyond so many of each. */
  keepNewest(projectId: string, count: number): Promise<void>;
}

export interface ApiTokenReads {
  find(id: string): Promise<ApiToken | undefined>;
  list(): Promise<readonly ApiToken[]>;
}

export interface ApiTokenWrites {
  insert(token: ApiToken): Promise<void>;
  /** False when there is no such token. */
  remove(id: string): Promise<boolean>;
  /** Whether there is none; nobody else finds that out, too, before this transaction ends. */
  lockEmpty(): Promise<boolean>;
}

export interface Transaction {
  readonly blacklists: BlacklistWrites;
  readonly zones: ZoneWrites;
  readonly recordsets: RecordsetWrites;
  readonly projects: ProjectWrites;
  readonly zoneTasks: ZoneTaskWrites;
  readonly counters: CounterWrites;
  readonly transfers: TransferWrites;
  readonly apiTokens: ApiTokenWrites;
  readonly idempotencyKeys: IdempotencyKeyWrites;
}

/** The store. Reads see what is committed; every write goes through a transaction. */
export interface Store {
  readonly blacklists: BlacklistReads;
  readonly zones: ZoneReads;
  readonly recordsets: RecordsetReads;
  readonly projects: ProjectReads;
  readonly zoneTasks: ZoneTaskReads;
  readonly transfers: TransferReads;
  readonly apiTokens: ApiTokenReads;
  readonly idempotencyKeys: IdempotencyKeyReads;
  /**
   * Runs the work as one transaction, committed when it returns and rolled back when it throws. It may run more
   * than once, so it does nothing outside the transaction. Throws `storage_unavailable`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs reads of the whole store that all see the same state of it, whatever is committed meanwhile. */
  snapshot<T>(work: (audit: AuditReads) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface PatternWarning {
  readonly code: string;
  readonly message: string;
}

/** What can be said of a pattern alone. */
export interface PatternLanguage {
  /** Why the text is no pattern, with the position, or undefined. */
  fault(pattern: string): string | undefined;
  warnings(pattern: string): readonly PatternWarning[];
}

export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked'; readonly key: number }
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };

/** All patterns of the blacklists, ready to be asked about a name. */
export interface NameIndex {
  readonly size: number;
  add(number: number, pattern: string): void;
  remove(number: number, pattern: string): void;
  clear(): void;
  /** The verdict on a name in all its forms, the Unicode one too; long checks of different projects take turns. */
  check(forms: readonly string[], onBehalfOf: string): Promise<Verdict>;
}

/** Who may do what. The rules are named in docs/policy.md. */
export interface Policy {
  allows(rule: string, caller: Caller, target: { readonly projectId?: string }): boolean;
}

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
