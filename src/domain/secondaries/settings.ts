import type { AddressRule } from '../../addresses/address-rule.ts';

/** The bounds of a timer, in seconds. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What operators decide about secondary zones. */
export interface SecondarySettings {
  readonly maySendTo: AddressRule;
  /** How far the timers of a master's SOA count. */
  readonly refresh: Range;
  readonly retry: Range;
  readonly expire: Range;
}
