/** The singular paths of imports and exports, which clients use too: they are the plural ones. */
const SINGULAR = /^\/v2\/zones\/tasks\/(import|export)(?=\/|$)/;

/** The path of a request target, as far as routes look at it. */
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
 * A path that can be matched: without the origin of an absolute request target, percent-decodable, and with the name that its
 * route has.
 */
export function matchablePath(url: string | undefined): string {
  const target = (url ?? '').replace(/^https?:\/\/[^/?#]*/i, '');
  // A target that is not a path, such as the "*" of OPTIONS, becomes a path that does not exist.
  const path = target.startsWith('/') ? target : `/${target}`;
  const [before = '', ...query] = path.split('?');
  const named = before.replace(SINGULAR, '/v2/zones/tasks/$1s');
  return [isDecodable(named) ? named : named.replaceAll('%', '%25'), ...query].join('?');
}

const isParameter = (part: string): boolean => part.startsWith('{');

/** Whether a path fits another one, with its last part in the place of a parameter. */
function isTakenFor(path: readonly string[], other: readonly string[]): boolean {
  return (
    other.length === path.length &&
    isParameter(other.at(-1)!) &&
    other.every((part, place) => isParameter(part) || part === path[place])
  );
}

/**
 * The paths whose last word another path would take for an id, such as `/v2/blacklists/imports`, each once. Some are none of
 * these paths, but lead to one of them.
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
