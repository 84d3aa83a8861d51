/**
 * Which addresses clients may make this service contact: the one rule for webhooks, masters, and every other outgoing
 * connection to a client's host.
 */
import { isIP, isIPv6 } from 'node:net';
import { destinationOf } from './embedded.ts';
import { Networks } from './networks.ts';
import { isOwnAddress } from './own-addresses.ts';
import { CLOUD_METADATA, GLOBAL_UNICAST, SPECIAL_NETWORKS, type SpecialKind } from './special-purpose.ts';

export type AddressKind = 'public' | SpecialKind;

/** Decides whether the operator lets the service contact an address of a kind. */
export type AddressAllowance = (address: string, kind: AddressKind) => boolean;

/** Explains why an address may not be contacted, as a sentence or a phrase; undefined if it may. */
export type AddressRule = (address: string) => string | undefined;

const ofKind = (wanted: SpecialKind): Networks =>
  new Networks(SPECIAL_NETWORKS.filter(({ kind }) => kind === wanted).map(({ network }) => network));

const never = ofKind('never');
const documentation = ofKind('documentation');
const special = ofKind('private');
const metadata = new Networks(CLOUD_METADATA.map(({ address }) => address));
const globalUnicast = new Networks([GLOBAL_UNICAST]);

function kindOf(address: string): AddressKind {
  if (never.has(address) || metadata.has(address)) return 'never';
  if (documentation.has(address)) return 'documentation';
  if (special.has(address) || isOwnAddress(address)) return 'private';
  return isIPv6(address) && !globalUnicast.has(address) ? 'private' : 'public';
}

/**
 * True if an address may be contacted. No allowance permits addresses of kind `never`, and none for an IPv6 address
 * permits the private IPv4 address inside it.
 */
export function mayAsk(text: string, allows: AddressAllowance): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const { address, embedded } = destinationOf(text);
  const permits = (one: string): boolean => {
    const kind = kindOf(one);
    return kind !== 'never' && allows(one, kind);
  };
  return permits(address) && embedded.every((one) => kindOf(one) === 'public' || permits(one));
}
