import type { AddressRule } from '../../addresses/address-rule.ts';

/** The bounds of a timer, in seconds. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The operator's settings for secondary zones. */
export interface SecondaryZoneSettings {
  readonly maySendTo: AddressRule;
  /** Bounds within which the timers of a master's SOA are followed. */
  readonly refresh: Range;
  readonly retry: Range;
  readonly expire: Range;
}
