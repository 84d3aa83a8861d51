import { type Fqdn, parseListedName } from '../../dns/names.ts';
import type { Parsed } from '../../dns/parsed.ts';
import { decodeBase64 } from '../../dns/rdata/binary.ts';
import { RdataError } from '../../dns/rdata/rdata-error.ts';
import type { ListQuery } from '../lists.ts';

/** The supported algorithms of RFC 8945, by their names in Designate. */
export const TSIG_ALGORITHMS = [
  'hmac-md5',
  'hmac-sha1',
  'hmac-sha224',
  'hmac-sha256',
  'hmac-sha384',
  'hmac-sha512',
] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

export const TSIG_SCOPES = ['POOL', 'ZONE'] as const;

/** Maximum length of a secret, in characters. */
export const MAX_SECRET_LENGTH = 255;

/** Plain text with spaces. */
const SPACED = /^[!-~]*(?: [!-~]*)+$/;

/** Control characters, and halves of surrogate pairs. */
const UNUSABLE = /[\p{Cc}\p{Cs}]/u;

/** Maximum number of keys that a project makes for one zone. Those of administrators do not count. */
export const MAX_KEYS_OF_ZONE = 10;

/** Narrows what a key may change: a scope as JSON, in canonical form. Without any key it allows everything. */
export type UpdateScope = Readonly<Record<string, unknown>>;

/** What a key of a zone may do. */
export interface KeyPermissions {
  readonly transfer: boolean;
  /** What it may change in the zone by DNS UPDATE; null for nothing. */
  readonly update: UpdateScope | null;
}

/** A shared secret (RFC 8945) for one pool or one zone. */
export interface TsigKey {
  readonly id: string;
  /** Lower case, without a final dot: servers compute the MAC over the name as written. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  /** As sent: base64, or any other text, which stands for its bytes in UTF-8. Never logged. */
  readonly secret: string;
  readonly scope: (typeof TSIG_SCOPES)[number];
  /** The id of the pool or zone that the key gives access to. If nothing has this id, the key gives no access. */
  readonly resourceId: string;
  /** What a key of a zone may do; undefined for transfers alone. */
  readonly permissions?: KeyPermissions | undefined;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** The name as sent, which clients of Designate expect back; null or missing where it is `name`. */
  readonly spelling?: string | null | undefined;
  /** The owner of the zone, if that project made the key; undefined for a key of administrators. */
  readonly projectId?: string | undefined;
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

/** Whether a key that opens a zone or a pool may transfer it. */
export function maySeeAll({ permissions }: Pick<TsigKey, 'permissions'>): boolean {
  return permissions?.transfer ?? true;
}

/** A key as it appears in events. */
export type TsigKeyWithoutSecret = Omit<TsigKey, 'secret'>;

/** A key as given by a caller. */
export type TsigKeyDraft = Pick<
  TsigKey,
  'name' | 'algorithm' | 'secret' | 'scope' | 'resourceId' | 'permissions' | 'spelling'
>;

/** A new key as given by a caller. The service chooses what is missing. */
export type NewTsigKey = Omit<TsigKeyDraft, 'algorithm' | 'secret'> &
  Partial<Pick<TsigKeyDraft, 'algorithm' | 'secret'>>;

export const TSIG_KEY_SORT_KEYS = ['created_at', 'updated_at', 'id', 'name'] as const;
export const TSIG_KEY_FILTERS = ['name', 'algorithm', 'scope', 'resource_id'] as const;
export type TsigKeyQuery = ListQuery<(typeof TSIG_KEY_SORT_KEYS)[number], (typeof TSIG_KEY_FILTERS)[number]>;

function withFinalDot(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** Parses a key name: a domain name in lower case, without its final dot, in which spaces may stand for themselves. */
export function parseTsigKeyName(text: string): Parsed<string> {
  // A space is one octet of a label, like the character that takes its place.
  const parsed = parseListedName(SPACED.test(text) ? text.replaceAll(' ', '_') : text);
  if (!parsed.ok) return parsed;
  const name = SPACED.test(text) ? withFinalDot(text.toLowerCase()) : parsed.value;
  return { ok: true, value: name.slice(0, -1).replaceAll(' ', '\\032') };
}

type SpelledKeyName = Pick<TsigKey, 'name' | 'spelling'>;

/** Parses a key name, and keeps how it is spelled. */
export function parseSpelledKeyName(text: string): Parsed<Required<SpelledKeyName>> {
  const parsed = parseTsigKeyName(text);
  if (!parsed.ok) return parsed;
  const { value: name } = parsed;
  return { ok: true, value: { name, spelling: text === name ? null : text } };
}

/** What precedes the name of the zone in the name of a project's key: one label. */
const LABEL = /^[a-z0-9_-]+$/;

/** Whether a name is one label below the name of a zone. */
export function isKeyNameOf(name: string, zone: Fqdn): boolean {
  const end = `.${zone.slice(0, -1)}`;
  return name.endsWith(end) && LABEL.test(name.slice(0, -end.length));
}

/**
 * The name of a project's key, which is one label below the name of its zone, so that only the owner of a zone takes names there.
 * @param given the label, or all of the name
 */
export function parseZoneKeyName(given: SpelledKeyName, zone: Fqdn): Parsed<SpelledKeyName> {
  if (isKeyNameOf(given.name, zone)) return { ok: true, value: given };
  const end = zone.slice(0, -1);
  const isLabel = LABEL.test(given.name) && !given.spelling?.endsWith('.');
  if (!isLabel)
    return {
      ok: false,
      reason: `Use one label of letters, digits, "-" and "_", alone or followed by ".${end}".`,
    };
  const whole = parseTsigKeyName(`${given.name}.${end}`);
  return whole.ok ? { ok: true, value: { name: whole.value, spelling: null } } : whole;
}

/** Why a text is not a valid secret, or undefined. The reason never contains the text. */
export function secretFault(text: string): string | undefined {
  if (text === '') return 'Use at least one character.';
  if (text.length > MAX_SECRET_LENGTH) return `Use at most ${MAX_SECRET_LENGTH} characters.`;
  return UNUSABLE.test(text) ? 'Use base64, or text without control characters.' : undefined;
}

/** True for padded base64 (RFC 4648, section 4) of at least one byte. */
export function isBase64Secret(secret: string): boolean {
  try {
    decodeBase64(secret, 'secret');
    return true;
  } catch (error) {
    if (!(error instanceof RdataError)) throw error;
    return false;
  }
}

/** The bytes that sign messages: those that base64 stands for, or those of any other text. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret, isBase64Secret(secret) ? 'base64' : 'utf8');
}
