/** The masters of a secondary zone: where our questions go because a tenant says so. */
import { BlockList, isIP } from 'node:net';
import type { Parsed } from '../../dns/parsed.ts';
import { type Fault, invalidObject } from '../errors.ts';
import type { ServerAddress } from '../pools/pool.ts';

/** Each is asked in turn, at every refresh. */
export const MOST_MASTERS = 10;
const DNS_PORT = 53;
const FORM = 'Give an IP address, with a port or without: 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:5353.';

/** Never anybody's name server: unspecified, multicast, reserved. */
const NEVER = ['0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8'];
/** An IPv4 address is written as one. */
const MAPPED = '::ffff:';
/** Only where the operator says so: this machine, and the link that it is on. */
const NEAR = ['127.0.0.0/8', '169.254.0.0/16', '::1/128', 'fe80::/10'];

/** Why an address cannot be that of a master, as a sentence; undefined if it can. */
export type MasterRule = (host: string) => string | undefined;

/** One spelling for each address. */
function canonicalHost(text: string): string | undefined {
  const family = text.includes('%') ? 0 : isIP(text);
  if (family === 4) return text;
  const host = family === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : MAPPED;
  return host.startsWith(MAPPED) ? undefined : host;
}

/** A master as the interface has it: `host[:port]`, an IPv6 address with a port in brackets. */
export function parseMaster(text: string): Parsed<ServerAddress> {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = canonicalHost(bracketed ?? plain ?? text);
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const isAddress = host !== undefined && (bracketed === undefined || isIP(host) === 6);
  if (!isAddress || port < 1 || port > 65_535) return { ok: false, reason: FORM };
  return { ok: true, value: { host, port } };
}

/** The same as Designate answers it: without the port 53. */
export function formatMaster({ host, port }: ServerAddress): string {
  if (port === DNS_PORT) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [host = '', bits] = network.split('/');
    const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(host, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

/**
 * The rule for masters.
 * @param networks where they may be; none for anywhere but on this machine and its links
 */
export function masterRule(networks: readonly string[]): MasterRule {
  const refused = listOf(networks.length === 0 ? [...NEVER, ...NEAR] : NEVER);
  const allowed = networks.length === 0 ? undefined : listOf(networks);
  return (host) => {
    const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
    if (!refused.check(host, family) && allowed?.check(host, family) !== false) return undefined;
    return `No zone is transferred from ${host} here. Give the address of a name server that the operator allows.`;
  };
}

/** @throws DomainError `invalid_object` */
export function requireMasters(masters: readonly ServerAddress[] | undefined, rule: MasterRule): void {
  const faults = (masters ?? []).flatMap(({ host }, place): Fault[] => {
    const message = rule(host);
    return message === undefined ? [] : [{ path: ['masters', place], message }];
  });
  if (faults.length > 0) throw invalidObject(faults);
}
