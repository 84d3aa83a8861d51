/** Requests over HTTP, at a quarter of what `fetch` costs. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let place = 0; place < rawHeaders.length; place += 2) {
    headers.append(rawHeaders[place]!, rawHeaders[place + 1]!);
  }
  return headers;
}

/** Sends a request and reads the answer; redirects are not followed. */
export async function exchange(url: string, { method, headers, body }: HttpRequest): Promise<HttpAnswer> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const sent = request(new URL(url), { method, agent, headers: { ...headers, ...length } });
  // A failure is also thrown by what waits: here for the head of the answer, below for the rest.
  sent.on('error', () => {});
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return { status: answer.statusCode!, headers: headersOf(answer), text };
}
