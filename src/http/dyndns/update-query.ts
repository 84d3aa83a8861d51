import type { OwnerName } from '../../dns/names.ts';
import { hostFault, parseOwnerName } from '../../dns/owner-name.ts';
import { parseRdata } from '../../dns/parse-rdata.ts';
import type { AddressType, HostAddresses } from '../../domain/dyndns/address-intents.ts';
import { EdgeError } from '../edge/errors.ts';
import type { QueryReader } from '../edge/route.ts';

/** Without zone indexes, and nothing that only rdata may have. */
const ADDRESS = /^[0-9A-Fa-f:.]+$/;
const MAPPED = /^::ffff:(?=\d+\.)/;
const MYIP = 'One IPv4 address, one IPv6 address, or one of each, separated by a comma';

export interface UpdateQuery {
  /** As sent, in order. */
  readonly hostnames: readonly string[];
  /** Empty if the query has none. */
  readonly addresses: HostAddresses;
}

/** The host with this name, with or without a final dot; undefined if no host with two labels can have it. */
export function hostOf(text: string): OwnerName | undefined {
  const name = parseOwnerName(text.endsWith('.') ? text : `${text}.`);
  if (!name.ok || hostFault(name.value, 'A') !== undefined) return undefined;
  return name.value.indexOf('.') === name.value.length - 1 ? undefined : name.value;
}

/** The canonical form of an address. An IPv4-mapped IPv6 address is that IPv4 address. */
function addressOf(text: string): { readonly type: AddressType; readonly rdata: string } | undefined {
  const type = text.includes(':') ? 'AAAA' : 'A';
  const parsed = ADDRESS.test(text) ? parseRdata(type, text) : undefined;
  if (!parsed?.ok) return undefined;
  const { rdata } = parsed;
  return MAPPED.test(rdata) ? { type: 'A', rdata: rdata.replace(MAPPED, '') } : { type, rdata };
}

/** The addresses of a host, at most one of each type; undefined if a text is no address. */
export function addressesOf(texts: readonly string[]): HostAddresses | undefined {
  const addresses: Partial<Record<AddressType, string>> = {};
  for (const text of texts) {
    const address = addressOf(text);
    if (address === undefined || addresses[address.type] !== undefined) return undefined;
    addresses[address.type] = address.rdata;
  }
  return addresses;
}

/** The entries of a parameter, which may also be repeated. Empty ones are left out. */
function entriesOf(parameters: URLSearchParams, name: string): readonly string[] {
  const texts = parameters.getAll(name).flatMap((value) => value.split(','));
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** Reads the query of an update. */
export const updateQuery: QueryReader<UpdateQuery> = {
  parameters: {
    hostname: {
      type: 'string',
      description: 'Names of hosts, separated by commas, at most 20.',
      examples: ['home.example.org'],
    },
    myip: {
      type: 'string',
      description: `${MYIP}. Default: the address of the client.`,
      examples: ['192.0.2.1,2001:db8::1'],
    },
    system: { type: 'string', description: 'Ignored, like all other parameters.' },
  },
  read(parameters) {
    const addresses = addressesOf(entriesOf(parameters, 'myip'));
    if (addresses === undefined) throw new EdgeError('bad_request', `myip is not as expected: ${MYIP}.`);
    return { hostnames: entriesOf(parameters, 'hostname'), addresses };
  },
};
