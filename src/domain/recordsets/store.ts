import type { Scope } from '../acts/scope.ts';
import type { Lists } from '../lists.ts';
import type { Zone } from '../zones/zone.ts';
import type { ListedRecordset, Recordset, RecordsetQuery } from './recordset.ts';
import type { Placed, Surroundings } from './recordset-location.ts';

export interface RecordsetPages {
  /** The recordsets of a zone that follow one, or the first: by the tree of names, then by type. */
  inTreeOrder(zoneId: string, after?: Pick<Recordset, 'name' | 'type'>): Promise<readonly Recordset[]>;
}

/** Their lists and counts have the managed recordsets, too. */
export interface RecordsetReads
  extends RecordsetPages,
    Lists<ListedRecordset, RecordsetQuery, Scope | { readonly zoneId: string }> {
  find(zoneId: string, id: string): Promise<Recordset | undefined>;
  zoneOf(id: string, scope: Scope): Promise<string | undefined>;
}

export interface RecordsetWrites extends RecordsetPages {
  find(zoneId: string, id: string): Promise<Recordset | undefined>;
  surroundings(zone: Zone, placed: Placed): Promise<Surroundings>;
  /** False, and nothing stored, when one of the names has a recordset of the type already. */
  insert(recordsets: readonly Recordset[]): Promise<boolean>;
  /** Stores the first recordsets of a new zone. */
  insertApex(soa: Recordset, nameServers: Recordset): void;
  update(recordset: Recordset): void;
  remove(id: string): void;
  /** Removes all recordsets of a zone, with turns for others. */
  removeAll(zoneId: string): Promise<void>;
  /** How many records the largest recordset of a zone has, the managed ones left out. */
  mostRecords(zoneId: string): Promise<number>;
  /** Gives all recordsets of a zone to a project, with turns for others. */
  moveTo(zoneId: string, projectId: string): Promise<void>;
}
