import Negotiator from 'negotiator';
import type { BodyReader, BodyReaders } from './body.ts';
import { EdgeError } from './errors.ts';
import type { RequestHeaders } from './headers.ts';
import { JSON_TYPE } from './responses.ts';
import type { Route } from './route.ts';

/** Also with the parameter: a client may name the encoding that JSON always has. */
const JSON_TYPES = [JSON_TYPE, 'application/json; charset=utf-8'];

/** The client's preferred type; undefined if it accepts neither an offered type nor JSON. */
function preferred(accept: string, offered: readonly string[]): string | undefined {
  const others = offered.filter((type) => type !== JSON_TYPE);
  // A wildcard gets the route's first form.
  const types = offered[0] === JSON_TYPE ? [...JSON_TYPES, ...others] : [...others, ...JSON_TYPES];
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(types);
  return best !== undefined && JSON_TYPES.includes(best) ? JSON_TYPE : best;
}

function unacceptable(offered: readonly string[]): EdgeError {
  if (offered.every((type) => type === JSON_TYPE)) return new EdgeError('unsupported_accept');
  const types = offered.join(' or ');
  return new EdgeError('unsupported_accept', `The response is ${types}; the Accept header must allow it.`);
}

/**
 * Chooses the media type of a response: the one that the client prefers among those of the route (RFC 9110, section
 * 12.5.1). Accepting JSON is always enough, since refusals are JSON; such a client gets whatever the route returns.
 * @throws EdgeError `unsupported_accept`
 */
export function requireAccepted({ accept }: RequestHeaders, { forms }: Route['responses']): string {
  const offered = forms.map(({ mediaType }) => mediaType);
  const [first = JSON_TYPE] = offered;
  if (accept === undefined || accept === '*/*') return first;
  const type = accept === JSON_TYPE ? JSON_TYPE : preferred(String(accept), offered);
  if (type === undefined) throw unacceptable(offered);
  return offered.includes(type) ? type : first;
}

/** Whether a client would rather have a page than JSON, and takes JSON, too: a browser. */
export function prefersPage({ accept }: RequestHeaders): boolean {
  if (typeof accept !== 'string') return false;
  const types = new Negotiator({ headers: { accept } }).mediaTypes([...JSON_TYPES, 'text/html']);
  return types[0] === 'text/html' && types.length > 1;
}

const IN_UTF8 = /^([^;\s]+)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/**
 * The reader for the body's Content-Type. Without one, the body counts as JSON if the operation accepts only JSON.
 * @throws EdgeError `unsupported_content_type`
 */
export function requireReader(headers: RequestHeaders, readers: BodyReaders<unknown>): BodyReader<unknown> {
  const type = headers['content-type'] as string | undefined;
  const [first] = readers;
  const isJsonAlone = readers.length === 1 && first.mediaType === JSON_TYPE;
  if (type === undefined && isJsonAlone) return first;
  // The type without its UTF-8 charset parameter.
  const bare = IN_UTF8.exec(type ?? '')?.[1]?.toLowerCase();
  const reader = readers.find(({ mediaType }) => mediaType === bare);
  if (reader !== undefined) return reader;
  if (isJsonAlone) throw new EdgeError('unsupported_content_type');
  const types = readers.map(({ mediaType }) => mediaType).join(' or ');
  throw new EdgeError('unsupported_content_type', `Send the body as ${types}, in UTF-8.`);
}
