import { Span } from '../histories/span.ts';

/**
 * What may be in the store. A write that was answered leaves one possibility; one without an answer leaves two, and
 * may happen at any time until the next pause, so that what it touches is left alone until then. A zone that is leaving
 * is deleted, and keeps its name and its place in the quota until the name servers have dropped it.
 */
export type Presence = 'there' | 'leaving' | 'gone' | 'unsure';

export interface Recordset {
  readonly name: string;
  id: string | undefined;
  presence: Presence;
  /** The records that it may have, in one line. */
  possible: string[];
  /** An operation is under way on it, or has ended without an answer. */
  isBusy: boolean;
  /** The set of changes without an answer that may have made it, or deleted it. */
  set?: ChangeSetPart | undefined;
}

/** The part that one recordset has in a set of changes. */
export interface ChangeSetPart {
  /** What all parts of the set have in common. */
  readonly of: object;
  readonly does: 'create' | 'delete';
}

export interface Zone {
  readonly name: string;
  readonly tenant: Tenant;
  /** What its name has in common with others that one pattern blocks. */
  readonly group: number | undefined;
  /** When the request that may have made it began. */
  readonly born: number;
  id: string | undefined;
  presence: Presence;
  descriptions: (string | null)[];
  /** The greatest that was seen. */
  serial: number;
  readonly recordsets: Map<string, Recordset>;
  count: Span;
  /** Being deleted, or perhaps there: nothing else begins on it. */
  isClosed: boolean;
  isChanging: boolean;
  /** Told that the zone has left its place in the quota, once that is known. */
  left: ((hasLeft: boolean) => void) | undefined;
  underWay: number;
  /** Something was written since the last pause. */
  isTouched: boolean;
}

export const LIMITS = ['zones', 'zone_recordsets'] as const;
export type LimitName = (typeof LIMITS)[number];
export type Limits = Readonly<Record<LimitName, number>>;

/** What a project has to which nobody gave limits: the service's defaults. */
export const DEFAULTS: Limits = { zones: 10, zone_recordsets: 500 };

export interface Tenant {
  readonly id: string;
  readonly token: string;
  readonly kind: 'roomy' | 'tight' | 'family';
  zones: Span;
  limits: Record<LimitName, Span>;
  /** The sets of limits that may be in force. */
  possible: Limits[];
  /** The most zones that it may have: what it had at the last pause, or what a limit since then may have allowed. */
  peak: number;
  isSetting: boolean;
}

export function newTenant(id: string, token: string, kind: Tenant['kind']): Tenant {
  const limits = { zones: new Span(DEFAULTS.zones), zone_recordsets: new Span(DEFAULTS.zone_recordsets) };
  const peak = DEFAULTS.zones;
  return { id, token, kind, zones: new Span(0), limits, possible: [DEFAULTS], peak, isSetting: false };
}

export function newZone(
  of: Pick<Zone, 'name' | 'tenant' | 'group' | 'born'>,
  description: string | null,
): Zone {
  return {
    ...of,
    id: undefined,
    presence: 'unsure',
    descriptions: [description],
    serial: 0,
    recordsets: new Map(),
    count: new Span(0),
    isClosed: true,
    isChanging: false,
    left: undefined,
    underWay: 0,
    isTouched: true,
  };
}

/** Makes what was written to the list of what may be there, once it is known whether it was. */
export function settle<T>(possible: readonly T[], written: T, isDone: boolean | undefined): T[] {
  if (isDone === undefined) return [...possible, written];
  return isDone ? [written] : [...possible];
}
