/** Masters of secondary zones: addresses named by tenants, to which the service sends queries. */
import { isIP } from 'node:net';
import { type AddressKind, type AddressRule, mayAsk } from '../../addresses/address-rule.ts';
import { Networks } from '../../addresses/networks.ts';
import type { Parsed } from '../../dns/parsed.ts';
import { type Fault, invalidObject } from '../errors.ts';
import type { ServerAddress } from '../pools/pool.ts';

/** Masters are asked one after another at every refresh. */
export const MAX_MASTERS = 10;
const DNS_PORT = 53;
const FORM =
  'Must be an IP address with an optional port, such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:5353.';

/** The prefix of IPv4-mapped addresses. An IPv4 address must be written in IPv4 form. */
const MAPPED = '::ffff:';

/** Which masters are allowed. */
export interface AllowedMasters {
  /** True if any public Internet address is allowed. */
  readonly isPublicAllowed: boolean;
  /** IP addresses and CIDR blocks. */
  readonly networks: readonly string[];
}

/** The canonical spelling of an address; undefined if it is not one. */
function canonicalHost(text: string): string | undefined {
  const family = text.includes('%') ? 0 : isIP(text);
  if (family === 4) return text;
  const host = family === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : MAPPED;
  return host.startsWith(MAPPED) ? undefined : host;
}

/** Parses a master from the API: `host[:port]`, with an IPv6 address in brackets if there is a port. */
export function parseMaster(text: string): Parsed<ServerAddress> {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = canonicalHost(bracketed ?? plain ?? text);
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const isAddress = host !== undefined && (bracketed === undefined || isIP(host) === 6);
  if (!isAddress || port < 1 || port > 65_535) return { ok: false, reason: FORM };
  return { ok: true, value: { host, port } };
}

/** Formats a master as Designate does: port 53 is omitted. */
export function formatMaster({ host, port }: ServerAddress): string {
  if (port === DNS_PORT) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The rule for masters. A refusal gives no reason: it would reveal which addresses belong to this machine. */
export function masterRule({ isPublicAllowed, networks }: AllowedMasters): AddressRule {
  const listed = new Networks(networks);
  const allows = (address: string, kind: AddressKind): boolean =>
    listed.has(address) || (isPublicAllowed && kind !== 'private');
  return (host) => {
    if (mayAsk(host, allows)) return undefined;
    return `Zone transfers from ${host} are not allowed. Use a name server that the operator allows.`;
  };
}

/** A sentence about the masters of a zone that the operator does not allow; undefined if there are none. */
export function refusedMasters(masters: readonly ServerAddress[], rule: AddressRule): string | undefined {
  const refused = masters.filter(({ host }) => rule(host) !== undefined).map(formatMaster);
  if (refused.length === 0) return undefined;
  return `It is not transferred from ${refused.join(', ')}, which the option [secondary] allowed_masters does not allow. Add the address there, or change the masters of the zone.`;
}

/**
 * Checks the masters of a zone.
 * @param present the zone's current masters, which may stay
 * @throws DomainError `invalid_object`
 */
export function requireMasters(
  masters: readonly ServerAddress[] | undefined,
  rule: AddressRule,
  present: readonly ServerAddress[] = [],
): void {
  const known = new Set(present.map(formatMaster));
  const faults = (masters ?? []).flatMap((master, place): Fault[] => {
    const message = known.has(formatMaster(master)) ? undefined : rule(master.host);
    return message === undefined ? [] : [{ path: ['masters', place], message }];
  });
  if (faults.length > 0) throw invalidObject(faults);
}
