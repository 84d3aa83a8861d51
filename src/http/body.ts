import { type JsonSchema, readAs, type Shape } from '../domain/shapes/shape.ts';
import { EdgeError } from './errors.ts';
import { parseJson } from './json.ts';

/** The kind of body that an operation takes, and how to parse its bytes. */
export interface WholeBodyReader<T> {
  readonly mediaType: 'application/json';
  readonly maxSize?: undefined;
  /** The schema of a JSON body. */
  readonly schema?: JsonSchema;
  /** Whether it is optional. */
  readonly isOptional?: true;
  /** Throws the refusal. */
  read(bytes: Buffer | undefined): T;
}

/** A kind of body that is parsed as it arrives. */
export interface ArrivingBodyReader<T> {
  readonly mediaType: 'text/dns' | 'application/json';
  /** The schema of the body, or of that which a client may send instead. */
  readonly schema?: JsonSchema;
  /** What a client may send instead. */
  readonly instead?: ArrivingBodyReader<T>;
  readonly isOptional?: undefined;
  /** In bytes. */
  readonly maxSize: number;
  /** What it returns throws the refusal. */
  readAsItArrives(bytes: AsyncIterable<Uint8Array>): T;
}

export type BodyReader<T> = WholeBodyReader<T> | ArrivingBodyReader<T>;

/** The JSON value of a body. @throws EdgeError `empty_request_body` or `invalid_json` */
export function readJson(bytes: Buffer | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) throw new EdgeError('empty_request_body');
  return parseJson(bytes);
}

/** A reader of JSON bodies of one shape. It reports all faults of a body at once. */
export function jsonBody<T extends NonNullable<unknown>>(shape: Shape<T>): WholeBodyReader<T> {
  const read = (bytes: Buffer | undefined): T => readAs(shape, readJson(bytes));
  return { mediaType: 'application/json', schema: shape.schema, read };
}

/** The same, but a missing body, or the body `null`, is an empty object. */
export function optionalBody<T extends NonNullable<unknown>>(shape: Shape<T>): WholeBodyReader<T> {
  const read = (bytes: Buffer | undefined): T => {
    const given = bytes === undefined || bytes.length === 0 ? null : parseJson(bytes);
    return readAs(shape, given ?? {});
  };
  return { ...jsonBody(shape), isOptional: true, read };
}
