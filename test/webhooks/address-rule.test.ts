import { describe, expect, it } from 'vitest';
import { addressFault } from '../../src/webhooks/address-rule.ts';

const PUBLIC = [
  '1.1.1.1',
  '9.9.9.9',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  // An address of the Internet, written as IPv6 has it, and by way of NAT64.
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
];

const PRIVATE = [
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  '5f00::1',
  '64:ff9b:1::a00:1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '64:ff9b::a00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b::7f00:1',
  '::7f00:1',
];

const NOBODYS = [
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  'ff02::1',
  '::ffff:0.0.0.0',
  '::ffff:224.0.0.1',
  '64:ff9b::',
  '64:ff9b::ffff:ffff',
  'fe80::1%eth0',
  'localhost',
  '',
];

describe('the address of a receiver', () => {
  it.each(PUBLIC)('%s is allowed', (address) => {
    expect([addressFault(address, false), addressFault(address, true)]).toEqual([undefined, undefined]);
  });

  it.each(PRIVATE)('%s is allowed where private addresses are', (address) => {
    expect(addressFault(address, false)).toContain('set allow_private');
    expect(addressFault(address, true)).toBeUndefined();
  });

  it.each(NOBODYS)('%j is never allowed', (address) => {
    expect(addressFault(address, false)).not.toContain('allow_private');
    expect(addressFault(address, true)).toBeDefined();
  });
});
