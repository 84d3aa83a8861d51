import { API_URL, hrefOf, type Query } from '../place.ts';
import { responseTo, UNREACHABLE } from './client.ts';
import { Problem } from './problem.ts';
import { session } from './session.ts';

/** Response headers that a problem needs. */
const READ = ['content-type', 'retry-after', 'www-authenticate'];

/** A file and its media type. */
interface Sent {
  readonly file: Blob;
  readonly type: 'text/plain' | 'text/dns';
}

function headersOf(request: XMLHttpRequest): Headers {
  const known = READ.map((name) => [name, request.getResponseHeader(name)] as const);
  return new Headers(known.filter((one): one is [string, string] => one[1] !== null));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Uploads a file without a timeout. Uses XMLHttpRequest because `fetch` reports no progress.
 * @param onSent receives the fraction sent, from 0 to 1; the service reads no faster than it stores
 * @throws Problem
 */
export function upload<T>(
  path: string,
  query: Query,
  { file, type }: Sent,
  onSent: (part: number) => void,
): Promise<T> {
  const parameters = new URL(hrefOf('', query), window.location.href).search;
  const sent = new Promise<{ data?: T; error?: unknown; response: Response }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${API_URL}${path}${parameters}`);
    request.setRequestHeader('x-auth-token', session.value?.token ?? '');
    request.setRequestHeader('content-type', type);
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded / Math.max(1, total)));
    request.addEventListener('error', () => reject(new Problem('away', UNREACHABLE)));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      const response = new Response(null, { status, headers: headersOf(request) });
      const body = jsonOf(responseText);
      resolve(response.ok ? { data: body as T, response } : { error: body, response });
    });
    request.send(file);
  });
  return responseTo(sent).then(({ data }) => data as T);
}
