import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { Share, ShareQuery } from './share.ts';

/** The shares of a zone visible to a scope: all of them to its owner, only its own to a target project. */
export interface SharesWithin {
  readonly zoneId: string;
  readonly scope: Scope;
}

export interface ShareReads extends Lists<Share, ShareQuery, SharesWithin> {
  find(id: string, within: SharesWithin): Promise<Share | undefined>;
}

/** The zone must be locked for all of these. */
export interface ShareWrites {
  find(id: string, within: SharesWithin): Promise<Share | undefined>;
  /** Number of shares of the zone, and number of zones shared with the project. */
  counts(
    zoneId: string,
    targetProjectId: string,
  ): Promise<{ readonly given: number; readonly received: number }>;
  isShared(zoneId: string): Promise<boolean>;
  /** Returns false, with nothing stored, if the zone is already shared with the project. */
  insert(share: Share): Promise<boolean>;
  remove(id: string): void;
  /** Adds to the count of the target project's recordsets in the zone. */
  grow(zoneId: string, targetProjectId: string, recordsets: number): void;
  /** Moves the shares to the zone's new owner, and ends the new owner's own share. */
  moveTo(zoneId: string, owner: string, now: string): void;
}
