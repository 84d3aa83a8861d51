export interface Question {
  /** In canonical text. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
}

export interface WireRecord {
  /** In canonical text. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** In seconds. */
  readonly ttl: number;
  /** In canonical text, or in the general form of RFC 3597. */
  readonly rdata: string;
}
