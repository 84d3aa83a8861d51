import { invalidObject } from '../domain/errors.ts';
import { EdgeError } from './errors.ts';
import { parseJson } from './json.ts';
import { type JsonSchema, readAs, type Shape } from './shape.ts';

/** The kind of body that an operation takes, and how to parse its bytes. */
export interface BodyReader<T> {
  readonly mediaType: 'application/json' | 'text/dns';
  /** In bytes, if it differs from the general maximum. */
  readonly maxSize?: number;
  /** The schema of a JSON body. */
  readonly schema?: JsonSchema;
  /** Whether it is optional. */
  readonly isOptional?: true;
  /** Throws the refusal. */
  read(bytes: Buffer | undefined): T;
}

/** A reader of JSON bodies of one shape. It reports all faults of a body at once. */
export function jsonBody<T extends NonNullable<unknown>>(shape: Shape<T>): BodyReader<T> {
  const read = (bytes: Buffer | undefined): T => {
    if (bytes === undefined || bytes.length === 0) throw new EdgeError('empty_request_body');
    return readAs(shape, parseJson(bytes));
  };
  return { mediaType: 'application/json', schema: shape.schema, read };
}

/** The same, but a missing body is an empty object. */
export function optionalBody<T extends NonNullable<unknown>>(shape: Shape<T>): BodyReader<T> {
  const reader = jsonBody(shape);
  const read = (bytes: Buffer | undefined): T =>
    reader.read(bytes === undefined || bytes.length === 0 ? Buffer.from('{}') : bytes);
  return { ...reader, isOptional: true, read };
}

/** A reader of zone files: their text, which must be UTF-8. */
export function zoneFileBody(maxSize: number): BodyReader<string> {
  const read = (bytes: Buffer | undefined): string => {
    if (bytes === undefined || bytes.length === 0) {
      throw new EdgeError('empty_request_body', 'The operation needs a zone file.');
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw invalidObject([{ path: [], message: 'The zone file is not UTF-8.' }]);
    }
  };
  return { mediaType: 'text/dns', maxSize, read };
}
