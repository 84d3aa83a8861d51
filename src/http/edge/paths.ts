/** Singular paths of imports and exports, which clients also use in place of the plural ones. */
const SINGULAR = /^\/v2\/zones\/tasks\/(import|export)(?=\/|$)/;
/** Targets that stay as they are, like nearly all. */
const MATCHABLE = /^\/(?!v2\/zones\/tasks\/)[\w/.-]*(?:\?|$)/;

/** The part of a request target that routes match: without query and fragment. */
export function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

/** The query of a request target. */
export function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark));
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * A path that can be matched: percent-decodable, without the origin of an absolute target, and spelled as in its route.
 */
export function matchablePath(url: string | undefined): string {
  if (url !== undefined && MATCHABLE.test(url)) return url;
  const target = (url ?? '').replace(/^https?:\/\/[^/?#]*/i, '');
  // A target that is not a path, such as the "*" of OPTIONS, becomes a nonexistent path.
  const path = target.startsWith('/') ? target : `/${target}`;
  const [before = '', ...query] = path.split('?');
  const named = before.replace(SINGULAR, '/v2/zones/tasks/$1s');
  return [isDecodable(named) ? named : named.replaceAll('%', '%25'), ...query].join('?');
}

const isParameter = (part: string): boolean => part.startsWith('{');

/** True if the other path would accept this one, taking its last segment for a parameter. */
function isTakenFor(path: readonly string[], other: readonly string[]): boolean {
  return (
    other.length === path.length &&
    isParameter(other.at(-1)!) &&
    other.every((part, place) => isParameter(part) || part === path[place])
  );
}

/**
 * Paths whose last segment another path would take for an ID, such as `/v2/blacklists/imports`, each once. This
 * includes paths that have no route but are prefixes of one.
 * @param paths of all routes
 */
export function wordsTakenForIds(paths: readonly string[]): string[] {
  const all = paths.map((path) => path.split('/'));
  const ways = all.flatMap((parts) => parts.map((_, place) => parts.slice(0, place + 1)));
  const words = ways.filter(
    (way) => !isParameter(way.at(-1)!) && all.some((other) => isTakenFor(way, other)),
  );
  return [...new Set(words.map((way) => way.join('/')))];
}
