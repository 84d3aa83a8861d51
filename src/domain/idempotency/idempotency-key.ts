import { createHash } from 'node:crypto';
import type { Caller } from '../acts/caller.ts';

/** A request that must create only once. Two that differ only in the body are a mistake of the client. */
export interface KeyedRequest {
  readonly method: string;
  /** In canonical form. */
  readonly path: string;
  readonly key: string;
  readonly bodyHash: string;
}

/** An answer to replay. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why a text is not a key, or undefined. */
export function idempotencyKeyFault(text: string): string | undefined {
  return /^[\x20-\x7e]{1,255}$/.test(text)
    ? undefined
    : 'Idempotency-Key: use 1 to 255 printable ASCII characters.';
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whose request it is: the project acted for, and who acts. */
interface Whose {
  readonly projectId: string;
  readonly caller: Pick<Caller, 'userId'>;
}

/** The storage key of an answer: each part is prefixed by its length, so that no two requests share a key. */
export function storedKey(whose: Whose, { method, path, key }: Omit<KeyedRequest, 'bodyHash'>): string {
  const parts = [whose.projectId, whose.caller.userId, method, path, key];
  return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** The hash that identifies a body: its SHA-256 in hexadecimal digits. */
export function bodyHash(body: Uint8Array): string {
  return sha256(body);
}
