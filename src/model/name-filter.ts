/** The filter `name` of lists: `*` stands for any text, and `\*` for a star, as in the name of a wildcard. */

const LITERAL_STAR = '\\*';
const WILDCARDS = /(?<!\\)\*+/;

/** The filter with no star but its wildcards. */
export function withoutLiteralStars(filter: string): string {
  return filter.replaceAll(LITERAL_STAR, '');
}

/** The texts between the wildcards, all of which a name that matches contains. */
export function wildcardParts(filter: string): readonly string[] {
  return filter.split(WILDCARDS).map((part) => part.replaceAll(LITERAL_STAR, '*'));
}

export function hasWildcard(filter: string): boolean {
  return withoutLiteralStars(filter).includes('*');
}

/** The name that a filter without wildcards asks for. */
export function nameAsked(filter: string): string {
  return filter.replaceAll(LITERAL_STAR, '*');
}
