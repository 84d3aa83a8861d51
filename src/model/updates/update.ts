/** DNS UPDATE (RFC 2136): a signed message, and the response to it. */
import type { ExtendedError } from '../../dns/wire/edns.ts';
import type { WireRecord } from '../../dns/wire/record.ts';
import type { UpdateSections } from '../../dns/wire/update.ts';
import type { TsigKey } from '../tsig-keys/tsig-key.ts';

/** A message with a valid signature. */
export interface SignedUpdate extends UpdateSections {
  /** The name in the zone section. */
  readonly zone: string;
  readonly key: TsigKey;
  readonly mac: Buffer;
  /** Until when the signature is valid, in seconds since 1970. */
  readonly validUntil: number;
  /** The address of the client. */
  readonly address: string;
}

export interface UpdateOutcome {
  readonly rcode: number;
  readonly error?: ExtendedError | undefined;
}

/** A question that a key for updates has signed. */
export interface ZoneQuestion {
  readonly key: TsigKey;
  /** Canonical text. */
  readonly name: string;
  readonly type: number;
  /** The address of the client. */
  readonly address: string;
}

/** The records; if there are none, the SOA of the zone is the authority. */
export interface ZoneAnswer {
  readonly answers: readonly WireRecord[];
  readonly authority: readonly WireRecord[];
}

/** What the hidden primary asks of the domain. */
export interface Updates {
  /** Makes all changes of a message, or none. Never throws. */
  apply(update: SignedUpdate): Promise<UpdateOutcome>;
  /**
   * What the holder of a key for updates asks about its zone, as clients do around an UPDATE: the SOA for any name in the
   * zone, and other records of names and types in its scope. Undefined if the key may not know.
   */
  find(question: ZoneQuestion): Promise<ZoneAnswer | undefined>;
}
