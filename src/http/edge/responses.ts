import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import type { ResponseHeader } from './headers.ts';
import type { ResponseSchema } from './response-schema.ts';

export const JSON_TYPE = 'application/json';
/** One JSON value per line. */
export const JSON_LINES = 'application/jsonl';
export const TEXT_TYPE = 'text/plain';
const IN_UTF8: readonly string[] = [JSON_TYPE, JSON_LINES, TEXT_TYPE];

/** The full Content-Type header, so that streamed and buffered responses carry an identical one. */
export function contentTypeOf(mediaType: string): string {
  return IN_UTF8.includes(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}

/** One representation of a response. */
export interface ResponseForm {
  readonly mediaType: string;
  readonly schema: JsonSchema;
  /** Schema of each line, for JSON lines. */
  readonly line?: JsonSchema;
}

/**
 * A route's successful response. Refusals are always JSON.
 * @typeParam Body value sent as JSON
 */
export interface Responses<Status extends number, Body> {
  readonly status: Status;
  /** By media type, preferred first; empty if the response has no body. */
  readonly forms: readonly ResponseForm[];
  readonly headers?: readonly ResponseHeader[];
  /** Other statuses of a success, with the same body. */
  readonly others?: readonly Status[];
  /** Never set. It ties the value sent to its schema. */
  readonly sends?: Body;
}

interface Besides<Status extends number> {
  readonly headers?: readonly ResponseHeader[];
  readonly forms?: readonly ResponseForm[];
  readonly others?: readonly Status[];
}

/** A JSON response, with other forms for clients that prefer one. */
export function responsesWith<Status extends number, Body, Other extends number = never>(
  status: Status,
  { schema }: ResponseSchema<Body>,
  { headers = [], forms = [], others = [] }: Besides<Other> = {},
): Responses<Status | Other, Body> {
  return { status, headers, others, forms: [{ mediaType: JSON_TYPE, schema }, ...forms] };
}

/** The response to a create: the resource and its location. */
export function responsesCreated<Status extends 201 | 202, Body>(
  status: Status,
  body: ResponseSchema<Body>,
  headers: readonly ResponseHeader[] = [],
): Responses<Status, Body> {
  return responsesWith(status, body, { headers: ['Location', ...headers] });
}

/** Headers of a zone create that report blacklists the name matches and recordsets the zone hides. */
export const OF_BLACKLISTS = ['Warning', 'X-Zonewarden-Blacklist-Bypassed'] as const;

/** The header of a response to a write of recordsets. */
export const CHANGE_HEADER = 'X-Zonewarden-Change';

/** Names the change in the history of the zone. */
export function changeHeader({ changeId }: { readonly changeId: string }): Readonly<Record<string, string>> {
  return { [CHANGE_HEADER.toLowerCase()]: changeId };
}

/** A response without a body. */
export function responsesNothing<Status extends number>(
  status: Status,
  headers: readonly ResponseHeader[] = [],
): Responses<Status, never> {
  return { status, headers, forms: [] };
}

/** A text response of a type other than JSON. */
export function responsesText(
  mediaType: string,
  about: Pick<JsonSchema, 'description' | 'examples'>,
): Responses<200, never> {
  return { status: 200, forms: [{ mediaType, schema: { type: 'string', ...about } }] };
}

/** JSON lines, as one form of a response. */
export function linesOf({ schema }: ResponseSchema<unknown>): ResponseForm {
  const description = 'One JSON object per line.';
  return { mediaType: JSON_LINES, schema: { type: 'string', description }, line: schema };
}
