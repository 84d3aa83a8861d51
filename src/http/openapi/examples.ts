import type { JsonSchema } from '../../domain/shapes/json-schema.ts';

const ID = 'a86dba58-0043-4cc6-a1bb-69d5e86f3ca3';
const BY_FORMAT: Readonly<Record<string, string>> = { uuid: ID, 'date-time': '2026-11-21T00:00:00Z' };

type Example = (schema: JsonSchema) => unknown;

/** The required members of an object; all members if none is required. */
function exampleOfObject({ properties = {}, required = [] }: JsonSchema): unknown {
  const members = Object.entries(properties).filter(
    ([key]) => required.length === 0 || required.includes(key),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, exampleOf(member)]));
}

const BY_TYPE: Readonly<Record<string, Example>> = {
  object: exampleOfObject,
  array: ({ items, maxItems }) => (items === undefined || maxItems === 0 ? [] : [exampleOf(items)]),
  boolean: () => false,
  integer: ({ minimum = 0 }) => minimum,
  number: ({ minimum = 0 }) => minimum,
  string: ({ format = '' }) => BY_FORMAT[format] ?? 'text',
};

/** An example of a schema: its own, or one built from its parts. */
export function exampleOf(schema: JsonSchema): unknown {
  const [given] = schema.examples ?? schema.enum ?? [];
  if (given !== undefined) return given;
  const types: readonly string[] = [schema.type].flat();
  if (types.includes('object')) return exampleOfObject(schema);
  return types.includes('null') ? null : BY_TYPE[types[0]!]!(schema);
}
