import { request } from 'node:http';
import type { Member } from './members.ts';

// biome-ignore lint/suspicious/noExplicitAny: the load looks into whatever came back
type Json = any;

/** What became of one request. */
export type Sent =
  | { readonly kind: 'answered'; readonly status: number; readonly json: Json }
  /** Nobody took it, or who did says that nothing was changed, or that it is under way: this one does nothing. */
  | { readonly kind: 'undone'; readonly why: string }
  /** It may have been done, may not, or may yet be: no answer, or one of 5xx. */
  | {
      readonly kind: 'unknown';
      readonly why: string;
      /** The answer is against what is promised, whatever had happened. */
      readonly isWrong?: boolean;
    };

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  /** An object goes as JSON, a text as a zone file. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const parse = (text: string): Json => (text === '' ? {} : JSON.parse(text));

/** What the answers say that are given in place of an operation. */
const UNDONE = /The service is starting\.|Nothing was changed/;

function judge(status: number, retryAfter: string | undefined, text: string): Sent {
  if (status === 409 && retryAfter !== undefined) return { kind: 'undone', why: `${status} ${text}` };
  if (status < 500) return { kind: 'answered', status, json: parse(text) };
  const isPromised = status === 503 && retryAfter !== undefined;
  if (isPromised && UNDONE.test(text)) return { kind: 'undone', why: `${status} ${text}` };
  return { kind: 'unknown', why: `${status} ${text}`, isWrong: !isPromised };
}

/** Sends a request to one process over connections that are kept open. */
export function send(member: Member, { method, path, token, body, headers, timeoutMs }: Request) {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const all = {
    'x-auth-token': token,
    'content-type': typeof body === 'string' ? 'text/dns' : 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  };
  return new Promise<Sent>((resolve) => {
    const sent = request(new URL(path, member.url), { method, agent: member.agent, headers: all });
    const late = setTimeout(() => sent.destroy(new Error('time-out')), timeoutMs);
    const settle = (result: Sent) => {
      clearTimeout(late);
      resolve(result);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') settle({ kind: 'undone', why: error.code });
      else settle({ kind: 'unknown', why: error.code ?? error.message });
    };
    sent.on('error', fail);
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', fail);
      response.on('end', () => {
        const status = response.statusCode!;
        if (status < 300 && method !== 'GET') member.onAcknowledged?.();
        settle(judge(status, response.headers['retry-after'], Buffer.concat(parts).toString()));
      });
    });
    sent.end(text);
  });
}
