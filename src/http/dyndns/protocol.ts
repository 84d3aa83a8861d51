/** dyndns2, the protocol of routers and ddclient: credentials in Basic, and one word for each refusal. */
import type { ErrorKind } from '../../model/errors.ts';
import type { ClientProtocol, TextRefusal } from '../edge/client-protocol.ts';
import type { EdgeKind, HttpRefusal } from '../edge/errors.ts';
import { warningHeader } from '../edge/route.ts';
import { basicToken } from './basic-token.ts';

const CHALLENGE = { 'www-authenticate': 'Basic realm="Zonewarden", charset="UTF-8"' };
const UNSENDABLE = /[^\x20-\x7e]/g;

/** Says why something was refused: the words of the protocol do not. */
export function reasonHeader(messages: readonly string[]): Readonly<Record<string, string>> {
  return warningHeader([...new Set(messages.map((message) => message.replace(UNSENDABLE, '?')))]);
}

/** Status and word of a refusal. */
function wordFor(kind: ErrorKind | EdgeKind, status: number): readonly [status: number, word: string] {
  if (kind === 'unauthenticated') return [401, 'badauth'];
  if (status === 429) return [429, 'abuse'];
  if (status >= 500) return [503, '911'];
  return [kind === 'bad_request' ? 400 : 200, '911'];
}

function refuse(kind: ErrorKind | EdgeKind, refusal: HttpRefusal): TextRefusal {
  const [status, word] = wordFor(kind, refusal.status);
  const { 'www-authenticate': bearer, ...headers } = refusal.headers;
  const own = kind === 'unauthenticated' ? CHALLENGE : reasonHeader([refusal.body.message]);
  return { status, headers: { ...headers, ...own }, text: `${word}\n` };
}

export const DYNDNS: ClientProtocol = {
  tokenOf: basicToken,
  security: 'basic',
  refusals: {
    400: { description: 'A parameter is malformed.', example: '911\n', headers: ['Warning'] },
    401: {
      description: 'The password is no valid token.',
      example: 'badauth\n',
      headers: ['WWW-Authenticate'],
    },
    429: { description: 'Too many requests.', example: 'abuse\n', headers: ['Retry-After', 'Warning'] },
    503: { description: 'Retry later.', example: '911\n', headers: ['Retry-After', 'Warning'] },
  },
  refuse,
};
