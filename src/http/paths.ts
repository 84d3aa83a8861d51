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
