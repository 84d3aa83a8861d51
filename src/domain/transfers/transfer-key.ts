import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RANDOM_BYTES = 16;

/** A new key: 128 random bits as 26 characters of base32 (RFC 4648, section 6). */
export function newTransferKey(): string {
  const bits = [...randomBytes(RANDOM_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{1,5}/g, (five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]!);
}

/** True if two keys are equal; compares in constant time. */
export function isSameKey(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
