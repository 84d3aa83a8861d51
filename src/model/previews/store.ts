import type { Fqdn } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { Preview, PreviewProgress, PreviewZone, PreviewZoneQuery, ZonePosition } from './preview.ts';

/** A zone for the search. */
export interface ExistingZone {
  readonly id: string;
  readonly name: Fqdn;
  readonly projectId: string;
  readonly createdAt: string;
}

/** Lists of the zones that a preview found. */
export interface PreviewReads extends Lists<PreviewZone, PreviewZoneQuery, string> {
  /** Ignores cancelled previews. */
  find(id: string, scope: Scope): Promise<Preview | undefined>;
  /** Ids of unfinished previews that no process holds: new ones first, then those waiting longest. */
  waiting(now: string, limit: number): Promise<readonly string[]>;
  /** The id of a preview that ended before this time, or was cancelled. */
  outdated(endedBefore: string): Promise<string | undefined>;
  /** The next zones created up to `createdBy`, in order of creation. This is a long read on behalf of a project. */
  existing(
    after: ZonePosition,
    createdBy: string,
    limit: number,
    onBehalfOf: string,
  ): Promise<readonly ExistingZone[]>;
  /** Total number of zones. */
  countZones(onBehalfOf: string): Promise<number>;
}

/** A process that holds a preview. */
export interface Holder {
  readonly id: string;
  /** The process. */
  readonly holder: string;
  /** Until this time no other process takes the preview over. */
  readonly until: string;
}

export interface PreviewWrites {
  /** Hides the project's finished previews except the newest. Hidden previews are removed later. */
  hideOld(projectId: string, newest: number): void;
  /** Returns false, with nothing stored, if another preview of the project is running. */
  insert(preview: Preview): Promise<boolean>;
  /** Takes a preview that no process holds. */
  take(by: Holder, now: string): Promise<Preview | undefined>;
  /** Extends the hold. Returns false if the preview was cancelled, or another process has taken it over. */
  keep(by: Holder): Promise<boolean>;
  /** Like `keep`, and stores progress and new results. */
  advance(
    by: Holder,
    progress: PreviewProgress,
    found: readonly PreviewZone[],
    now: string,
  ): Promise<boolean>;
  /** Ends a preview that the process holds. */
  end(by: Holder, status: 'COMPLETE' | 'ERROR', message: string | null, now: string): void;
  /** Lets another process take the preview over from `until` on. */
  release(by: Holder): void;
  /** Ends a preview regardless of its holder, and hides it. Returns false if there is none. */
  cancel(id: string, scope: Scope, now: string): Promise<boolean>;
  /** Removes part of a preview. Returns true if more may be left. */
  removeSome(id: string): Promise<boolean>;
}
