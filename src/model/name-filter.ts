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
