/** A zone change as one value: the request and its result. */
import { isDeepStrictEqual } from 'node:util';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { epochSeconds, notBefore } from '../clock.ts';
import type { ZonePool } from '../pools/pool.ts';
import type { ThresholdState } from '../quotas/quota-thresholds.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { IncomingSoa } from '../secondaries/secondary.ts';
import type { HiddenRecords } from '../zones/hidden-records.ts';
import { parseRname } from '../zones/mailbox.ts';
import { nextSerial } from '../zones/serial.ts';
import { NOTHING, sum, type Totals } from '../zones/totals.ts';
import type { Zone } from '../zones/zone.ts';

/** A recordset that a change adds, replaces or removes. */
export type ContentChange =
  | { readonly kind: 'added'; readonly recordset: Recordset }
  | { readonly kind: 'replaced'; readonly before: Recordset; readonly recordset: Recordset }
  | { readonly kind: 'removed'; readonly recordset: Recordset };

/**
 * The effect of a change on the recordsets of a zone: totals, and a stream of parts that is read only once and may not
 * fit into memory.
 */
export interface Contents {
  readonly growth: Totals;
  /** Record counts, after and before the change, of the recordset that grows to the largest size. */
  readonly largest: { readonly now: number; readonly before: number };
  readonly parts: Iterable<ContentChange> | AsyncIterable<ContentChange>;
  /** True if DNS data changes, so that the serial increases. */
  readonly steps: boolean;
  /** The amount written, if it differs from the growth. */
  readonly written?: { readonly recordsets: number; readonly bytes: number };
}

type Properties = Partial<Pick<Zone, 'email' | 'ttl' | 'soa' | 'description' | 'masters' | 'projectId'>>;

/** A change of one zone. Except for a create, the zone is locked. */
export type ZoneChange =
  /** `zone` is the new zone, still empty. */
  | { readonly kind: 'creation'; readonly zone: Zone; readonly contents: Contents }
  | {
      readonly kind: 'update';
      readonly zone: Zone;
      readonly properties: Properties;
      readonly contents: Contents;
      /** Minimum for the new serial; defaults to the current time in seconds. */
      readonly leastSerial?: number;
    }
  /**
   * The zone enters another pool. Its serial always increases, except for a secondary zone, where it is the master's.
   */
  | { readonly kind: 'move'; readonly zone: Zone; readonly pool: ZonePool; readonly contents: Contents }
  /** A secondary zone takes the contents of its master, including SOA and serial. */
  | { readonly kind: 'transfer'; readonly zone: Zone; readonly soa: IncomingSoa; readonly contents: Contents }
  /** With `waits`, the zone keeps its name and its share of the quota until its name servers have dropped it. */
  | { readonly kind: 'deletion'; readonly zone: Zone; readonly waits: boolean }
  /** The zone is deleted here at once, but stays on its name servers. */
  | { readonly kind: 'abandonment'; readonly zone: Zone }
  /** Only wrong counters change: the zone's DNS data and serial stay the same. */
  | { readonly kind: 'correction'; readonly zone: Zone; readonly counted: Totals };

/** The result of a change: the zone before and after it. At most one of them is undefined. */
export interface AppliedChange {
  readonly kind: ZoneChange['kind'];
  readonly before: Zone | undefined;
  readonly after: Zone | undefined;
  readonly contents: Contents;
  /** The SOA that a master sent. */
  readonly soa?: IncomingSoa;
  /** Quota thresholds that the change crosses. */
  readonly nearness?: ThresholdState;
  /** Records of the parent zone that a new zone hides, as far as its creator may see them. */
  readonly hides?: HiddenRecords | undefined;
}

/** Number of records that count towards the totals: none if managed. */
function countOf({ managed, records }: Recordset): number {
  return managed ? 0 : records.length;
}

/** Number of records of a part after and before the change. */
function recordsOf(part: ContentChange): { now: number; before: number } {
  const own = countOf(part.recordset);
  if (part.kind === 'removed') return { now: 0, before: own };
  return { now: own, before: part.kind === 'added' ? 0 : countOf(part.before) };
}

function bytesOf({ kind, recordset: { bytes }, ...part }: ContentChange): number {
  if (kind === 'removed') return -bytes;
  return 'before' in part ? bytes - part.before.bytes : bytes;
}

/** Whether a part changes DNS data: a description, a spelling or the order of records does not. */
export function altersData(part: ContentChange): boolean {
  if (part.kind !== 'replaced') return true;
  const { before, recordset } = part;
  if (before.ttl !== recordset.ttl || before.records.length !== recordset.records.length) return true;
  const present = new Set(before.records);
  return !recordset.records.every((text) => present.has(text));
}

/** What one part adds to the totals of its zone. */
export function growthOf(part: ContentChange): Totals {
  const { now, before } = recordsOf(part);
  const recordsets = { added: 1, replaced: 0, removed: -1 }[part.kind];
  return { recordsets, records: now - before, bytes: bytesOf(part) };
}

/** Sums up parts for the head of their change. */
export class ContentsHead {
  growth = NOTHING;
  largest: Contents['largest'] = { now: 0, before: 0 };
  steps = false;
  written = { recordsets: 0, bytes: 0 };

  add(part: ContentChange): void {
    const records = recordsOf(part);
    this.growth = sum(this.growth, growthOf(part));
    if (records.now > records.before && records.now > this.largest.now) this.largest = records;
    this.steps ||= altersData(part);
    const { recordsets, bytes } = this.written;
    this.written = { recordsets: recordsets + 1, bytes: bytes + part.recordset.bytes };
  }
}

/** The contents of a change that fits into memory. */
export function contentsOf(...parts: readonly ContentChange[]): Contents {
  return contentsOfParts(parts);
}

/** Like `contentsOf`, for an array of parts. */
export function contentsOfParts(parts: readonly ContentChange[]): Contents {
  const head = new ContentsHead();
  for (const part of parts) head.add(part);
  return { growth: head.growth, largest: head.largest, steps: head.steps, parts };
}

export const NO_CONTENTS = contentsOf();

type Update = Extract<ZoneChange, { kind: 'update' }>;
type Transfer = Extract<ZoneChange, { kind: 'transfer' }>;

/** Whether an update changes DNS data. A new zone TTL counts, since records inherit it; a new owner does not. */
function steps({ zone, properties, contents }: Update): boolean {
  const { email = zone.email, ttl = zone.ttl, soa = zone.soa } = properties;
  return contents.steps || email !== zone.email || ttl !== zone.ttl || !isDeepStrictEqual(soa, zone.soa);
}

/** Increments a zone's version, and its serial if its data changes. */
function stepped(
  change: ZoneChange,
  isData: boolean,
  now: string,
): Pick<Zone, 'serial' | 'version' | 'updatedAt'> {
  const { zone } = change;
  const { leastSerial = epochSeconds(now) } = change.kind === 'update' ? change : {};
  return {
    serial: isData ? nextSerial(zone.serial, leastSerial) : zone.serial,
    version: zone.version + 1,
    updatedAt: notBefore(now, zone.createdAt, zone.updatedAt),
  };
}

/** A secondary zone after a transfer from its master. */
function received({ zone, soa, contents }: Transfer, now: string): Zone {
  return {
    ...zone,
    ...sum(zone, contents.growth),
    email: parseRname(soaFields(soa.rdata).rname) ?? zone.email,
    ttl: soa.ttl,
    serial: soa.serial,
    isAwaited: false,
    version: zone.version + 1,
    updatedAt: notBefore(now, zone.createdAt, zone.updatedAt),
    transferredAt: now,
  };
}

/** A zone that is empty here and waits for its name servers to drop it. */
function leaving(zone: Zone, now: string): Zone {
  const updatedAt = notBefore(now, zone.createdAt, zone.updatedAt);
  return { ...zone, ...NOTHING, status: 'PENDING', action: 'DELETE', updatedAt };
}

function after(change: ZoneChange, now: string): Zone | undefined {
  const { zone } = change;
  switch (change.kind) {
    case 'creation':
      return { ...zone, ...sum(zone, change.contents.growth) };
    case 'update':
      return {
        ...zone,
        ...change.properties,
        ...sum(zone, change.contents.growth),
        ...stepped(change, steps(change), now),
        // Also if a project takes over its own zone.
        transferredAt: change.properties.projectId === undefined ? zone.transferredAt : now,
      };
    case 'move': {
      const { pool, contents } = change;
      return {
        ...zone,
        pool,
        ...sum(zone, contents.growth),
        ...stepped(change, zone.type !== 'SECONDARY', now),
      };
    }
    case 'transfer':
      return received(change, now);
    case 'deletion':
      return change.waits ? leaving(zone, now) : undefined;
    case 'abandonment':
      return undefined;
    case 'correction':
      return { ...zone, ...change.counted };
  }
}

/** The zone after the change. */
export function outcomeOf(change: ZoneChange, now: string): AppliedChange {
  return {
    kind: change.kind,
    before: change.kind === 'creation' ? undefined : change.zone,
    after: after(change, now),
    contents: 'contents' in change ? change.contents : NO_CONTENTS,
    ...('soa' in change ? { soa: change.soa } : {}),
  };
}
