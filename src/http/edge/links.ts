import type { Socket } from 'node:net';
import type { Page } from '../../model/lists.ts';
import { EdgeError } from './errors.ts';

export interface Links {
  readonly self: string;
  readonly next?: string;
}

const HOST = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})(:\d{1,5})?$/;

/** The address that a connection came to, as `host:port`. */
export function localAddress({ localAddress = 'localhost', localPort = 80 }: Socket): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * The base of every link: the operator's public URL, or else the Host of the request.
 * @throws EdgeError `bad_request` for a Host that is no `host[:port]`
 */
export function baseUrl(publicUrl: string, host: string | undefined, local: string): string {
  if (host !== undefined && !(HOST.test(host) && Number(/:(\d+)$/.exec(host)?.[1] ?? 0) <= 65535)) {
    throw new EdgeError(
      'bad_request',
      'The Host header must be a host name or address, with or without a port.',
    );
  }
  return publicUrl === '' ? `http://${host ?? local}` : publicUrl;
}

/** The links of a page: itself, and the next page if any. */
export function pageLinks(
  {
    base,
    url,
    query,
  }: { readonly base: string; readonly url: string; readonly query: { readonly limit: number } },
  { items, more }: Page<{ readonly id: string }>,
): Links {
  const last = items.at(-1);
  return listLinks(base, url, more && last ? { marker: last.id, limit: query.limit } : undefined);
}

/** The links of a list: itself as requested, and the next page if any. */
export function listLinks(base: string, url: string, next?: { marker: string; limit: number }): Links {
  const self = new URL(url, 'http://localhost');
  const path = self.pathname.replace(/\/+$/, '');
  // URL leaves some characters in a query as they are, which no URI holds (RFC 3986).
  const links = { self: `${base}${path}${self.search.replace(/[\\^`{|}]/g, encodeURIComponent)}` };
  if (next === undefined) return links;
  const parameters = new URLSearchParams(self.search);
  parameters.set('limit', String(next.limit));
  parameters.set('marker', next.marker);
  return { ...links, next: `${base}${path}?${parameters}` };
}
