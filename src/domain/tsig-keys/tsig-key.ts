/** The algorithms of RFC 8945 that keys can have, in the words of Designate. */
export const TSIG_ALGORITHMS = ['hmac-sha1', 'hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

/** A shared secret (RFC 8945) for one pool or one zone. */
export interface TsigKey {
  readonly id: string;
  /** Lower case, without final dot: servers make the MAC over the name as it is written. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  /** Base64. Never logged. */
  readonly secret: string;
  readonly scope: 'POOL' | 'ZONE';
  /** The id of the pool or zone whose data the key opens. */
  readonly resourceId: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}
