import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import { nullable, readAs, type Shape } from '../../domain/shapes/shape.ts';
import { EdgeError } from './errors.ts';
import { parseJson } from './json.ts';
import { JSON_TYPE } from './responses.ts';

/** A kind of body that an operation accepts, and how to parse its bytes. */
export interface WholeBodyReader<T> {
  readonly mediaType: string;
  readonly maxSize?: undefined;
  readonly schema: JsonSchema;
  /** Set if the body may repeat the other keys of the resource. */
  readonly repeatsResource?: true;
  /** Set if the body may be missing. */
  readonly isOptional?: true;
  /** @throws the refusal */
  read(bytes: Buffer | undefined): T;
}

/** A kind of body that is parsed as it arrives. */
export interface ArrivingBodyReader<T> {
  readonly mediaType: string;
  readonly schema: JsonSchema;
  readonly repeatsResource?: undefined;
  readonly isOptional?: undefined;
  /** In bytes. */
  readonly maxSize: number;
  /** Maximum size with an idempotency key, in bytes. Such a body is buffered whole. */
  readonly maxKeyedSize?: number;
  /** Returns a value that throws the refusal when it is read. */
  readAsItArrives(bytes: AsyncIterable<Uint8Array>): T;
}

export type BodyReader<T> = WholeBodyReader<T> | ArrivingBodyReader<T>;

/** Readers for the bodies that an operation accepts, one per media type. */
export type BodyReaders<T> = readonly [BodyReader<T>, ...BodyReader<T>[]];
type JsonBody<T> = readonly [WholeBodyReader<T>];

/** Parses a body as JSON. @throws EdgeError `empty_request_body` or `invalid_json` */
export function readJson(bytes: Buffer | undefined, maxKeys?: number): unknown {
  if (bytes === undefined || bytes.length === 0) throw new EdgeError('empty_request_body');
  return parseJson(bytes, maxKeys);
}

/** A reader for JSON bodies of one shape. It reports all faults of a body at once. */
export function jsonBody<T extends NonNullable<unknown>>(shape: Shape<T>): JsonBody<T> {
  const read = (bytes: Buffer | undefined): T => readAs(shape, readJson(bytes));
  return [{ mediaType: JSON_TYPE, schema: shape.schema, read }];
}

/** Like `jsonBody`, but a missing or `null` body counts as an empty object. */
export function optionalBody<T extends NonNullable<unknown>>(shape: Shape<T>): JsonBody<T> {
  const read = (bytes: Buffer | undefined): T => {
    const given = bytes === undefined || bytes.length === 0 ? null : parseJson(bytes);
    return readAs(shape, given ?? {});
  };
  return [{ mediaType: JSON_TYPE, schema: nullable(shape).schema, isOptional: true, read }];
}
