/** The list filter `name`: `*` matches any text, `\*` a literal star as in a wildcard name. */

const LITERAL_STAR = '\\*';
const WILDCARDS = /(?<!\\)\*+/;

/** The filter without its literal stars, so that every star left is a wildcard. */
export function withoutLiteralStars(filter: string): string {
  return filter.replaceAll(LITERAL_STAR, '');
}

/** The texts between the wildcards. A matching name contains all of them. */
export function wildcardParts(filter: string): readonly string[] {
  return filter.split(WILDCARDS).map((part) => part.replaceAll(LITERAL_STAR, '*'));
}

export function hasWildcard(filter: string): boolean {
  return withoutLiteralStars(filter).includes('*');
}

/** The name that a filter without wildcards matches. */
export function filteredName(filter: string): string {
  return filter.replaceAll(LITERAL_STAR, '*');
}

/** A name, and a type, without wildcards. */
export interface ExactFilters {
  readonly name: string;
  readonly type: string | undefined;
}

/** The exact name and type that filters ask for; undefined if they ask for anything else. Few entries have one name. */
export function exactFiltersIn({
  name,
  type,
  ...others
}: Readonly<Record<string, string | undefined>>): ExactFilters | undefined {
  if (name === undefined || hasWildcard(name) || type?.includes('*')) return undefined;
  return Object.keys(others).length === 0 ? { name: filteredName(name), type } : undefined;
}
