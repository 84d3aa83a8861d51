/** A zone change as one value: the request and its result. */
import { isDeepStrictEqual } from 'node:util';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { epochSeconds, notBefore } from '../clock.ts';
import type { FormerApex } from '../deleted-zones/deleted-zone.ts';
import { changeIdAt } from '../history/change-id.ts';
import { BY_SERVICE, type ChangeSource } from '../history/change-source.ts';
import type { ZonePool } from '../pools/pool.ts';
import type { ThresholdState } from '../quotas/quota-thresholds.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { IncomingSoa } from '../secondaries/secondary.ts';
import type { HiddenRecords } from '../zones/hidden-records.ts';
import { parseRname } from '../zones/mailbox.ts';
import { nextSerial } from '../zones/serial.ts';
import { NOTHING, sum, type Totals } from '../zones/totals.ts';
import type { Zone, ZoneProperties } from '../zones/zone.ts';
import { type Contents, NO_CONTENTS } from './contents.ts';

type Properties = ZoneProperties & Partial<Pick<Zone, 'projectId'>>;

/** Who makes a change of a zone. */
interface Sourced {
  /** By default the service on its own. */
  readonly by?: ChangeSource;
}

/** What is known of a deleted zone that is created again: its history goes on. */
export interface RestoredState {
  /** Its last serial. */
  readonly serial: number;
  /** Undefined for a secondary zone. */
  readonly apex: FormerApex | undefined;
  /** What it had and has no longer. */
  readonly expired: readonly Recordset[];
}

/** A change of one zone. Except for a create, the zone is locked. */
export type ZoneChange =
  /** `zone` is the new zone, still empty. */
  | ({
      readonly kind: 'creation';
      readonly zone: Zone;
      readonly contents: Contents;
      readonly restored?: RestoredState | undefined;
    } & Sourced)
  | ({
      readonly kind: 'update';
      readonly zone: Zone;
      readonly properties: Properties;
      readonly contents: Contents;
      /** Minimum for the new serial; defaults to the current time in seconds. */
      readonly minSerial?: number;
    } & Sourced)
  /**
   * The zone enters another pool. Its serial always increases, except for a secondary zone, where it is the master's.
   */
  | ({
      readonly kind: 'move';
      readonly zone: Zone;
      readonly pool: ZonePool;
      readonly contents: Contents;
    } & Sourced)
  /** A secondary zone takes the contents of its master, including SOA and serial. */
  | ({
      readonly kind: 'transfer';
      readonly zone: Zone;
      readonly soa: IncomingSoa;
      readonly contents: Contents;
    } & Sourced)
  /** With `waits`, the zone keeps its name and its share of the quota until its name servers have dropped it. */
  | { readonly kind: 'deletion'; readonly zone: Zone; readonly waits: boolean }
  /** The zone is deleted here at once, but stays on its name servers. */
  | { readonly kind: 'abandonment'; readonly zone: Zone }
  /** Only wrong counters change: the zone's DNS data and serial stay the same. */
  | { readonly kind: 'correction'; readonly zone: Zone; readonly counted: Totals };

interface AppliedContents {
  readonly contents: Contents;
  /** The id under which the history keeps the change. */
  readonly changeId: string;
  readonly by: ChangeSource;
  /** Quota thresholds that the change crosses. */
  readonly thresholds?: ThresholdState;
}

export interface AppliedCreation extends AppliedContents {
  readonly kind: 'creation';
  readonly before: undefined;
  readonly after: Zone;
  /** Records of the parent zone that a new zone hides, as far as its creator may see them. */
  readonly hides?: HiddenRecords | undefined;
  readonly restored?: RestoredState | undefined;
}

export interface AppliedUpdate extends AppliedContents {
  readonly kind: 'update' | 'move' | 'correction';
  readonly before: Zone;
  readonly after: Zone;
}

export interface AppliedTransfer extends AppliedContents {
  readonly kind: 'transfer';
  readonly before: Zone;
  readonly after: Zone;
  /** The SOA that the master sent. */
  readonly soa: IncomingSoa;
}

export interface AppliedRemoval extends AppliedContents {
  readonly kind: 'deletion' | 'abandonment';
  readonly before: Zone;
  /** Set while the zone waits for its name servers to drop it. */
  readonly after: Zone | undefined;
}

/** The result of a change: the zone before and after it. */
export type AppliedChange = AppliedCreation | AppliedUpdate | AppliedTransfer | AppliedRemoval;

interface AppliedByKind {
  readonly creation: AppliedCreation;
  readonly update: AppliedUpdate;
  readonly move: AppliedUpdate;
  readonly correction: AppliedUpdate;
  readonly transfer: AppliedTransfer;
  readonly deletion: AppliedRemoval;
  readonly abandonment: AppliedRemoval;
}

/** The result of a change of one kind. */
export type Applied<Change extends ZoneChange> = AppliedByKind[Change['kind']];

type Update = Extract<ZoneChange, { kind: 'update' }>;
type PoolMove = Extract<ZoneChange, { kind: 'move' }>;
type Transfer = Extract<ZoneChange, { kind: 'transfer' }>;

/**
 * Whether an update changes DNS data. A new zone TTL counts, since records inherit it; a new owner or protection does
 * not.
 */
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
  const { minSerial = epochSeconds(now) } = change.kind === 'update' ? change : {};
  return {
    serial: isData ? nextSerial(zone.serial, minSerial) : zone.serial,
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

/** A zone after an update. */
function updated(change: Update, now: string): Zone {
  const { zone, properties, contents } = change;
  return {
    ...zone,
    ...properties,
    ...sum(zone, contents.growth),
    ...stepped(change, steps(change), now),
    // Also if a project takes over its own zone.
    transferredAt: properties.projectId === undefined ? zone.transferredAt : now,
  };
}

/** A zone in its new pool. */
function moved(change: PoolMove, now: string): Zone {
  const { zone, pool, contents } = change;
  const isData = zone.type !== 'SECONDARY';
  return { ...zone, pool, ...sum(zone, contents.growth), ...stepped(change, isData, now) };
}

/** The variant of `AppliedChange`, still without what all of them have. */
type Unsigned = { [C in AppliedChange as C['kind']]: Omit<C, 'changeId' | 'by'> }[AppliedChange['kind']];

function applied(change: ZoneChange, now: string): Unsigned {
  const { kind, zone } = change;
  switch (kind) {
    case 'creation': {
      const { contents, restored } = change;
      return {
        kind,
        before: undefined,
        after: { ...zone, ...sum(zone, contents.growth) },
        contents,
        restored,
      };
    }
    case 'update':
      return { kind, before: zone, after: updated(change, now), contents: change.contents };
    case 'move':
      return { kind, before: zone, after: moved(change, now), contents: change.contents };
    case 'transfer': {
      const { soa, contents } = change;
      return { kind, before: zone, after: received(change, now), contents, soa };
    }
    case 'deletion':
      return {
        kind,
        before: zone,
        after: change.waits ? leaving(zone, now) : undefined,
        contents: NO_CONTENTS,
      };
    case 'abandonment':
      return { kind, before: zone, after: undefined, contents: NO_CONTENTS };
    case 'correction':
      return { kind, before: zone, after: { ...zone, ...change.counted }, contents: NO_CONTENTS };
  }
}

/** The result of a change at a time. */
export function outcomeOf<Change extends ZoneChange>(change: Change, now: string): Applied<Change> {
  const result = applied(change, now);
  const { version, updatedAt, createdAt } = result.after ?? change.zone;
  // A repair changes neither the version nor the time of the zone, but it comes after the last change.
  const at = change.kind === 'correction' ? notBefore(now, createdAt, updatedAt) : (updatedAt ?? createdAt);
  const changeId = changeIdAt(at, version);
  const { by = BY_SERVICE } = 'by' in change ? change : {};
  return { changeId, by, ...result } as Applied<Change>;
}
