import type { Fqdn } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { DeletedZone, DeletedZoneQuery, KeptDeletedZone } from './deleted-zone.ts';

/** Stored recordsets, as `effects-text.ts` writes them: each was removed. */
export interface DeletedContents {
  /** @param onBehalfOf the project that the read is for */
  contents(contentsId: string, onBehalfOf: string): AsyncIterable<string>;
}

export interface DeletedZoneReads extends DeletedContents, Lists<DeletedZone, DeletedZoneQuery, Scope> {
  find(id: string, scope: Scope): Promise<KeptDeletedZone | undefined>;
}

/** How many deleted zones a project keeps, and how many bytes they take. */
export interface DeletedZoneBounds {
  readonly zones: number;
  readonly bytes: number;
}

/** A part of the upkeep. Each handles a bounded number of rows, and returns true if more are left. */
export interface DeletedZoneUpkeep {
  /** Removes the contents of entries that are gone. */
  removeContents(limit: number): Promise<boolean>;
  /** Forgets zones that were deleted before a time. */
  expire(before: string, limit: number): Promise<boolean>;
  /** Forgets the oldest of a project that has too many. Looks only at projects with new ones. */
  shorten(bounds: DeletedZoneBounds, limit: number): Promise<boolean>;
}

export interface DeletedZoneWrites extends DeletedContents, DeletedZoneUpkeep {
  /**
   * Keeps a deleted zone, in place of an earlier one with its id.
   * @param bytes the size of its contents
   */
  insert(zone: KeptDeletedZone, bytes: number): void;
  /** @param number the place of the part, from 0 */
  insertContents(contentsId: string, number: number, part: string): void;
  lock(id: string, scope: Scope): Promise<KeptDeletedZone | undefined>;
  /** The last serials of the deleted zones with this name that were deleted last. */
  serialsOf(name: Fqdn): Promise<readonly number[]>;
  /** Removes the entry of a zone that is restored. */
  remove(zone: KeptDeletedZone): void;
  /** Removes an entry for good, with the history of its zone. */
  forget(zone: Pick<KeptDeletedZone, 'id' | 'contentsId'>): void;
}
