import { expect, it } from 'vitest';
import { WireReader } from '../../../src/dns/encoding/reader.ts';
import { typeNumber } from '../../../src/dns/record-types.ts';
import { decodeExactRdata, decodeRdata, isExactRdata } from '../../../src/dns/wire/rdata.ts';

const TARGET = Buffer.from('\x00\x01\x03Svc\x07example\x00', 'latin1');
const LOWER = Buffer.from('\x00\x01\x03svc\x07example\x00', 'latin1');

it.each([
  ['CAA', Buffer.from('\x00\x05ISSUEca.example', 'latin1'), '0 issue "ca.example"'],
  ['SVCB', TARGET, '1 svc.example.'],
  ['HTTPS', TARGET, '1 svc.example.'],
] as const)('%s with capital letters stays as it is signed', (type, octets, canonical) => {
  const [number, length] = [typeNumber(type), octets.length];
  expect(decodeRdata(new WireReader(octets), number, length)).toBe(canonical);
  expect(decodeExactRdata(new WireReader(octets), number, length)).toBe(
    `\\# ${length} ${octets.toString('hex')}`,
  );
});

it('what has the canonical form keeps its text', () => {
  expect(decodeExactRdata(new WireReader(LOWER), typeNumber('SVCB'), LOWER.length)).toBe('1 svc.example.');
  const mx = Buffer.from('\x00\x0a\x04Mail\x07example\x00', 'latin1');
  expect(decodeExactRdata(new WireReader(mx), typeNumber('MX'), mx.length)).toBe('10 mail.example.');
});

it.each([
  ['CAA', '\\# 17 0005495353554563612e6578616d706c65', true],
  ['CAA', '\\# 17 0005697373756563612e6578616d706c65', false],
  ['CAA', '\\# 18 0005495353554563612e6578616d706c65', false],
  ['CAA', '\\# 3 0005ff', false],
  ['A', '\\# 4 c0000201', false],
  ['CAA', '0 ISSUE "ca.example"', false],
] as const)('%s %s is kept as sent: %s', (type, text, isKept) => {
  expect(isExactRdata(type, text)).toBe(isKept);
});
