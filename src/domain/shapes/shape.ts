/**
 * The description of a JSON value, which yields its JSON Schema, its faults, and the domain value it is parsed into.
 */
import type { Parsed } from '../../dns/parsed.ts';
import { Faults } from './faults.ts';
import type { About, JsonSchema } from './json-schema.ts';

/** A valid value is never read as undefined: undefined means faults. */
type JsonValue = NonNullable<unknown> | null;

export interface Shape<T extends JsonValue> {
  readonly schema: JsonSchema;
  /** The domain value, or undefined after reporting faults. */
  read(given: unknown, faults: Faults): T | undefined;
}

const UNKNOWN_KEY = 'This key is unknown or read-only. Remove it.';
const MISSING_KEY = 'This key is required.';

type SingleJsonType = Extract<JsonSchema['type'], string>;

function typesOf({ type }: JsonSchema): readonly SingleJsonType[] {
  return typeof type === 'string' ? [type] : type;
}

const NOUNS: Readonly<Record<string, string>> = {
  array: 'an array',
  integer: 'an integer',
  object: 'an object',
  null: 'null',
};

function typeFault(types: readonly SingleJsonType[], examples?: readonly unknown[]): string {
  const nouns = types.map((type) => NOUNS[type] ?? `a ${type}`).join(' or ');
  return `Must be ${nouns}${examples === undefined ? '' : `, such as ${JSON.stringify(examples)}`}.`;
}

/** True if a JSON value is an object. */
export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/**
 * A text that is parsed.
 * @param parse returns the parsed value, or what is wrong with the text
 */
export function parsed<T extends JsonValue>(parse: (text: string) => Parsed<T>, about: About = {}): Shape<T> {
  return {
    schema: { type: 'string', ...about },
    read(given, faults) {
      if (typeof given !== 'string') return faults.add(typeFault(['string']));
      const result = parse(given);
      return result.ok ? result.value : faults.add(result.reason);
    },
  };
}

/**
 * A text that is kept as is.
 * @param fault returns what is wrong with the text, if anything
 */
export function text(fault: (text: string) => string | undefined, about?: About): Shape<string> {
  return parsed<string>((value) => {
    const reason = fault(value);
    return reason === undefined ? { ok: true, value } : { ok: false, reason };
  }, about);
}

/** One of several texts. */
export function choice<V extends string>(values: readonly V[], reason: string): Shape<V> {
  const { schema, read } = parsed<V>((text) => {
    const value = values.find((one) => one === text);
    return value === undefined ? { ok: false, reason } : { ok: true, value };
  });
  return { schema: { ...schema, enum: values }, read };
}

export const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  read: (given, faults) => (typeof given === 'boolean' ? given : faults.add(typeFault(['boolean']))),
};

/** A whole number within inclusive bounds. */
export function integer({ minimum, maximum }: { minimum: number; maximum: number }): Shape<number> {
  return {
    schema: { type: 'integer', minimum, maximum },
    read(given, faults) {
      if (typeof given !== 'number' || !Number.isInteger(given)) return faults.add(typeFault(['integer']));
      if (given < minimum) return faults.add(`Must be at least ${minimum}.`);
      return given <= maximum ? given : faults.add(`Must be at most ${maximum}.`);
    },
  };
}

function isOfType(given: unknown, type: SingleJsonType): boolean {
  if (type === 'integer') return Number.isInteger(given);
  if (type === 'null') return given === null;
  if (type === 'array') return Array.isArray(given);
  return type === 'object' ? isObject(given) : typeof given === type;
}

/** Like the given shape, but also accepts null. */
export function nullable<T extends JsonValue>({ schema, read }: Shape<T>): Shape<T | null> {
  const types = [...typesOf(schema), 'null'] as const;
  const choices = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return {
    schema: { ...schema, ...choices, type: types },
    read(given, faults) {
      if (given === null) return null;
      return types.some((type) => isOfType(given, type)) ? read(given, faults) : faults.add(typeFault(types));
    },
  };
}

/** Reads the parts of a list or an object, up to the last listed fault. Parts with faults are dropped. */
function readParts<K extends string | number, T>(
  given: Iterable<readonly [K, unknown]>,
  faults: Faults,
  readPart: (part: unknown, key: K) => T | undefined,
): readonly (readonly [K, T])[] {
  const parts: [K, T][] = [];
  for (const [key, part] of given) {
    const value = faults.within(key, () => readPart(part, key));
    if (value !== undefined) parts.push([key, value]);
    if (faults.areTooMany) break;
  }
  return parts;
}

/** A list of values of one shape. */
export function list<T extends JsonValue>(item: Shape<T>, maxItems?: number): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema, ...(maxItems !== undefined && { maxItems }) },
    read(given, faults) {
      if (!Array.isArray(given)) return faults.add(typeFault(['array'], item.schema.examples));
      if (maxItems !== undefined && given.length > maxItems) return faults.add(`List at most ${maxItems}.`);
      const before = faults.count;
      const items = readParts(given.entries(), faults, (one) => item.read(one, faults));
      return faults.count === before ? items.map(([, value]) => value) : undefined;
    },
  };
}

/**
 * Like the given shape, with another step that validates or converts the value.
 * @param refine returns the new value, or undefined after reporting faults
 */
export function refined<T extends JsonValue, U extends JsonValue>(
  { schema, read }: Shape<T>,
  refine: (value: T, faults: Faults) => U | undefined,
): Shape<U> {
  return {
    schema,
    read(given, faults) {
      const value = read(given, faults);
      return value === undefined ? undefined : refine(value, faults);
    },
  };
}

/** A list of bounded length in which no two items have the same key. */
export function distinct<T extends JsonValue>(
  item: Shape<T>,
  keyOf: (item: T) => string,
  { minItems = 0, maxItems }: { minItems?: number; maxItems: number },
): Shape<readonly T[]> {
  const { schema, read } = refined<readonly T[], readonly T[]>(list(item), (items, faults) => {
    if (items.length < minItems) return faults.add(`List at least ${minItems}.`);
    const keys = items.map(keyOf);
    const repeated = [...keys.keys()].filter((place) => keys.indexOf(keys[place]!) < place);
    for (const place of repeated)
      faults.within(place, () => faults.add('Duplicate of an earlier entry. Remove it.'));
    return repeated.length === 0 ? items : undefined;
  });
  return {
    schema: { ...schema, minItems, maxItems },
    read(given, faults) {
      const isLong = Array.isArray(given) && given.length > maxItems;
      return isLong ? faults.add(`List at most ${maxItems}.`) : read(given, faults);
    },
  };
}

/** An empty list, accepted for clients that send it. */
export function emptyList(reason: string): Shape<readonly never[]> {
  return {
    schema: { type: 'array', maxItems: 0 },
    read(given, faults) {
      if (!Array.isArray(given)) return faults.add(typeFault(['array']));
      return given.length === 0 ? [] : faults.add(reason);
    },
  };
}

/**
 * An object with any keys, and values of one shape.
 * @param fault returns what is wrong with the keys, if anything
 */
export function dictionary<T extends JsonValue>(
  member: Shape<T>,
  fault: (keys: readonly string[]) => string | undefined,
): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: member.schema },
    read(given, faults) {
      if (!isObject(given)) return faults.add(typeFault(['object']));
      const before = faults.count;
      const members = readParts(Object.entries(given), faults, (one) => member.read(one, faults));
      const reason = fault(Object.keys(given));
      if (reason !== undefined) faults.add(reason);
      return faults.count === before ? Object.fromEntries(members) : undefined;
    },
  };
}

/** The shape of each member of an object. */
type Shapes<T> = { readonly [K in keyof T]: T[K] extends JsonValue ? Shape<T[K]> : never };
type MemberShapes = Readonly<Record<string, Shape<JsonValue>>>;

function schemasOf(members: MemberShapes): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(members).map(([key, { schema }]) => [key, schema]));
}

/** An object with the required keys, any of the optional ones, and no others. */
export function object<R, O>(required: Shapes<R>, optional: Shapes<O>): Shape<R & Partial<O>> {
  const needed = Object.keys(required);
  const known: MemberShapes = { ...required, ...optional };
  return {
    schema: { type: 'object', properties: schemasOf(known), required: needed, additionalProperties: false },
    read(given, faults) {
      if (!isObject(given)) return faults.add(typeFault(['object']));
      const before = faults.count;
      for (const key of needed) {
        if (!Object.hasOwn(given, key)) faults.within(key, () => faults.add(MISSING_KEY));
      }
      const members = readParts(Object.entries(given), faults, (member, key) =>
        Object.hasOwn(known, key) ? known[key]!.read(member, faults) : faults.add(UNKNOWN_KEY),
      );
      // Without faults, every key is known and has been read by its shape.
      return faults.count === before ? (Object.fromEntries(members) as R & Partial<O>) : undefined;
    },
  };
}

/**
 * Reads a JSON value as a domain value.
 * @throws DomainError `invalid_object` with all faults
 */
export function readAs<T extends JsonValue>(shape: Shape<T>, given: unknown): T {
  const faults = new Faults();
  const value = shape.read(given, faults);
  if (value !== undefined) return value;
  throw faults.refusal();
}
