import { Networks, plainAddress } from '../../addresses/networks.ts';
import { type Fqdn, LABEL, type OwnerName } from '../../dns/names.ts';
import { matchesPattern, type NamePattern } from './name-pattern.ts';

/** What a scope can allow to do. `plan` is for dry runs alone. */
export const SCOPED_ACTIONS = [
  'create',
  'update',
  'delete',
  'create_zone',
  'update_zone',
  'delete_zone',
  'create_token',
  'plan',
  'read',
] as const;
export type ScopedAction = (typeof SCOPED_ACTIONS)[number];

/** The keys of a scope, in the order in which they are checked and named. */
export const SCOPE_KEYS = [
  'zones',
  'names',
  'types',
  'actions',
  'networks',
  'rate',
  'record_lifetime',
] as const;
export type ScopeKey = (typeof SCOPE_KEYS)[number];

/** A zone by its id, or zones by a pattern of their names. */
export type ZonePattern = { readonly id: string } | { readonly pattern: NamePattern };

export interface WriteRate {
  /** Maximum number of writing requests in any span of `perSeconds`. */
  readonly writes: number;
  readonly perSeconds: number;
}

/**
 * Narrows what roles and policy allow. What is left out allows everything; no scope at all is null. The lists have at
 * least one entry.
 */
export interface CredentialScope {
  readonly zones?: readonly ZonePattern[];
  /** Patterns of owner names relative to the apex. */
  readonly names?: readonly NamePattern[];
  /** Record types by their canonical names. */
  readonly types?: readonly string[];
  readonly actions?: readonly ScopedAction[];
  /** IP addresses and CIDR blocks in canonical form. */
  readonly networks?: readonly string[];
  readonly rate?: WriteRate;
  /** Seconds after which recordsets that the credential creates expire. */
  readonly recordLifetime?: number;
}

/** A scope as JSON, in canonical form and without members that are undefined. */
export type ScopeJson = Readonly<Record<string, unknown>>;

/** What a request touches, as far as it is known. */
export interface ScopedRequest {
  readonly zone?: { readonly id: string; readonly name: Fqdn } | undefined;
  /** The name of a recordset. Needs the zone. */
  readonly name?: OwnerName | undefined;
  readonly type?: string | undefined;
  readonly action?: ScopedAction | undefined;
  /** The address of the client. */
  readonly address?: string | undefined;
}

const WRITES_OF_PLANS: readonly ScopedAction[] = ['create', 'update', 'delete'];

const labelsOf = (name: string): readonly string[] =>
  (name.match(LABEL) ?? []).map((label) => label.slice(0, -1));

/** The labels of a name below the apex; undefined if it is not in the zone. */
function relativeLabels(name: OwnerName, zone: Fqdn): readonly string[] | undefined {
  if (name === (zone as OwnerName)) return [];
  return name.endsWith(`.${zone}`) ? labelsOf(name.slice(0, -zone.length)) : undefined;
}

export function allowsZone(
  { zones }: Pick<CredentialScope, 'zones'>,
  { id, name }: { readonly id: string; readonly name: Fqdn },
): boolean {
  if (zones === undefined) return true;
  const labels = labelsOf(name);
  return zones.some((entry) => ('id' in entry ? entry.id === id : matchesPattern(entry.pattern, labels)));
}

export function allowsName({ names }: Pick<CredentialScope, 'names'>, name: OwnerName, zone: Fqdn): boolean {
  if (names === undefined) return true;
  const labels = relativeLabels(name, zone);
  return labels !== undefined && names.some((pattern) => matchesPattern(pattern, labels));
}

export function allowsType({ types }: Pick<CredentialScope, 'types'>, type: string): boolean {
  return types === undefined || types.includes(type);
}

/** Whether a recordset of a zone that the scope allows is within its names and types. */
export function allowsRecordset(
  scope: Pick<CredentialScope, 'names' | 'types'>,
  { name, type }: { readonly name: OwnerName; readonly type: string },
  zone: Fqdn,
): boolean {
  return allowsType(scope, type) && allowsName(scope, name, zone);
}

/** Whether every one of some scopes allows a recordset, of a zone that they allow. */
export function everyAllowsRecordset(
  scopes: readonly Pick<CredentialScope, 'names' | 'types'>[],
  recordset: { readonly name: OwnerName; readonly type: string },
  zone: Fqdn,
): boolean {
  return scopes.every((scope) => allowsRecordset(scope, recordset, zone));
}

/** Every action lets read. A dry run is decided as if the writing actions were there. */
export function allowsAction(
  { actions }: Pick<CredentialScope, 'actions'>,
  action: ScopedAction,
  isDryRun = false,
): boolean {
  if (actions === undefined || action === 'read' || actions.includes(action)) return true;
  return isDryRun && actions.includes('plan') && WRITES_OF_PLANS.includes(action);
}

/** Every request asks, and parsing 64 networks takes most of a millisecond. */
const parsedNetworks = new WeakMap<readonly string[], Networks>();

export function allowsAddress({ networks }: Pick<CredentialScope, 'networks'>, address: string): boolean {
  if (networks === undefined) return true;
  const parsed = parsedNetworks.get(networks) ?? new Networks(networks);
  parsedNetworks.set(networks, parsed);
  return parsed.has(plainAddress(address));
}

/** The first key of a scope that refuses a request, of those that concern what is known of it; undefined if none does. */
export function refusingKey(scope: CredentialScope, request: ScopedRequest): ScopeKey | undefined {
  const { zone, name, type, action, address } = request;
  if (zone !== undefined && !allowsZone(scope, zone)) return 'zones';
  if (zone !== undefined && name !== undefined && !allowsName(scope, name, zone.name)) return 'names';
  if (type !== undefined && !allowsType(scope, type)) return 'types';
  if (action !== undefined && !allowsAction(scope, action)) return 'actions';
  return address !== undefined && !allowsAddress(scope, address) ? 'networks' : undefined;
}
