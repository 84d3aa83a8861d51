import { Networks } from '../../addresses/networks.ts';
import type { Fqdn } from '../../dns/names.ts';
import {
  allowsZone,
  type CredentialScope,
  SCOPE_KEYS,
  type ScopeKey,
  type ZonePattern,
} from './credential-scope.ts';
import { isPatternWithin } from './name-pattern.ts';

/** The names of zones by their ids, of those that an inner scope lists. */
export type ZoneNames = ReadonlyMap<string, Fqdn>;

function isNetworkWithin(inner: string, outer: string): boolean {
  const [host = '', bits = ''] = inner.split('/');
  const [, outerBits] = outer.split('/');
  const full = host.includes(':') ? 128 : 32;
  const isLonger = Number(bits || full) >= Number(outerBits ?? full);
  return isLonger && new Networks([outer]).has(host);
}

function isZoneWithin(inner: ZonePattern, outer: ZonePattern, names: ZoneNames): boolean {
  if ('pattern' in inner) return 'pattern' in outer && isPatternWithin(inner.pattern, outer.pattern);
  if ('id' in outer) return inner.id === outer.id;
  const name = names.get(inner.id);
  return name !== undefined && allowsZone({ zones: [outer] }, { id: inner.id, name });
}

/** Whether every entry of a list lies within one entry of the other. A list that is left out holds everything. */
function areWithin<T>(
  inner: readonly T[] | undefined,
  outer: readonly T[] | undefined,
  isWithin: (one: T, other: T) => boolean,
): boolean {
  if (outer === undefined) return true;
  return inner?.every((one) => outer.some((other) => isWithin(one, other))) ?? false;
}

const isSame = (one: string, other: string) => one === other;

function isAtMost(inner: number | undefined, outer: number | undefined): boolean {
  return outer === undefined || (inner !== undefined && inner <= outer);
}

function isRateWithin(inner: CredentialScope['rate'], outer: CredentialScope['rate']): boolean {
  if (outer === undefined) return true;
  return inner !== undefined && inner.writes <= outer.writes && inner.perSeconds >= outer.perSeconds;
}

type KeyComparison = (inner: CredentialScope, outer: CredentialScope, names: ZoneNames) => boolean;

const COMPARISONS: Readonly<Record<ScopeKey, KeyComparison>> = {
  zones: (inner, outer, names) =>
    areWithin(inner.zones, outer.zones, (one, other) => isZoneWithin(one, other, names)),
  names: (inner, outer) => areWithin(inner.names, outer.names, isPatternWithin),
  types: (inner, outer) => areWithin(inner.types, outer.types, isSame),
  actions: (inner, outer) => areWithin(inner.actions, outer.actions, isSame),
  networks: (inner, outer) => areWithin(inner.networks, outer.networks, isNetworkWithin),
  rate: (inner, outer) => isRateWithin(inner.rate, outer.rate),
  record_lifetime: (inner, outer) => isAtMost(inner.recordLifetime, outer.recordLifetime),
};

/**
 * The first key by which a scope is not within another; undefined if it is. A scope within another never allows what
 * the other refuses.
 */
export function firstKeyTooWide(
  inner: CredentialScope,
  outer: CredentialScope,
  names: ZoneNames,
): ScopeKey | undefined {
  return SCOPE_KEYS.find((key) => !COMPARISONS[key](inner, outer, names));
}
