import { STATUS_CODES } from 'node:http';
import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import type { BodyReader } from '../edge/body.ts';
import type { ResponseHeader } from '../edge/headers.ts';
import { JSON_LINES, JSON_TYPE, type ResponseForm } from '../edge/responses.ts';
import type { Route } from '../edge/route.ts';
import { exampleOf } from './examples.ts';
import { parametersOf } from './parameters.ts';
import type { RefusalResponses } from './refusals.ts';
import { headersOf } from './response-headers.ts';
import type { DocumentPart, Schemas } from './schemas.ts';
import { tagOf } from './tags.ts';

/** Components shared by the operations of one document. */
export interface Shared {
  readonly schemas: Schemas;
  readonly refusals: RefusalResponses;
}

/** A verb and a noun, from the name of the rule; the verb of lists is `list`. */
function operationIdOf({ operationId, guard, method, path }: Route): string {
  if (operationId !== undefined) return operationId;
  if (guard === 'public')
    throw new Error(`${method} ${path} needs an operationId: it has no rule to take it from.`);
  return guard.rule.replace(/^find_/, 'list_').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Turns `createZone` into words. */
function summaryOf(operationId: string): string {
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Read-only keys of the resource that a change may repeat. */
function repeatedBy({ responses: { forms } }: Route): Readonly<Record<string, JsonSchema>> {
  return forms.find(({ mediaType }) => mediaType === JSON_TYPE)?.schema.properties ?? {};
}

function bodySchema(route: Route, { schema, repeatsResource }: BodyReader<unknown>): JsonSchema {
  if (!repeatsResource) return schema;
  return { ...schema, properties: { ...repeatedBy(route), ...schema.properties } };
}

function requestBodyOf(route: Route, schemas: Schemas): DocumentPart {
  const { body } = route;
  if (body === undefined) return {};
  const content = body.map((reader) => [
    reader.mediaType,
    { schema: schemas.refer(bodySchema(route, reader)), example: exampleOf(reader.schema) },
  ]);
  const required = body.every(({ isOptional }) => !isOptional);
  return { requestBody: { required, content: Object.fromEntries(content) } };
}

function contentOf({ mediaType, schema, line }: ResponseForm, schemas: Schemas): DocumentPart {
  const written = schemas.refer(schema);
  if (line === undefined) return { schema: written, example: exampleOf(schema) };
  const example = `${JSON.stringify(exampleOf(line))}\n`;
  // OpenAPI 3.2 calls it itemSchema.
  return {
    schema: written,
    example,
    ...(mediaType === JSON_LINES ? { 'x-item-schema': schemas.refer(line) } : {}),
  };
}

/** Response headers of a route, in addition to those it declares. */
function headersBesides({ guard, method, tagged }: Route): readonly ResponseHeader[] {
  const isKeyed = guard !== 'public' && method === 'POST';
  const isTagged = tagged !== undefined && method !== 'DELETE';
  return [...(isKeyed ? ['Idempotency-Replayed' as const] : []), ...(isTagged ? ['ETag' as const] : [])];
}

function answersOf(route: Route, schemas: Schemas): DocumentPart {
  const { status, others = [], forms, headers = [] } = route.responses;
  const all = headersOf([...headers, ...headersBesides(route)]);
  const content = Object.fromEntries(forms.map((form) => [form.mediaType, contentOf(form, schemas)]));
  const answer = (one: number): DocumentPart => ({
    description: `${STATUS_CODES[one]}.`,
    headers: all,
    ...(forms.length === 0 ? {} : { content }),
  });
  const isRead = route.tagged !== undefined && route.method === 'GET';
  return {
    ...Object.fromEntries([status, ...others].map((one) => [one, answer(one)])),
    ...(isRead ? { 304: { description: `${STATUS_CODES[304]}.`, headers: all } } : {}),
  };
}

/** The credentials of an operation, where they are not those of most. */
function securityOf({ guard, protocol }: Route): DocumentPart {
  if (guard === 'public') return { security: [] };
  return protocol === undefined ? {} : { security: [{ [protocol.security]: [] }] };
}

/** The OpenAPI operation of a route. */
export function operationOf(route: Route, { schemas, refusals }: Shared): DocumentPart {
  const operationId = operationIdOf(route);
  return {
    operationId,
    summary: summaryOf(operationId),
    tags: [tagOf(route.path)],
    ...securityOf(route),
    parameters: parametersOf(route, schemas),
    ...requestBodyOf(route, schemas),
    responses: { ...answersOf(route, schemas), ...refusals.of(route) },
  };
}
