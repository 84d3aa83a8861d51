import type { Socket } from 'node:net';
import type { Page } from '../../model/lists.ts';
import { EdgeError } from './errors.ts';

export interface Links {
  readonly self: string;
  readonly next?: string;
}

const HOST = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})(:\d{1,5})?$/;

/** The local address of a connection, as `host:port`. */
export function localAddress({ localAddress = 'localhost', localPort = 80 }: Socket): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * The base of all links: the operator's public URL, or else the request's Host.
 * @throws EdgeError `bad_request` if the Host is not `host[:port]`
 */
export function baseUrl(publicUrl: string, host: string | undefined, local: string): string {
  if (host !== undefined && !(HOST.test(host) && Number(/:(\d+)$/.exec(host)?.[1] ?? 0) <= 65535)) {
    throw new EdgeError(
      'bad_request',
      'The Host header must be a host name or address with an optional port.',
    );
  }
  return publicUrl === '' ? `http://${host ?? local}` : publicUrl;
}

/** The links of a page: itself and any next page. */
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

/** The links of a list: itself as requested, and any next page. */
export function listLinks(base: string, url: string, next?: { marker: string; limit: number }): Links {
  const self = new URL(url, 'http://localhost');
  const path = self.pathname.replace(/\/+$/, '');
  // URL keeps some query characters that are not allowed in a URI (RFC 3986).
  const links = { self: `${base}${path}${self.search.replace(/[\\^`{|}]/g, encodeURIComponent)}` };
  if (next === undefined) return links;
  const parameters = new URLSearchParams(self.search);
  parameters.set('limit', String(next.limit));
  parameters.set('marker', next.marker);
  return { ...links, next: `${base}${path}?${parameters}` };
}
