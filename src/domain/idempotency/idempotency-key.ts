import { createHash } from 'node:crypto';
import type { Caller } from '../acts/caller.ts';

/** A request that shall create once. Two that agree in all but the body are the same one, or a mistake. */
export interface KeyedRequest {
  readonly method: string;
  /** In canonical form. */
  readonly path: string;
  readonly key: string;
  readonly body: Uint8Array;
}

/** An answer as it is given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why a text is no key, or undefined. */
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

/** What an answer is kept under: each part with its length, so that no two requests have the same. */
export function storedKey(whose: Whose, { method, path, key }: Omit<KeyedRequest, 'body'>): string {
  const parts = [whose.projectId, whose.caller.userId, method, path, key];
  return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** What tells one body from another. */
export function bodyHash({ body }: Pick<KeyedRequest, 'body'>): string {
  return sha256(body);
}
