import { EdgeError } from './errors.ts';
import { parseJson } from './json.ts';
import { type JsonSchema, readAs, type Shape } from './shape.ts';

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
  readonly mediaType: 'text/dns';
  readonly schema?: undefined;
  readonly isOptional?: undefined;
  /** In bytes. */
  readonly maxSize: number;
  /** What it returns throws the refusal. */
  readAsItArrives(bytes: AsyncIterable<Uint8Array>): T;
}

export type BodyReader<T> = WholeBodyReader<T> | ArrivingBodyReader<T>;

/** A reader of JSON bodies of one shape. It reports all faults of a body at once. */
export function jsonBody<T extends NonNullable<unknown>>(shape: Shape<T>): WholeBodyReader<T> {
  const read = (bytes: Buffer | undefined): T => {
    if (bytes === undefined || bytes.length === 0) throw new EdgeError('empty_request_body');
    return readAs(shape, parseJson(bytes));
  };
  return { mediaType: 'application/json', schema: shape.schema, read };
}

/** The same, but a missing body is an empty object. */
export function optionalBody<T extends NonNullable<unknown>>(shape: Shape<T>): WholeBodyReader<T> {
  const reader = jsonBody(shape);
  const read = (bytes: Buffer | undefined): T =>
    reader.read(bytes === undefined || bytes.length === 0 ? Buffer.from('{}') : bytes);
  return { ...reader, isOptional: true, read };
}
