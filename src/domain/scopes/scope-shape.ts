import { isIP } from 'node:net';
import type { Parsed } from '../../dns/parsed.ts';
import { parseRecordType } from '../../dns/record-types.ts';
import {
  type CredentialScope,
  SCOPE_KEYS,
  SCOPED_ACTIONS,
  type ScopeJson,
  type ScopeKey,
  type ZonePattern,
} from '../../model/scopes/credential-scope.ts';
import {
  type NamePattern,
  parseRelativePattern,
  parseZonePattern,
  patternText,
} from '../../model/scopes/name-pattern.ts';
import { SHARE_SCOPE_KEYS, SHARED_ACTIONS } from '../../model/scopes/share-scope.ts';
import { choice, distinct, integer, object, parsed, readAs, type Shape } from '../shapes/shape.ts';

const MAX_ENTRIES = 64;
/** In bytes of JSON. */
const MAX_SIZE = 16_384;
const YEAR = 31_536_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NETWORK_RULE = 'Must be an IP address or CIDR block, such as 192.0.2.0/24 or 2001:db8::/32.';

function parseZone(text: string): Parsed<ZonePattern> {
  if (UUID.test(text)) return { ok: true, value: { id: text.toLowerCase() } };
  const pattern = parseZonePattern(text);
  return pattern.ok ? { ok: true, value: { pattern: pattern.value } } : pattern;
}

function zoneText(zone: ZonePattern): string {
  return 'id' in zone ? zone.id : `${patternText(zone.pattern)}.`;
}

function parseNetwork(text: string): Parsed<string> {
  const [host = '', bits, ...rest] = text.split('/');
  const family = host.includes('%') ? 0 : isIP(host);
  const isLength =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  const canonical = family === 6 ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host;
  const isMapped = canonical.startsWith('::ffff:');
  if (family === 0 || rest.length > 0 || !isLength || isMapped) return { ok: false, reason: NETWORK_RULE };
  return { ok: true, value: bits === undefined ? canonical : `${canonical}/${Number(bits)}` };
}

const entries = <T extends NonNullable<unknown>>(item: Shape<T>, keyOf: (item: T) => string) =>
  distinct(item, keyOf, { minItems: 1, maxItems: MAX_ENTRIES });
const itself = (text: string): string => text;

const members = {
  zones: entries(
    parsed(parseZone, {
      description: 'ID of a zone, or a pattern of zone names with a final dot.',
      examples: ['*.shop.example.org.'],
    }),
    zoneText,
  ),
  names: entries<NamePattern>(
    parsed(parseRelativePattern, {
      description: 'Pattern of owner names relative to the apex, which is @.',
      examples: ['_acme-challenge.**'],
    }),
    patternText,
  ),
  types: entries(parsed<string>(parseRecordType, { examples: ['TXT'] }), itself),
  actions: entries(choice(SCOPED_ACTIONS, `Must be one of: ${SCOPED_ACTIONS.join(', ')}.`), itself),
  networks: entries(parsed(parseNetwork, { examples: ['192.0.2.0/24'] }), itself),
  rate: object(
    {
      writes: integer({ minimum: 1, maximum: 10_000 }),
      per_seconds: integer({ minimum: 1, maximum: 86_400 }),
    },
    {},
  ),
  record_lifetime: integer({ minimum: 60, maximum: YEAR }),
};
type Members = typeof members;
type ReadScope = { readonly [K in keyof Members]?: Members[K] extends Shape<infer T> ? T : never };

function toScope({ rate, record_lifetime, ...lists }: ReadScope): CredentialScope {
  return {
    ...lists,
    ...(rate === undefined ? {} : { rate: { writes: rate.writes, perSeconds: rate.per_seconds } }),
    ...(record_lifetime === undefined ? {} : { recordLifetime: record_lifetime }),
  };
}

/**
 * The shape of a scope with some of the keys.
 * @param narrowed members that allow less than usual
 * @returns a shape that reads an empty scope as null, which is none
 */
export function scopeShape(
  keys: readonly ScopeKey[],
  narrowed: Pick<Partial<Members>, 'actions'> = {},
): Shape<CredentialScope | null> {
  const all = { ...members, ...narrowed };
  const permitted = Object.fromEntries(keys.map((key) => [key, all[key]])) as Partial<Members>;
  const { schema, read } = object<Record<never, never>, ReadScope>({}, permitted as never);
  return {
    schema: { ...schema, type: ['object', 'null'] },
    read(given, faults) {
      if (given === null) return null;
      if (Buffer.byteLength(JSON.stringify(given)) > MAX_SIZE) {
        return faults.add(`A scope has at most ${MAX_SIZE} bytes of JSON. Shorten it.`);
      }
      const scope = read(given, faults);
      if (scope === undefined) return undefined;
      return Object.keys(scope).length === 0 ? null : toScope(scope);
    },
  };
}

/** A scope as JSON, as it is stored and shown. Its patterns and addresses are in canonical form. */
export function scopeToJson(scope: CredentialScope): Readonly<Record<ScopeKey, unknown>> {
  const { zones, names, rate, recordLifetime } = scope;
  return {
    zones: zones?.map(zoneText),
    names: names?.map(patternText),
    types: scope.types,
    actions: scope.actions,
    networks: scope.networks,
    rate: rate && { writes: rate.writes, per_seconds: rate.perSeconds },
    record_lifetime: recordLifetime,
  };
}

/** The shape of a scope with every key; an empty one is null. */
const whole = scopeShape(SCOPE_KEYS);
const ofShare = scopeShape(SHARE_SCOPE_KEYS, {
  actions: entries(choice(SHARED_ACTIONS, `Must be one of: ${SHARED_ACTIONS.join(', ')}.`), itself),
});

/** Reads a scope into its stored form. */
function stored({ schema, read }: Shape<CredentialScope | null>): Shape<ScopeJson | null> {
  return {
    schema,
    read(given, faults) {
      const scope = read(given, faults);
      return scope ? storedScope(scope) : scope;
    },
  };
}

/** Reads the scope of a credential from a body. */
export const scopeBody = stored(whole);
/** Reads the scope of a share from a body. */
export const shareScopeBody = stored(ofShare);

/** The stored form of a scope, without members that are undefined. */
export function storedScope(scope: CredentialScope): ScopeJson {
  return JSON.parse(JSON.stringify(scopeToJson(scope)));
}

/** Reads a stored scope. */
export function readScope(stored: ScopeJson): CredentialScope {
  return readAs(whole, stored) ?? {};
}
