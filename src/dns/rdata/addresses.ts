import type { RdataFields } from './fields.ts';
import { RdataError, shown } from './rdata-error.ts';

const IPV4 = /^(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}$/;
const GROUP = /^[0-9A-Fa-f]{1,4}$/;
const MAX_IPV6_TEXT = 45;

function ipv4Bytes(text: string): number[] | undefined {
  if (text.length > 15 || !IPV4.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/**
 * Decodes four decimal numbers. Leading zeros are refused, since some programs read them as octal.
 * @throws RdataError
 */
export function decodeIpv4(text: string): number[] {
  const bytes = ipv4Bytes(text);
  if (bytes !== undefined) return bytes;
  throw new RdataError(
    `${shown(text)} is not an IPv4 address. Write four numbers from 0 to 255 without leading zeros, such as 192.0.2.1.`,
  );
}

export const formatIpv4 = (bytes: readonly number[]): string => bytes.join('.');

/** The 16-bit groups on one side of the `::`, or undefined. An IPv4 address may end the text. */
function groupsOf(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    const ipv4 = mayEndInIpv4 && index === parts.length - 1 ? ipv4Bytes(part) : undefined;
    if (ipv4 !== undefined) groups.push(ipv4[0]! * 256 + ipv4[1]!, ipv4[2]! * 256 + ipv4[3]!);
    else if (GROUP.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function ipv6Groups(text: string): number[] | undefined {
  if (text.length > MAX_IPV6_TEXT) return undefined;
  const [left, right, ...others] = text.split('::');
  if (left === undefined || others.length > 0) return undefined;
  const head = groupsOf(left, right === undefined);
  if (head === undefined || right === undefined) return head?.length === 8 ? head : undefined;
  const tail = groupsOf(right, true);
  if (tail === undefined || head.length + tail.length > 7) return undefined;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/**
 * Decodes any of the three forms of RFC 4291 section 2.2.
 * @throws RdataError
 */
export function decodeIpv6(text: string): number[] {
  const groups = ipv6Groups(text);
  if (groups !== undefined) return groups.flatMap((group) => [group >> 8, group & 0xff]);
  throw new RdataError(
    `${shown(text)} is not an IPv6 address. Write eight groups of hexadecimal digits, or fewer with one ::, such as 2001:db8::1.`,
  );
}

/** The first of the longest runs of at least two zero groups. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 1 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: index - length + 1, length };
  }
  return best;
}

/** RFC 5952: lower case, the longest run of zeros as ::, and IPv4-mapped addresses in mixed notation (section 5). */
export function formatIpv6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes[2 * index]! * 256 + bytes[2 * index + 1]!);
  if (groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return `::ffff:${formatIpv4(bytes.slice(12))}`;
  }
  const hex = (some: number[]): string => some.map((group) => group.toString(16)).join(':');
  const { start, length } = longestZeros(groups);
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** A: RFC 1035 section 3.4.1. */
export function readA(fields: RdataFields): void {
  const bytes = decodeIpv4(fields.takeWord('IPv4 address'));
  fields.write(formatIpv4(bytes), bytes);
}

/** AAAA: RFC 3596; canonical text: RFC 5952. */
export function readAaaa(fields: RdataFields): void {
  const bytes = decodeIpv6(fields.takeWord('IPv6 address'));
  fields.write(formatIpv6(bytes), bytes);
}
