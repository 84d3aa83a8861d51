import { expect, it } from 'vitest';
import { clientNetwork } from '../../src/addresses/networks.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:0:2::', '2001:db8:0:2'],
  ['2001:db8::2:3:4:5:6', '2001:db8:0:2'],
  ['2001::2:3:4:5:6:7', '2001:0:2:3'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s is a client of %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
