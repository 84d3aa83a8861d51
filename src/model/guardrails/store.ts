import type { Fqdn, OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';

/** A recordset that points at a name. */
export interface Pointer {
  readonly zoneId: string;
  readonly name: OwnerName;
  readonly type: StoredType;
  /** Undefined for the managed NS of a zone. */
  readonly recordsetId: string | undefined;
}

/** What is stored at and around a name, in the zone that it belongs to. */
export interface NameSurroundings {
  readonly zone: { readonly id: string; readonly name: Fqdn; readonly projectId: string };
  /** True for a secondary zone before its first transfer: its names are not known. */
  readonly isAwaited: boolean;
  /** The key of the name that precedes it in the zone's tree order, and of the one that follows. */
  readonly neighbours: readonly string[];
  /** The recordsets at the name, at the names above it, and at the wildcards below those. */
  readonly recordsets: readonly { readonly key: string; readonly type: StoredType }[];
}

/** Reads for guardrails, each of a bounded number of index lookups. Several asked at once take one round trip. */
export interface GuardrailReads {
  /**
   * Recordsets in zones of the project that point at the name: all, or at least `limit`.
   * @param type only those of this type
   */
  pointersTo(
    projectId: string,
    target: OwnerName,
    limit: number,
    type?: StoredType,
  ): Promise<readonly Pointer[]>;
  /** Zones of the project whose managed NS names the server: all, or at least `limit`. */
  servedBy(projectId: string, server: OwnerName, limit: number): Promise<readonly Pointer[]>;
  /** Those of the names that a recordset in a zone of the project may point at, or that are name servers of a pool. */
  neededAmong(projectId: string, names: readonly OwnerName[]): Promise<ReadonlySet<OwnerName>>;
  /** The types of the recordsets at a name of a zone. */
  typesAt(zoneId: string, name: OwnerName): Promise<readonly StoredType[]>;
  /** Undefined if the name is in no zone here. */
  around(name: OwnerName): Promise<NameSurroundings | undefined>;
  /** The number of recordsets at or below the name with a key, or at least `limit`. */
  countBelow(zoneId: string, key: string, limit: number): Promise<number>;
  hasZone(projectId: string, name: OwnerName): Promise<boolean>;
}

/** The progress of indexing the targets of recordsets that earlier versions wrote. */
export interface TargetIndexProgress {
  readonly passes: number;
  /** When the last pass finished; '' for never. */
  readonly finishedAt: string;
}

export interface TargetIndexReads {
  progress(): Promise<TargetIndexProgress>;
}

export interface TargetIndexWrites {
  /**
   * Indexes the next recordsets of the current pass. Only one process at a time may call this.
   * @returns true if the pass is not finished
   */
  indexNext(now: string): Promise<boolean>;
}
