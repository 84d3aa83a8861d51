import type { Page } from '../lists.ts';
import type { JournalBounds } from '../publication/store.ts';
import type { PastChange, WrittenChange } from './past-change.ts';

/** Which changes of a zone to read, newest first. */
export interface ChangesQuery {
  readonly zoneId: string;
  /** Only changes with a smaller id. */
  readonly below?: string | undefined;
  /** Only changes with this id or a larger one. */
  readonly from?: string | undefined;
  readonly door?: string | undefined;
  /** Only changes that may mention this text: changes that are stored deflated are always among them. */
  readonly mentions?: string | undefined;
  readonly limit: number;
}

/** A change with the text of its effects; null if they are not kept. */
export interface EffectsOfChange extends PastChange {
  readonly effects: string | null;
}

export interface HistoryPages {
  /**
   * A page ends early if its changes are large.
   * @param onBehalfOf the project that the read is for
   */
  changesWithEffects(query: ChangesQuery, onBehalfOf: string): Promise<Page<EffectsOfChange>>;
}

export interface HistoryReads extends HistoryPages {
  changes(query: ChangesQuery, onBehalfOf: string): Promise<readonly PastChange[]>;
  find(zoneId: string, id: string): Promise<EffectsOfChange | undefined>;
  /** The id of the last change by which the zone got another owner. */
  lastHandover(zoneId: string): Promise<string | undefined>;
}

/** Bounds on what is kept for undoing, in bytes. */
export interface HistoryBounds {
  readonly maxBytesPerZone: number;
  readonly maxBytesPerProject: number;
}

/** A part of the upkeep. Each handles a bounded number of rows, and returns true if more are left. */
export interface HistoryUpkeep {
  /** Removes the changes of zones that are gone. */
  removeForgotten(limit: number): Promise<boolean>;
  /** Adds changes with a smaller id to the sizes of their zones and projects. */
  count(before: string, limit: number): Promise<boolean>;
  /** Removes the oldest changes of zones and projects that have too many. */
  shorten(bounds: HistoryBounds, limit: number): Promise<boolean>;
  /** Removes counted changes with a smaller id. */
  expire(before: string, limit: number): Promise<boolean>;
}

export interface HistoryWrites extends HistoryPages, HistoryUpkeep {
  /** @param bounds on the changes that IXFR serves */
  append(change: WrittenChange, bounds: JournalBounds): void;
  /** Leaves the changes of a zone to the upkeep, if it is gone and cannot be restored. */
  forget(zoneId: string): void;
}
