import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { TsigKey, TsigKeyQuery } from './tsig-key.ts';

/** Which keys a list holds: all, or those that the projects of a scope have made. */
export type TsigKeysWithin = 'all keys' | { readonly madeBy: Scope };

export interface TsigKeyReads extends Lists<TsigKey, TsigKeyQuery, TsigKeysWithin> {
  /** Every key with the scope POOL, by name. There are few. */
  ofPools(): Promise<readonly TsigKey[]>;
  /** The keys with the scope ZONE and the id of one of these zones, by name. */
  ofZones(zoneIds: readonly string[]): Promise<readonly TsigKey[]>;
  find(id: string): Promise<TsigKey | undefined>;
  findByName(name: string): Promise<TsigKey | undefined>;
  /** The first key, by name, with the scope ZONE and this zone's id, that may transfer. */
  findOfZone(zoneId: string): Promise<TsigKey | undefined>;
  /** The keys, by name, with the scope ZONE and this zone's id, that have a permission to update. */
  updatersOf(zoneId: string, limit: number): Promise<readonly TsigKey[]>;
}

export interface TsigKeyWrites {
  /** The keys with these names. */
  named(names: readonly string[]): Promise<readonly TsigKey[]>;
  /** Locks the keys with the scope ZONE and this zone's id. */
  lockOfZone(zoneId: string): Promise<readonly TsigKey[]>;
  lock(id: string): Promise<TsigKey | undefined>;
  /** Whether a key has this name. */
  hasName(name: string): Promise<boolean>;
  /** Returns false if a key has this name. */
  insert(key: TsigKey): Promise<boolean>;
  update(key: TsigKey): void;
  remove(id: string): void;
}
