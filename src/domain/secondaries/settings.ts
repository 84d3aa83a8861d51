import type { MasterRule } from './master-address.ts';

/** The bounds of a timer, in seconds. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What operators decide about secondary zones. */
export interface SecondarySettings {
  readonly maySendTo: MasterRule;
  /** How far the timers of a master's SOA count. */
  readonly refresh: Range;
  readonly retry: Range;
  readonly expire: Range;
}
