import Negotiator from 'negotiator';
import { EdgeError } from './errors.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** With the parameter too: a client may name the encoding that JSON has anyway. */
const OFFERED = ['application/json', 'application/json; charset=utf-8'];

/** Refuses a request that would not take JSON (RFC 9110, section 12.5.1). */
export function requireJsonAccepted(headers: Headers): void {
  const accept = headers.accept;
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return;
  if (new Negotiator({ headers: { accept: String(accept) } }).mediaTypes(OFFERED).length === 0) {
    throw new EdgeError('unsupported_accept');
  }
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/** Refuses a body that is announced as something else than JSON in UTF-8. */
export function requireJsonContent(headers: Headers): void {
  const type = headers['content-type'];
  if (type !== undefined && !JSON_TYPE.test(type as string)) throw new EdgeError('unsupported_content_type');
}
