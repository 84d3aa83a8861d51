import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { type Fault, invalidObject } from '../domain/errors.ts';
import { EdgeError } from './errors.ts';
import { faultsOf } from './faults.ts';
import { parseJson } from './json.ts';

/** What kind of body an operation takes, and how its bytes become a value. */
export interface BodyReader<T> {
  readonly mediaType: 'application/json' | 'text/dns';
  /** In bytes, where it is not the size of every other body. */
  readonly maxSize?: number;
  /** Throws the refusal. */
  read(bytes: Buffer | undefined): T;
}

/** A text for which a rule says what is wrong with it, if anything. */
export function textField(fault: (text: string) => string | undefined) {
  return Type.Refine(
    Type.String(),
    (value) => typeof value !== 'string' || fault(value) === undefined,
    (value) => fault(value) ?? '',
  );
}

/** The same, where null is a value too. */
export function nullableTextField(fault: (text: string) => string | undefined) {
  const nullable = Type.Unsafe<string | null>({ type: ['string', 'null'] });
  return Type.Refine(
    nullable,
    (value) => typeof value !== 'string' || fault(value) === undefined,
    (value) => fault(value as string) ?? '',
  );
}

/**
 * A reader of JSON bodies of one shape. It reports all faults of a body at once.
 * @param more faults that no shape can tell of; it is asked about any JSON value
 */
export function jsonBody<T extends TSchema>(
  schema: T,
  more: (value: unknown) => readonly Fault[] = () => [],
): BodyReader<Static<T>> {
  const shape = Compile(schema);
  const read = (bytes: Buffer | undefined): Static<T> => {
    if (bytes === undefined || bytes.length === 0) throw new EdgeError('empty_request_body');
    const value = parseJson(bytes);
    const others = more(value);
    if (others.length === 0 && shape.Check(value)) return value as Static<T>;
    throw invalidObject([...faultsOf(schema, value), ...others]);
  };
  return { mediaType: 'application/json', read };
}

/** The same, where a missing body is an empty object. */
export function optionalBody<T>(reader: BodyReader<T>): BodyReader<T> {
  const read = (bytes: Buffer | undefined) =>
    reader.read(bytes === undefined || bytes.length === 0 ? Buffer.from('{}') : bytes);
  return { ...reader, read };
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
