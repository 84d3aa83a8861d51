/** Zones that are transferred in from external masters (RFC 1034 section 4.3.5, RFC 5936, RFC 1995). */
import type { Fqdn } from '../../dns/names.ts';
import type { ServerAddress } from '../pools/pool.ts';
import type { TsigKey } from '../tsig-keys/tsig-key.ts';
import type { ClaimPlaces } from './store.ts';

/** A secondary zone whose masters are due to be asked. */
export interface DueSecondary {
  readonly id: string;
  readonly projectId: string;
  readonly name: Fqdn;
  /** The serial of the last transfer applied; null before the first. */
  readonly serial: number | null;
  /** Addresses, never host names. */
  readonly masters: readonly ServerAddress[];
  /** Signs messages to and from the masters. */
  readonly key: TsigKey | null;
  /** True to request a full transfer, whatever serial the masters have. */
  readonly wantsWhole: boolean;
}

/** The SOA of a master. Times are in seconds. */
export interface IncomingSoa {
  readonly serial: number;
  readonly ttl: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  /** Canonical text. */
  readonly rdata: string;
}

/** A record as received from a master, of class IN. */
export interface IncomingRecord {
  /** Canonical presentation form, in lower case. Only checked to be a name. */
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  /** Canonical text, or the general form of RFC 3597. */
  readonly rdata: string;
}

/** One difference sequence of an IXFR (RFC 1995 section 4). */
export interface IncomingStep {
  readonly from: number;
  readonly to: IncomingSoa;
  /** Without the SOA. */
  readonly removed: readonly IncomingRecord[];
  readonly added: readonly IncomingRecord[];
}

/** Data received from a master. The SOA that starts and ends it is only in `soa`. */
export type IncomingTransfer =
  | {
      readonly kind: 'whole';
      readonly soa: IncomingSoa;
      /** Can be read only once, as it arrives. Throws TransferFault if it breaks off. */
      readonly records: AsyncIterable<readonly IncomingRecord[]>;
    }
  | { readonly kind: 'differences'; readonly soa: IncomingSoa; readonly steps: readonly IncomingStep[] };

/** Why a transfer cannot be applied, as a sentence for the zone's owner. */
export class TransferFault extends Error {}

/** Why a refresh failed. */
export interface RefreshFailure {
  /** A sentence. */
  readonly reason: string;
  /**
   * True if no master was usable. Only administrators see the reason: the owner chooses the masters, and could learn
   * from it which hosts and ports answer this service.
   */
  readonly isOfMasters: boolean;
  /** True if a transfer arrived but could not be applied. Each one in a row doubles the wait. */
  readonly isCostly: boolean;
}

/** What the transfer client needs of the zones. */
export interface Secondaries {
  /** Claims due zones, taking projects in turn. For a while, no other process claims them. */
  claim(limit: number, places?: ClaimPlaces): Promise<readonly DueSecondary[]>;
  /**
   * Makes a zone due at once after a NOTIFY from a master (RFC 1996).
   * @param keyName the key of its signature; undefined if it is unsigned
   * @returns false if the address is not one of the zone's masters, or the signature is not the one that the zone
   * requires
   */
  notified(name: Fqdn, address: string, keyName: string | undefined): Promise<boolean>;
  /**
   * Applies a transfer completely or not at all. `misfit`: the differences do not match the zone; request a full
   * transfer.
   * @throws TransferFault if it cannot be applied
   */
  take(zone: DueSecondary, transfer: IncomingTransfer): Promise<'taken' | 'misfit'>;
  /** A master has the same serial: it is asked again after the refresh time. */
  current(zone: DueSecondary, soa: IncomingSoa): Promise<void>;
  /** No master gave a usable answer: they are asked again after the retry time, until the zone expires. */
  failed(zone: DueSecondary, failure: RefreshFailure): Promise<void>;
  /** A claimed zone is not refreshed after all, as the process stops: it is due at once. */
  released(zone: DueSecondary): Promise<void>;
}
