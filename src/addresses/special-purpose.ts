/**
 * IANA's IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890) without the globally reachable blocks, and the
 * addresses of cloud metadata services.
 */

/**
 * `never`: no legitimate service is there. `private`: belongs to this machine, its network, its provider, or a
 * protocol.
 */
export type SpecialKind = 'never' | 'private' | 'documentation';

export interface SpecialNetwork {
  readonly network: string;
  readonly name: string;
  readonly kind: SpecialKind;
}

export const SPECIAL_NETWORKS: readonly SpecialNetwork[] = [
  { network: '0.0.0.0/8', name: 'this network', kind: 'never' },
  { network: '10.0.0.0/8', name: 'private use', kind: 'private' },
  { network: '100.64.0.0/10', name: 'shared address space', kind: 'private' },
  { network: '127.0.0.0/8', name: 'loopback', kind: 'private' },
  { network: '169.254.0.0/16', name: 'link-local', kind: 'private' },
  { network: '172.16.0.0/12', name: 'private use', kind: 'private' },
  { network: '192.0.0.0/24', name: 'IETF protocol assignments', kind: 'private' },
  { network: '192.0.2.0/24', name: 'documentation', kind: 'documentation' },
  { network: '192.88.99.0/24', name: '6to4 relay anycast', kind: 'private' },
  { network: '192.168.0.0/16', name: 'private use', kind: 'private' },
  { network: '198.18.0.0/15', name: 'benchmarking', kind: 'private' },
  { network: '198.51.100.0/24', name: 'documentation', kind: 'documentation' },
  { network: '203.0.113.0/24', name: 'documentation', kind: 'documentation' },
  { network: '224.0.0.0/4', name: 'multicast', kind: 'never' },
  { network: '240.0.0.0/4', name: 'reserved', kind: 'never' },
  { network: '::/128', name: 'unspecified', kind: 'never' },
  { network: '::1/128', name: 'loopback', kind: 'private' },
  { network: '64:ff9b:1::/48', name: 'local-use IPv4/IPv6 translation', kind: 'private' },
  { network: '100::/64', name: 'discard-only', kind: 'private' },
  { network: '100:0:0:1::/64', name: 'dummy prefix', kind: 'private' },
  { network: '2001::/23', name: 'IETF protocol assignments, Teredo among them', kind: 'private' },
  { network: '2001:db8::/32', name: 'documentation', kind: 'documentation' },
  { network: '2002::/16', name: '6to4', kind: 'private' },
  { network: '3fff::/20', name: 'documentation', kind: 'documentation' },
  { network: '5f00::/16', name: 'segment routing', kind: 'private' },
  { network: 'fc00::/7', name: 'unique local', kind: 'private' },
  { network: 'fe80::/10', name: 'link-local', kind: 'private' },
  { network: 'fec0::/10', name: 'site-local', kind: 'private' },
  { network: 'ff00::/8', name: 'multicast', kind: 'never' },
];

/** All other IPv6 addresses are unassigned (RFC 4291). */
export const GLOBAL_UNICAST = '2000::/3';

/** Where machines in a cloud get their credentials, in whichever network the address is. */
export const CLOUD_METADATA: readonly { readonly address: string; readonly clouds: string }[] = [
  { address: '100.100.100.200', clouds: 'Alibaba Cloud' },
  { address: '168.63.129.16', clouds: 'Azure' },
  { address: '169.254.169.254', clouds: 'AWS, Azure, Google Cloud, OpenStack and others' },
  { address: '169.254.170.2', clouds: 'AWS: containers' },
  { address: '169.254.170.23', clouds: 'AWS: containers' },
  { address: '192.0.0.192', clouds: 'Oracle Cloud' },
  { address: 'fd00:42::42', clouds: 'Scaleway' },
  { address: 'fd00:ec2::23', clouds: 'AWS: containers' },
  { address: 'fd00:ec2::254', clouds: 'AWS' },
  { address: 'fd20:ce::254', clouds: 'Google Cloud' },
  { address: 'fe80::a9fe:a9fe', clouds: 'OpenStack' },
];
