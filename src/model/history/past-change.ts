/** A change of a zone as the journal keeps it. */
import type { Recordset } from '../recordsets/recordset.ts';
import type { Zone } from '../zones/zone.ts';
import type { ChangeSource } from './change-source.ts';

/** What a change did to one recordset. One of the two is always there. */
export interface RecordsetEffect {
  readonly before: Recordset | undefined;
  readonly after: Recordset | undefined;
}

/** Number of recordsets created, updated and deleted. */
export interface ChangeSummary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

export function changesAsText({ create, update, delete: deleted }: ChangeSummary): string {
  return `${create} created, ${update} changed and ${deleted} deleted recordsets`;
}

/** The properties of a zone that the journal keeps beside its recordsets. */
export interface ZoneFacts extends Pick<Zone, 'ttl' | 'email' | 'projectId'> {
  /** The rdata of the SOA. */
  readonly soa: string;
}

/** A change without what it did to recordsets. */
export interface PastChange extends ChangeSource {
  /** A version 7 UUID. In one zone, ids have the order of the changes. */
  readonly id: string;
  readonly zoneId: string;
  /** The owner after the change. */
  readonly projectId: string;
  /** The version of the zone after the change. */
  readonly number: number;
  /** Null if the change created the zone. */
  readonly fromSerial: number | null;
  readonly toSerial: number;
  readonly at: string;
  readonly summary: ChangeSummary;
  readonly before: ZoneFacts;
  readonly after: ZoneFacts;
  /** True if the journal has what the change did, so that it can be undone. */
  readonly isWhole: boolean;
}

/** A change with what it did, as `effects-text.ts` writes it; null if that is not kept. */
export interface WrittenChange extends Omit<PastChange, 'isWhole'> {
  readonly effects: string | null;
  /** False if only IXFR needs the entry. */
  readonly isKept: boolean;
  /** Size of the difference for IXFR, in bytes; 0 if IXFR cannot serve it. */
  readonly differenceBytes: number;
}
