/** Describes response bodies. Both their JSON Schema and their type are derived from one description. */
import type { About, JsonSchema } from '../../domain/shapes/json-schema.ts';

/** A value to send: its JSON Schema and its type. */
export interface ResponseSchema<T> {
  readonly schema: JsonSchema;
  /** Never set. It ties the value sent to its schema. */
  readonly sends?: T;
}

/** The type that a description describes. */
export type ResponseBody<S> = S extends ResponseSchema<infer T> ? T : never;

type MemberSchemas<T> = { readonly [K in keyof T]: ResponseSchema<T[K]> };
/** JSON omits undefined members. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

const TIME = {
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$`,
  description: 'A time in UTC.',
  examples: ['2026-11-21T09:30:00.000000'],
};
const ID = { format: 'uuid', examples: ['a86dba58-0043-4cc6-a1bb-69d5e86f3ca3'] };

function schemasOf(
  members: Readonly<Record<string, ResponseSchema<unknown>>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(members).map(([key, { schema }]) => [key, schema]));
}

function text(about: About = {}): ResponseSchema<string> {
  return { schema: { type: 'string', ...about } };
}

function integer(about: About & { readonly minimum?: number } = {}): ResponseSchema<number> {
  return { schema: { type: 'integer', ...about } };
}

function number(about: About & { readonly minimum?: number } = {}): ResponseSchema<number> {
  return { schema: { type: 'number', ...about } };
}

function nullable<T>({ schema: { title: _, ...schema } }: ResponseSchema<T>): ResponseSchema<T | null> {
  const types = [schema.type].flat();
  const choices = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return { schema: { ...schema, ...choices, type: [...types, 'null'] } };
}

/** An object with the required keys, any of the optional keys, and no others. */
function object<R, O = unknown>(
  required: MemberSchemas<R>,
  optional: MemberSchemas<O> = {} as MemberSchemas<O>,
): ResponseSchema<Readonly<R> & Optional<O>> {
  return {
    schema: {
      type: 'object',
      properties: schemasOf({ ...required, ...optional }),
      required: Object.keys(required),
      additionalProperties: false,
    },
  };
}

export const responseSchema = {
  text,
  /** An integer. */
  integer,
  number,
  nullable,
  object,
  id: text(ID),
  time: text(TIME),
  link: text({ format: 'uri', examples: ['https://dns.example.org/v2'] }),
  projectId: text({ examples: ['4335d1f0-f793-11e2-b778-0800200c9a66'] }),
  flag: { schema: { type: 'boolean' } } as ResponseSchema<boolean>,

  /** One of several strings. */
  choice: <V extends string>(values: readonly V[], about: About = {}): ResponseSchema<V> => ({
    schema: { type: 'string', enum: values, ...about },
  }),

  list: <T>({ schema }: ResponseSchema<T>): ResponseSchema<readonly T[]> => ({
    schema: { type: 'array', items: schema },
  }),

  /** An object with any keys and one type of value. */
  dictionary: <T>({ schema }: ResponseSchema<T>): ResponseSchema<Readonly<Record<string, T>>> => ({
    schema: { type: 'object', additionalProperties: schema },
  }),

  /** An object with any members. */
  anything: { schema: { type: 'object' } } as ResponseSchema<Readonly<Record<string, unknown>>>,

  /** A named schema. Generated clients use the name for its type. */
  titled: <T>(title: string, { schema }: ResponseSchema<T>): ResponseSchema<T> => ({
    schema: { ...schema, title },
  }),
};
