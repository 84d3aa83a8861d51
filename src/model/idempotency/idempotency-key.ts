import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';

/** A request that must create only once. Reusing its key with another body is a client error. */
export interface KeyedRequest {
  readonly method: string;
  /** Canonical. */
  readonly path: string;
  readonly key: string;
  readonly bodyHash: string;
  /** True if its response can be rebuilt from the created resource. */
  readonly isRepeatable: boolean;
}

/** A stored response to replay. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if it was too large to store: it is rebuilt from the resource. */
  readonly body: string | undefined;
  /** The created resource. */
  readonly resourceId: string;
}

/** Limits on the responses stored per project. */
export interface StoredResponseLimits {
  readonly responses: number;
  readonly bytes: number;
}

/** In bytes. A larger body is not stored: it is rebuilt from the resource. */
const MAX_STORED_BODY = 4096;

/** The form in which a response is stored. */
export function storedForm(answer: StoredResponse, isRepeatable: boolean): StoredResponse {
  const isLarge = Buffer.byteLength(answer.body ?? '') > MAX_STORED_BODY;
  return isLarge && isRepeatable ? { ...answer, body: undefined } : answer;
}

/** The size of a stored response in bytes: headers and body. */
export function responseBytes({ headers, body = '' }: StoredResponse): number {
  return Buffer.byteLength(JSON.stringify(headers)) + Buffer.byteLength(body);
}

/** Why a text is not a valid key, or undefined. */
export function idempotencyKeyFault(text: string): string | undefined {
  return /^[\x20-\x7e]{1,255}$/.test(text)
    ? undefined
    : 'Idempotency-Key: use 1 to 255 printable ASCII characters.';
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Who sends the request: the project acted for, and the user. A credential with a scope stands for itself. */
interface Whose {
  readonly projectId: string;
  readonly caller: Pick<Caller, 'userId' | 'credential'>;
}

/** Other credentials of the user may read what a scope hides. */
function ownCredential({ caller: { credential } }: Whose): readonly string[] {
  return credential?.scope ? [credential.id] : [];
}

/** The storage key of a response. Each part is prefixed by its length, so that no two requests share a key. */
export function storedKey(
  whose: Whose,
  { method, path, key }: Omit<KeyedRequest, 'bodyHash' | 'isRepeatable'>,
): string {
  const parts = [whose.projectId, whose.caller.userId, method, path, key, ...ownCredential(whose)];
  return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** Identifies a body by its SHA-256, in hexadecimal. */
export function bodyHash(body: Uint8Array): string {
  return sha256(body);
}
