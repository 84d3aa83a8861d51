/** Zones that are transferred in from masters of their own (RFC 1034 section 4.3.5, RFC 5936, RFC 1995). */
import type { Fqdn } from '../../dns/names.ts';
import type { ServerAddress } from '../pools/pool.ts';
import type { TsigKey } from '../tsig-keys/tsig-key.ts';
import type { ClaimPlaces } from './store.ts';

/** A secondary zone whose masters are to be asked. */
export interface DueSecondary {
  readonly id: string;
  readonly projectId: string;
  readonly name: Fqdn;
  /** Of the last transfer that was taken; null before the first. */
  readonly serial: number | null;
  /** Addresses, never host names. */
  readonly masters: readonly ServerAddress[];
  /** What is exchanged with the masters is signed with it. */
  readonly key: TsigKey | null;
  /** Whether the zone is wanted whole, whatever serial the masters have. */
  readonly wantsWhole: boolean;
}

/** The SOA of a master. Times are seconds. */
export interface IncomingSoa {
  readonly serial: number;
  readonly ttl: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  /** Canonical text. */
  readonly rdata: string;
}

/** A record as a master sent it, its class IN. */
export interface IncomingRecord {
  /** Canonical presentation form, in lower case. Nothing is known of it but that it is a name. */
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

/** What a master sends. The SOA at its ends is in `soa` alone. */
export type IncomingTransfer =
  | {
      readonly kind: 'whole';
      readonly soa: IncomingSoa;
      /** Read once, as it arrives. Throws TransferFault where it breaks off. */
      readonly records: AsyncIterable<readonly IncomingRecord[]>;
    }
  | { readonly kind: 'differences'; readonly soa: IncomingSoa; readonly steps: readonly IncomingStep[] };

/** Why a transfer cannot be taken: a sentence for the owner of the zone. */
export class TransferFault extends Error {}

/** Why a zone was not brought up to date. */
export interface RefreshFailure {
  /** A sentence. */
  readonly reason: string;
  /**
   * Whether no master could be used. Administrators alone read why: its owner names masters, and could learn from it which
   * hosts and ports answer this service.
   */
  readonly isOfMasters: boolean;
  /** Whether a transfer came that could not be taken: each one in a row doubles the wait. */
  readonly isCostly: boolean;
}

/** What the transferring side needs of the zones. */
export interface Secondaries {
  /** Takes zones that are due, those of projects in turn; no other process takes them for a while. */
  claim(limit: number, places?: ClaimPlaces): Promise<readonly DueSecondary[]>;
  /**
   * Makes a zone due at once because a master says that it has changed (RFC 1996).
   * @param keyName of the signature, undefined without one
   * @returns false if this address is not one of the zone's masters, or the signature is not the one that the zone asks for
   */
  notified(name: Fqdn, address: string, keyName: string | undefined): Promise<boolean>;
  /**
   * Writes a transfer, wholly or not at all. `misfit`: the differences do not fit what is here; ask for the whole zone.
   * @throws TransferFault if it cannot be taken
   */
  take(zone: DueSecondary, transfer: IncomingTransfer): Promise<'taken' | 'misfit'>;
  /** A master has the serial that is here: asked again after the refresh time. */
  current(zone: DueSecondary, soa: IncomingSoa): Promise<void>;
  /** No master gave an answer that could be used: asked again after the retry time, until the zone expires. */
  failed(zone: DueSecondary, failure: RefreshFailure): Promise<void>;
}
