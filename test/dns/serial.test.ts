import { expect, it } from 'vitest';
import { FormError } from '../../src/dns/encoding/reader.ts';
import { isLaterSerial } from '../../src/dns/serial.ts';
import { soaSerial } from '../../src/dns/wire/soa.ts';

it.each([
  [2, 1, true],
  [1, 2, false],
  [1, 1, false],
  [0, 2 ** 32 - 1, true],
  [2 ** 32 - 1, 0, false],
  [2 ** 31 - 1, 0, true],
  [2 ** 31, 0, false],
  [0, 2 ** 31, false],
])('that serial %i is later than %i is %s (RFC 1982)', (a, b, expected) => {
  expect(isLaterSerial(a, b)).toBe(expected);
});

it('the serial of an SOA is its third field', () => {
  expect(soaSerial('ns1.example.com. host\\032master.example.com. 4294967295 1 2 3 4')).toBe(4_294_967_295);
});

it.each(['\\# 0', '\\# 3 010203', '192.0.2.1', ''])('what is no SOA has no serial: %s', (rdata) => {
  expect(() => soaSerial(rdata)).toThrow(FormError);
});
