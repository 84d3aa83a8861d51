import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../domain/shapes/json-schema.ts';

/** A JSON value in the document. */
export type DocumentPart = Readonly<Record<string, unknown>>;

function mapped<T, U>(members: Readonly<Record<string, T>>, change: (member: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, change(member)]));
}

/** Shared schemas, by title. */
export class Schemas {
  readonly #titled = new Map<string, DocumentPart>();

  /** The schemas referenced so far. */
  get titled(): DocumentPart {
    return Object.fromEntries([...this.#titled].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The schema as it appears in the document: a reference if it has a title.
   * @throws Error if another schema has the same title
   */
  refer(schema: JsonSchema): DocumentPart {
    const { title } = schema;
    const written = this.#written(schema);
    if (title === undefined) return written;
    const known = this.#titled.get(title);
    if (known !== undefined && !isDeepStrictEqual(known, written)) {
      throw new Error(`Two schemas have the title "${title}". Give one of them another title.`);
    }
    this.#titled.set(title, written);
    return { $ref: `#/components/schemas/${title}` };
  }

  #written({ items, properties, additionalProperties, ...rest }: JsonSchema): DocumentPart {
    return {
      ...rest,
      ...(items === undefined ? {} : { items: this.refer(items) }),
      ...(properties === undefined ? {} : { properties: mapped(properties, (one) => this.refer(one)) }),
      ...(additionalProperties === undefined
        ? {}
        : { additionalProperties: additionalProperties && this.refer(additionalProperties) }),
    };
  }
}
