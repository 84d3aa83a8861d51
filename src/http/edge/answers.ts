import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import type { AnswerHeader } from './headers.ts';
import type { Sent } from './sent.ts';

export const JSON_TYPE = 'application/json';
/** One JSON value a line. */
export const JSON_LINES = 'application/jsonl';

/** The Content-Type of an answer: complete, so that a streamed one has the same as one sent at once. */
export function contentTypeOf(mediaType: string): string {
  return mediaType === JSON_TYPE || mediaType === JSON_LINES ? `${mediaType}; charset=utf-8` : mediaType;
}

/** One form of an answer. */
export interface AnswerForm {
  readonly mediaType: string;
  readonly schema: JsonSchema;
  /** Of each line, where it is lines of JSON. */
  readonly line?: JsonSchema;
}

/**
 * What a route answers if nothing is refused. A refusal is always JSON.
 * @typeParam Body what is sent as JSON
 */
export interface Answers<Status extends number, Body> {
  readonly status: Status;
  /** By media type, the preferred one first; none if the answer has no body. */
  readonly forms: readonly AnswerForm[];
  readonly headers?: readonly AnswerHeader[];
  /** Never there. It ties what is sent to its schema. */
  readonly sends?: Body;
}

interface Besides {
  readonly headers?: readonly AnswerHeader[];
  readonly forms?: readonly AnswerForm[];
}

/** An answer in JSON, and in other forms if the client prefers one. */
export function answersWith<Status extends number, Body>(
  status: Status,
  { schema }: Sent<Body>,
  { headers = [], forms = [] }: Besides = {},
): Answers<Status, Body> {
  return { status, headers, forms: [{ mediaType: JSON_TYPE, schema }, ...forms] };
}

/** The answer to a create: the resource and its location. */
export function answersCreated<Status extends 201 | 202, Body>(
  status: Status,
  body: Sent<Body>,
  headers: readonly AnswerHeader[] = [],
): Answers<Status, Body> {
  return answersWith(status, body, { headers: ['Location', ...headers] });
}

/** What the answer to the create of a zone says of the blacklists that its name matches, and of what the zone hides. */
export const OF_BLACKLISTS = ['Warning', 'X-Zonewarden-Blacklist-Bypassed'] as const;

/** An answer without a body. */
export function answersNothing<Status extends number>(
  status: Status,
  headers: readonly AnswerHeader[] = [],
): Answers<Status, never> {
  return { status, headers, forms: [] };
}

/** An answer that is text of another type than JSON. */
export function answersText(
  mediaType: string,
  about: Pick<JsonSchema, 'description' | 'examples'>,
): Answers<200, never> {
  return { status: 200, forms: [{ mediaType, schema: { type: 'string', ...about } }] };
}

/** Lines of JSON, as one form of an answer. */
export function linesOf({ schema }: Sent<unknown>): AnswerForm {
  const description = 'One JSON object a line.';
  return { mediaType: JSON_LINES, schema: { type: 'string', description }, line: schema };
}
