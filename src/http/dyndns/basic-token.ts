import type { RequestHeaders } from '../edge/headers.ts';

/** RFC 7617. */
const BASIC = /^Basic +([A-Za-z0-9+/]+=*) *$/i;
/** What a header with a token may contain. */
const TOKEN = /^[\x21-\x7e]+$/;
/** A browser adds credentials that it has stored to requests from pages of other sites, too. */
const FROM_PAGES: readonly unknown[] = ['cross-site', 'same-site'];

/**
 * The password of Basic credentials, which is a token; undefined if there is none. The user name, and credentials in a
 * request that the page of another site has caused, are ignored.
 */
export function basicToken(headers: RequestHeaders): string | undefined {
  if (FROM_PAGES.includes(headers['sec-fetch-site'])) return undefined;
  const encoded = BASIC.exec(String(headers.authorization ?? ''))?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  const password = pair.slice(pair.indexOf(':') + 1);
  return pair.includes(':') && TOKEN.test(password) ? password : undefined;
}
