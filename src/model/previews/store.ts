import type { Fqdn } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { Preview, PreviewProgress, PreviewZone, PreviewZoneQuery, ZonePosition } from './preview.ts';

/** A zone as a search sees it. */
export interface ExistingZone {
  readonly id: string;
  readonly name: Fqdn;
  readonly projectId: string;
  readonly createdAt: string;
}

/** The zones that a preview has found. */
export interface PreviewReads extends Lists<PreviewZone, PreviewZoneQuery, string> {
  /** None that was cancelled. */
  find(id: string, scope: Scope): Promise<Preview | undefined>;
  /** Those that no process is at: new ones first, then whoever waits longest. */
  waiting(now: string, limit: number): Promise<readonly string[]>;
  /** One that ended before, or was cancelled. */
  outdated(endedBefore: string): Promise<string | undefined>;
  /** The next zones that were created by then, in the order of their creation; on behalf of a project, as a long read. */
  existing(
    after: ZonePosition,
    createdBy: string,
    limit: number,
    onBehalfOf: string,
  ): Promise<readonly ExistingZone[]>;
  /** How many zones there are. */
  countZones(onBehalfOf: string): Promise<number>;
}

/** Who is at a preview. */
export interface Holder {
  readonly id: string;
  /** Of the process. */
  readonly holder: string;
  /** Until when no other takes it over. */
  readonly until: string;
}

export interface PreviewWrites {
  /** Hides those of the project that have ended, but for the newest; they are removed. */
  hideOld(projectId: string, newest: number): void;
  /** False, and nothing stored, where another one of the project is running. */
  insert(preview: Preview): Promise<boolean>;
  /** Takes one that no process is at. */
  take(by: Holder, now: string): Promise<Preview | undefined>;
  /** False where it was cancelled, or another process has taken it over. */
  keep(by: Holder): Promise<boolean>;
  /** The same, and stores how far it is, with what it has found since. */
  advance(
    by: Holder,
    progress: PreviewProgress,
    found: readonly PreviewZone[],
    now: string,
  ): Promise<boolean>;
  /** Ends one that the process is at. */
  end(by: Holder, status: 'COMPLETE' | 'ERROR', message: string | null, now: string): void;
  /** Lets another process take it over, from the time of `until` on. */
  release(by: Holder): void;
  /** Ends one, whoever is at it, and hides it. False where there is none. */
  cancel(id: string, scope: Scope, now: string): Promise<boolean>;
  /** Removes a part of one; returns whether there may be more of it. */
  removeSome(id: string): Promise<boolean>;
}
