/** Routing: each view and filter has its own URL. */
import { useEffect, useState } from 'preact/hooks';

/** A separate constant: as one expression, the build would treat it as an asset. */
const here = import.meta.url;
/** The path of the console, with its final slash. */
const CONSOLE_PATH = new URL('../', here).pathname;
/** The base of the API, without a final slash. */
export const API_URL = new URL('../../', here).href.replace(/\/$/, '');

export interface Place {
  /** The path below the console, without leading or trailing slash; '' for the overview. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | undefined>>;

const watchers = new Set<() => void>();

function present(): Place {
  const { pathname, search } = window.location;
  const path = pathname.startsWith(CONSOLE_PATH) ? pathname.slice(CONSOLE_PATH.length) : '';
  return { path: path.replace(/^\/+|\/+$/g, ''), query: new URLSearchParams(search) };
}

const tell = (): void => {
  for (const watcher of watchers) watcher();
};
window.addEventListener('popstate', tell);

/** The URL of a place. Undefined and empty query values are omitted. */
export function hrefOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given as [string, string][]).toString();
  const whole = `${CONSOLE_PATH}${path}`.replace(/(?<=.)\/$/, '');
  return text === '' ? whole : `${whole}?${text}`;
}

/** Navigates. @param isSame true if only filters change; replaces the history entry */
export function goTo(href: string, isSame = false): void {
  if (isSame) window.history.replaceState(null, '', href);
  else window.history.pushState(null, '', href);
  tell();
  if (!isSame) window.scrollTo(0, 0);
}

/** The current place. */
export function usePlace(): Place {
  const [place, setPlace] = useState(present);
  useEffect(() => {
    const watch = () => setPlace(present());
    watchers.add(watch);
    return () => void watchers.delete(watch);
  }, []);
  return place;
}

/** Handles links within the console without reloading; leaves fragment links to the browser. */
export function followLinks(event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null;
  if (!isPlain || link === null || link.target !== '' || link.hash !== '' || link.hasAttribute('download'))
    return;
  if (link.origin !== window.location.origin || !link.pathname.startsWith(CONSOLE_PATH.slice(0, -1))) return;
  event.preventDefault();
  goTo(link.pathname + link.search);
}
