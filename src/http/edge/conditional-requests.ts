/** Conditional requests: ETags of single resources, and preconditions (RFC 9110, sections 8.8.3 and 13). */
import { hash } from 'node:crypto';
import type { Precondition } from '../../model/context/options.ts';
import { EdgeError } from './errors.ts';
import type { RequestHeaders } from './headers.ts';
import type { ApiReply, Route } from './route.ts';

/** Length of an ETag, in base64url characters of 6 bits. */
const DIGITS = 22;

/** One tag of a list, with any whitespace, commas and empty elements before it (RFC 9110, sections 5.6.1 and 8.8.3). */
const NEXT_TAG = /[ \t,]*(W\/)?("[!\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y;
const REST = /^[ \t,]*$/;

interface EntityTag {
  readonly isWeak: boolean;
  readonly opaque: string;
}

/** The tags in a condition, or `*` for any existing state. */
type ConditionTags = '*' | readonly EntityTag[];

export interface Conditions {
  readonly ifMatch: ConditionTags | undefined;
  readonly ifNoneMatch: ConditionTags | undefined;
}

/**
 * The strong ETag of a representation, in quotes. It ignores fields that change without a change of the resource, and
 * fields that depend on the caller or the request.
 */
export function etagOf(representation: object): string {
  const { links, hits, exhausted, warnings, hidden_by, ...hashed } = representation as Readonly<
    Record<string, unknown>
  >;
  return `"${hash('sha256', JSON.stringify(hashed), 'base64url').slice(0, DIGITS)}"`;
}

function tagsIn(text: string): { readonly tags: readonly EntityTag[]; readonly end: number } {
  const tags: EntityTag[] = [];
  let end = 0;
  for (;;) {
    NEXT_TAG.lastIndex = end;
    const found = NEXT_TAG.exec(text);
    if (found === null) return { tags, end };
    tags.push({ isWeak: found[1] !== undefined, opaque: found[2]! });
    end = NEXT_TAG.lastIndex;
  }
}

/** @throws EdgeError `bad_request` */
function namedIn(headers: RequestHeaders, name: 'If-Match' | 'If-None-Match'): ConditionTags | undefined {
  const text = headers[name.toLowerCase()];
  if (text === undefined) return undefined;
  const list = String(text);
  if (list === '*') return list;
  const { tags, end } = tagsIn(list);
  if (tags.length > 0 && REST.test(list.slice(end))) return tags;
  throw new EdgeError('bad_request', `${name}: send ETags as returned, including the quotes, or *.`);
}

/**
 * The conditions of a request; undefined if it has none.
 * @throws EdgeError `bad_request` if one is malformed
 */
export function conditionsOf(headers: RequestHeaders): Conditions | undefined {
  const ifMatch = namedIn(headers, 'If-Match');
  const ifNoneMatch = namedIn(headers, 'If-None-Match');
  return ifMatch === undefined && ifNoneMatch === undefined ? undefined : { ifMatch, ifNoneMatch };
}

/** Strong comparison: a weak tag never matches. */
function isMatched(named: ConditionTags, etag: string): boolean {
  return named === '*' || named.some(({ isWeak, opaque }) => !isWeak && opaque === etag);
}

/** Weak comparison. */
function isKnown(named: ConditionTags, etag: string): boolean {
  return named === '*' || named.some(({ opaque }) => opaque === etag);
}

function reads({ method }: Pick<Route, 'method'>): boolean {
  return method === 'GET';
}

/**
 * The precondition of the resource; undefined if there is none. If-None-Match on a read yields a 304, not a failure.
 */
export function preconditionOf(
  route: Pick<Route, 'method' | 'tagged' | 'condition'>,
  conditions: Conditions | undefined,
): Precondition | undefined {
  const { tagged = route.condition } = route;
  if (tagged === undefined || conditions === undefined) return undefined;
  const ifNoneMatch = reads(route) ? undefined : conditions.ifNoneMatch;
  const { ifMatch } = conditions;
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return {
    holds(resource) {
      const etag = etagOf(tagged.represent(resource));
      const isThis = ifMatch === undefined || isMatched(ifMatch, etag);
      return isThis && !(ifNoneMatch !== undefined && isKnown(ifNoneMatch, etag));
    },
  };
}

/** True if the route evaluates preconditions (RFC 9110, section 13). */
export function isConditional({ tagged, condition, method }: Route): boolean {
  return condition !== undefined || (tagged !== undefined && method !== 'POST');
}

/** The representation in a response. A response stored for an idempotency key holds it as text. */
function representationIn({ body }: ApiReply): object | undefined {
  return typeof body === 'string' ? JSON.parse(body) : body;
}

/** Adds the resource's ETag to a response, and makes it a 304 without a body if the client already has this state. */
export function replyWithEtag(
  route: Pick<Route, 'method' | 'tagged'>,
  conditions: Conditions | undefined,
  reply: ApiReply,
): ApiReply {
  // After a delete, the resource has no later state that a client could name.
  if (route.tagged === undefined || route.method === 'DELETE') return reply;
  const representation = representationIn(reply);
  if (representation === undefined) return reply;
  const etag = etagOf(representation);
  const headers = { ...reply.headers, etag };
  const has = conditions?.ifNoneMatch;
  const isNothingNew = reads(route) && has !== undefined && isKnown(has, etag);
  return { ...reply, headers, status: isNothingNew ? 304 : reply.status };
}
