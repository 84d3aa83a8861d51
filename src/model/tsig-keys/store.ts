import type { Lists } from '../lists.ts';
import type { TsigKey, TsigKeyQuery } from './tsig-key.ts';

export interface TsigKeyReads extends Lists<TsigKey, TsigKeyQuery> {
  /** Every key. There are few. */
  all(): Promise<readonly TsigKey[]>;
  find(id: string): Promise<TsigKey | undefined>;
  /** The first key, by name, with the scope ZONE and this zone's id. */
  findOfZone(zoneId: string): Promise<TsigKey | undefined>;
}

export interface TsigKeyWrites {
  all(): Promise<readonly TsigKey[]>;
  lock(id: string): Promise<TsigKey | undefined>;
  /** Whether a key has this name. */
  hasName(name: string): Promise<boolean>;
  insert(key: TsigKey): void;
  update(key: TsigKey): void;
  remove(id: string): void;
}
