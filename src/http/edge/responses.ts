import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import type { ResponseHeader } from './headers.ts';
import type { ResponseSchema } from './response-schema.ts';

export const JSON_TYPE = 'application/json';
/** One JSON value per line. */
export const JSON_LINES = 'application/jsonl';

/** The full Content-Type header, so that streamed and buffered responses carry an identical one. */
export function contentTypeOf(mediaType: string): string {
  return mediaType === JSON_TYPE || mediaType === JSON_LINES ? `${mediaType}; charset=utf-8` : mediaType;
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
  /** Never set. It ties the value sent to its schema. */
  readonly sends?: Body;
}

interface Besides {
  readonly headers?: readonly ResponseHeader[];
  readonly forms?: readonly ResponseForm[];
}

/** A JSON response, with other forms for clients that prefer one. */
export function responsesWith<Status extends number, Body>(
  status: Status,
  { schema }: ResponseSchema<Body>,
  { headers = [], forms = [] }: Besides = {},
): Responses<Status, Body> {
  return { status, headers, forms: [{ mediaType: JSON_TYPE, schema }, ...forms] };
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
