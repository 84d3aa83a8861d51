import { RESPONSE_HEADERS, type ResponseHeader } from '../edge/headers.ts';
import type { DocumentPart } from './schemas.ts';

const REQUEST_ID: ResponseHeader = 'X-Openstack-Request-Id';
/** Headers that every response that declares them has. */
const REQUIRED: readonly ResponseHeader[] = [REQUEST_ID, 'Location'];

/** References to the headers of a response, including the request ID. */
export function headersOf(names: readonly ResponseHeader[]): DocumentPart {
  const all = [REQUEST_ID, ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The shared response headers, by name. */
export function sharedHeaders(): DocumentPart {
  const headers = Object.entries(RESPONSE_HEADERS).map(([name, description]) => {
    const required = REQUIRED.some((one) => one === name);
    return [name, { description, required, schema: { type: 'string' } }];
  });
  return Object.fromEntries(headers);
}
