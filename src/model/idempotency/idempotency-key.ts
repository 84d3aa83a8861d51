import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';

/** A request that must create only once. Two that differ only in the body are a mistake of the client. */
export interface KeyedRequest {
  readonly method: string;
  /** In canonical form. */
  readonly path: string;
  readonly key: string;
  readonly bodyHash: string;
  /** Whether its answer can be made again from the resource that it created. */
  readonly isRepeatable: boolean;
}

/** An answer to replay. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if it was too large to keep: it is made again from the resource. */
  readonly body: string | undefined;
  /** The resource that was created. */
  readonly resourceId: string;
}

/** The bounds of the answers that are kept for one project. */
export interface AnswerLimits {
  readonly answers: number;
  readonly bytes: number;
}

/** A larger body is not kept, in bytes: its answer is made again from the resource. */
const LARGEST_KEPT_BODY = 4096;

/** An answer as it is kept. */
export function keptForm(answer: KeptAnswer, isRepeatable: boolean): KeptAnswer {
  const isLarge = Buffer.byteLength(answer.body ?? '') > LARGEST_KEPT_BODY;
  return isLarge && isRepeatable ? { ...answer, body: undefined } : answer;
}

/** The bytes for which a kept answer counts: those of its headers and its body. */
export function answerBytes({ headers, body = '' }: KeptAnswer): number {
  return Buffer.byteLength(JSON.stringify(headers)) + Buffer.byteLength(body);
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
export function storedKey(
  whose: Whose,
  { method, path, key }: Omit<KeyedRequest, 'bodyHash' | 'isRepeatable'>,
): string {
  const parts = [whose.projectId, whose.caller.userId, method, path, key];
  return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** The hash that identifies a body: its SHA-256 in hexadecimal digits. */
export function bodyHash(body: Uint8Array): string {
  return sha256(body);
}
