import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import { nullable, readAs, type Shape } from '../../domain/shapes/shape.ts';
import { JSON_TYPE } from './answers.ts';
import { EdgeError } from './errors.ts';
import { parseJson } from './json.ts';

/** A kind of body that an operation takes, and how to parse its bytes. */
export interface WholeBodyReader<T> {
  readonly mediaType: string;
  readonly maxSize?: undefined;
  readonly schema: JsonSchema;
  /** Whether it may also hold the other keys of the resource that is answered. */
  readonly repeatsResource?: true;
  /** Whether it is optional. */
  readonly isOptional?: true;
  /** Throws the refusal. */
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
  /** The same for a request with an idempotency key, whose body is waited for whole. */
  readonly maxKeyedSize?: number;
  /** What it returns throws the refusal. */
  readAsItArrives(bytes: AsyncIterable<Uint8Array>): T;
}

export type BodyReader<T> = WholeBodyReader<T> | ArrivingBodyReader<T>;

/** The readers of the bodies that an operation takes, one for each media type. */
export type BodyReaders<T> = readonly [BodyReader<T>, ...BodyReader<T>[]];
type JsonBody<T> = readonly [WholeBodyReader<T>];

/** The JSON value of a body. @throws EdgeError `empty_request_body` or `invalid_json` */
export function readJson(bytes: Buffer | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) throw new EdgeError('empty_request_body');
  return parseJson(bytes);
}

/** A reader of JSON bodies of one shape. It reports all faults of a body at once. */
export function jsonBody<T extends NonNullable<unknown>>(shape: Shape<T>): JsonBody<T> {
  const read = (bytes: Buffer | undefined): T => readAs(shape, readJson(bytes));
  return [{ mediaType: JSON_TYPE, schema: shape.schema, read }];
}

/** The same, but a missing body, or the body `null`, is an empty object. */
export function optionalBody<T extends NonNullable<unknown>>(shape: Shape<T>): JsonBody<T> {
  const read = (bytes: Buffer | undefined): T => {
    const given = bytes === undefined || bytes.length === 0 ? null : parseJson(bytes);
    return readAs(shape, given ?? {});
  };
  return [{ mediaType: JSON_TYPE, schema: nullable(shape).schema, isOptional: true, read }];
}
