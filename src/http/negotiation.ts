import Negotiator from 'negotiator';
import type { BodyReader } from './body.ts';
import { EdgeError } from './errors.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Also with the parameter: a client may name the encoding that JSON always has. */
const OFFERED = ['application/json', 'application/json; charset=utf-8'];

/**
 * Refuses a request that does not accept the answer (RFC 9110, section 12.5.1).
 * @param other the media type of the answer besides JSON
 */
export function requireAccepted(headers: Headers, other?: 'text/dns' | 'text/plain'): void {
  const accept = headers.accept;
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return;
  const answers = other === undefined ? OFFERED : [other, ...OFFERED];
  if (new Negotiator({ headers: { accept: String(accept) } }).mediaTypes(answers).length > 0) return;
  if (other === undefined) throw new EdgeError('unsupported_accept');
  throw new EdgeError('unsupported_accept', `The response is ${other}; the Accept header must allow it.`);
}

const IN_UTF8 = String.raw`\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$`;
const JSON_TYPE = new RegExp(`^application/json${IN_UTF8}`, 'i');
const ZONE_FILE_TYPE = new RegExp(`^text/dns${IN_UTF8}`, 'i');

/**
 * The reader for the Content-Type of a body; one without Content-Type is treated as JSON where nothing else is taken.
 * @throws EdgeError `unsupported_content_type`
 */
export function requireReader(headers: Headers, reader: BodyReader<unknown>): BodyReader<unknown> {
  const type = headers['content-type'];
  const isJson = type !== undefined && JSON_TYPE.test(type as string);
  if (reader.mediaType === 'text/dns') {
    if (type !== undefined && ZONE_FILE_TYPE.test(type as string)) return reader;
    if (isJson && reader.instead !== undefined) return reader.instead;
    throw new EdgeError(
      'unsupported_content_type',
      'Send the zone file as text/dns, in UTF-8, or within JSON.',
    );
  }
  if (type !== undefined && !isJson) throw new EdgeError('unsupported_content_type');
  return reader;
}
