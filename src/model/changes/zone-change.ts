/** A change of a zone as one value: the request and its result. */
import { isDeepStrictEqual } from 'node:util';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { epochSeconds, notBefore } from '../clock.ts';
import type { ZonePool } from '../pools/pool.ts';
import type { Nearness } from '../quotas/nearness.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { IncomingSoa } from '../secondaries/secondary.ts';
import type { HiddenRecords } from '../zones/hidden-records.ts';
import { parseRname } from '../zones/mailbox.ts';
import { nextSerial } from '../zones/serial.ts';
import { NOTHING, sum, type Totals } from '../zones/totals.ts';
import type { Zone } from '../zones/zone.ts';

/** One recordset that a change adds, replaces or removes. */
export type ContentChange =
  | { readonly kind: 'added'; readonly recordset: Recordset }
  | { readonly kind: 'replaced'; readonly before: Recordset; readonly recordset: Recordset }
  | { readonly kind: 'removed'; readonly recordset: Recordset };

/**
 * The effect of a change on the recordsets of a zone: a head with the totals, and a stream of parts, which is read once
 * and may not fit into memory.
 */
export interface Contents {
  readonly growth: Totals;
  /** The records of the recordset that grows to the largest size: after the change, and before. */
  readonly largest: { readonly now: number; readonly before: number };
  readonly parts: Iterable<ContentChange> | AsyncIterable<ContentChange>;
  /** Whether DNS data changes, so that the serial takes a step. */
  readonly steps: boolean;
  /** How much is written, where that is not the growth. */
  readonly written?: { readonly recordsets: number; readonly bytes: number };
}

type Properties = Partial<Pick<Zone, 'email' | 'ttl' | 'soa' | 'description' | 'masters' | 'projectId'>>;

/** One change of one zone. Except for a create, the zone is locked. */
export type ZoneChange =
  /** `zone` is the new zone, still empty. */
  | { readonly kind: 'creation'; readonly zone: Zone; readonly contents: Contents }
  | {
      readonly kind: 'update';
      readonly zone: Zone;
      readonly properties: Properties;
      readonly contents: Contents;
      /** The serial that the step has at least, where the time, in seconds, is not enough. */
      readonly leastSerial?: number;
    }
  /** The zone comes to another pool, which always takes a step of its serial, unless that is its master's. */
  | { readonly kind: 'move'; readonly zone: Zone; readonly pool: ZonePool; readonly contents: Contents }
  /** A secondary zone becomes what its master has: SOA and serial are the master's. */
  | { readonly kind: 'transfer'; readonly zone: Zone; readonly soa: IncomingSoa; readonly contents: Contents }
  /** With `waits`, the zone keeps its name and its place in the quota until it is gone from its name servers. */
  | { readonly kind: 'deletion'; readonly zone: Zone; readonly waits: boolean }
  /** The zone is forgotten here at once, and left on its name servers. */
  | { readonly kind: 'abandonment'; readonly zone: Zone }
  /** Only wrong counters change: the answers of secondaries stay the same, and so does the serial. */
  | { readonly kind: 'correction'; readonly zone: Zone; readonly counted: Totals };

/** The result of a change: the difference between two states of a zone, of which at most one is missing. */
export interface AppliedChange {
  readonly kind: ZoneChange['kind'];
  readonly before: Zone | undefined;
  readonly after: Zone | undefined;
  readonly contents: Contents;
  /** The SOA that a master has sent. */
  readonly soa?: IncomingSoa;
  /** What it tells of limits. */
  readonly nearness?: Nearness;
  /** What a new zone hides of the zone above it, as far as its creator may know. */
  readonly hides?: HiddenRecords | undefined;
}

/** The records that count: not the managed ones. */
function countOf({ managed, records }: Recordset): number {
  return managed ? 0 : records.length;
}

/** How many records a part has after the change, and before. */
function recordsOf(part: ContentChange): { now: number; before: number } {
  const own = countOf(part.recordset);
  if (part.kind === 'removed') return { now: 0, before: own };
  return { now: own, before: part.kind === 'added' ? 0 : countOf(part.before) };
}

function bytesOf({ kind, recordset: { bytes }, ...part }: ContentChange): number {
  if (kind === 'removed') return -bytes;
  return 'before' in part ? bytes - part.before.bytes : bytes;
}

/** Whether DNS data changes with a part: not with a description, a spelling or an order. */
export function altersData(part: ContentChange): boolean {
  if (part.kind !== 'replaced') return true;
  const { before, recordset } = part;
  if (before.ttl !== recordset.ttl || before.records.length !== recordset.records.length) return true;
  const present = new Set(before.records);
  return !recordset.records.every((text) => present.has(text));
}

/** The growth that one part adds to the totals of its zone. */
export function growthOf(part: ContentChange): Totals {
  const { now, before } = recordsOf(part);
  const recordsets = { added: 1, replaced: 0, removed: -1 }[part.kind];
  return { recordsets, records: now - before, bytes: bytesOf(part) };
}

/** Sums parts up to the head of the change that they make. */
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

/** The same, of any number of parts. */
export function contentsOfParts(parts: readonly ContentChange[]): Contents {
  const head = new ContentsHead();
  for (const part of parts) head.add(part);
  return { growth: head.growth, largest: head.largest, steps: head.steps, parts };
}

export const NO_CONTENTS = contentsOf();

type Update = Extract<ZoneChange, { kind: 'update' }>;
type Transfer = Extract<ZoneChange, { kind: 'transfer' }>;

/** Whether an update changes DNS data. What inherits the zone's TTL changes with it; an owner is no DNS data. */
function steps({ zone, properties, contents }: Update): boolean {
  const { email = zone.email, ttl = zone.ttl, soa = zone.soa } = properties;
  return contents.steps || email !== zone.email || ttl !== zone.ttl || !isDeepStrictEqual(soa, zone.soa);
}

/** One step of a zone's version, and of its serial if its data changes. */
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

/** A secondary zone as a master has it. */
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

/** A zone that is empty here, and waits for its name servers to drop it. */
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
        // Also where a project takes over a zone of its own.
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
