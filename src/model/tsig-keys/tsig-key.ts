import { parseListedName } from '../../dns/names.ts';
import type { Parsed } from '../../dns/parsed.ts';
import { decodeBase64 } from '../../dns/rdata/binary.ts';
import { RdataError } from '../../dns/rdata/rdata-error.ts';
import type { ListQuery } from '../lists.ts';

/** The supported algorithms of RFC 8945, by their names in Designate. */
export const TSIG_ALGORITHMS = [
  'hmac-sha1',
  'hmac-sha224',
  'hmac-sha256',
  'hmac-sha384',
  'hmac-sha512',
] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

export const TSIG_SCOPES = ['POOL', 'ZONE'] as const;

/** Maximum length of a secret in base64 characters. */
export const MAX_SECRET_LENGTH = 255;

/** A shared secret (RFC 8945) for one pool or one zone. */
export interface TsigKey {
  readonly id: string;
  /** Lower case, without a final dot: servers compute the MAC over the name as written. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  /** Base64. Never logged. */
  readonly secret: string;
  readonly scope: (typeof TSIG_SCOPES)[number];
  /** The id of the pool or zone that the key gives access to. If nothing has this id, the key gives no access. */
  readonly resourceId: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

type Opened = Pick<TsigKey, 'scope' | 'resourceId'>;

/** Whether a key gives access to the zones and the catalog of a pool. */
export function opensPool({ scope, resourceId }: Opened, poolId: string): boolean {
  return scope === 'POOL' && resourceId === poolId;
}

/** Whether a key gives access to a zone, and signs messages to and from its masters. */
export function opensZone({ scope, resourceId }: Opened, zoneId: string): boolean {
  return scope === 'ZONE' && resourceId === zoneId;
}

/** A key as it appears in events. */
export type TsigKeyWithoutSecret = Omit<TsigKey, 'secret'>;

/** A key as given by a caller. */
export type TsigKeyDraft = Pick<TsigKey, 'name' | 'algorithm' | 'secret' | 'scope' | 'resourceId'>;

export const TSIG_KEY_SORT_KEYS = ['created_at', 'updated_at', 'id', 'name'] as const;
export const TSIG_KEY_FILTERS = ['name', 'algorithm', 'scope', 'resource_id'] as const;
export type TsigKeyQuery = ListQuery<(typeof TSIG_KEY_SORT_KEYS)[number], (typeof TSIG_KEY_FILTERS)[number]>;

/** Parses a key name: a domain name in lower case, without its final dot. */
export function parseTsigKeyName(text: string): Parsed<string> {
  const parsed = parseListedName(text);
  return parsed.ok ? { ok: true, value: parsed.value.slice(0, -1) } : parsed;
}

/** Why a text is not a valid secret, or undefined. The reason never contains the text. */
export function secretFault(text: string): string | undefined {
  if (text.length > MAX_SECRET_LENGTH) return `Use at most ${MAX_SECRET_LENGTH} characters.`;
  try {
    decodeBase64(text, 'secret');
    return undefined;
  } catch (error) {
    if (!(error instanceof RdataError)) throw error;
    return 'Must be padded base64 (RFC 4648, section 4) of at least one byte.';
  }
}
