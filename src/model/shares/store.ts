import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { Share, ShareQuery } from './share.ts';

/** The shares of a zone that a scope sees: its owner all of them, a project that it is shared with its own. */
export interface SharesWithin {
  readonly zoneId: string;
  readonly scope: Scope;
}

export interface ShareReads extends Lists<Share, ShareQuery, SharesWithin> {
  find(id: string, within: SharesWithin): Promise<Share | undefined>;
}

/** All of these are called while the zone is locked. */
export interface ShareWrites {
  find(id: string, within: SharesWithin): Promise<Share | undefined>;
  /** How many shares a zone has, and how many zones are shared with a project. */
  counts(
    zoneId: string,
    targetProjectId: string,
  ): Promise<{ readonly given: number; readonly received: number }>;
  isShared(zoneId: string): Promise<boolean>;
  /** False, and nothing stored, when the zone is shared with the project already. */
  insert(share: Share): Promise<boolean>;
  remove(id: string): void;
  /** Counts recordsets that a project has in a zone of another. */
  grow(zoneId: string, targetProjectId: string, recordsets: number): void;
  /** Follows a zone to its new owner, whose own share ends. */
  moveTo(zoneId: string, owner: string, now: string): void;
}
