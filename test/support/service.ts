import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type RunningService, startService } from '../../src/assembly/service.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type Grant, issueToken } from '../../src/domain/tokens/token-secret.ts';
import { systemClock } from '../../src/model/clock.ts';
import { documentedApi } from './documented.ts';
import { exchange } from './http-exchange.ts';
import { inStoreOf, insertToken, makeStore, storeOptions } from './store.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers that the interface document names, sent with every request. */
const DOCUMENT_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

export interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is empty or something else. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly json: any;
}

export interface Request {
  readonly token?: string;
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: unknown;
  /** Beside the headers of the document; undefined leaves one of those out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A whole service on a free port, with a data folder of its own. */
export interface TestService {
  readonly url: string;
  readonly dataDir: string;
  /** The first admin token, of the project `admin`. */
  readonly admin: string;
  /** Every line that was logged. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** Makes a token like those of the command line. */
  token(projectId: string, ...roles: string[]): Promise<string>;
  /** The same, for a token that ends at a point in time. */
  tokenUntil(expiresAt: string, projectId: string, ...roles: string[]): Promise<string>;
  /** Removes a token from the store, as the command line does. */
  revoke(token: string): Promise<void>;
  request(method: string, path: string, request?: Request): Promise<Answer>;
  stop(): Promise<void>;
  /** Stops the service and starts it again on the same data folder, with other options if given. */
  restart(environment?: Headers): Promise<void>;
  /** Stops the service and removes its data folder. */
  remove(): Promise<void>;
}

const JSON_TYPE = /^application\/json(;|$)/;
const ACCESS_DENIED_STATUS = 'ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS';

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

/** Asks the service. What comes back, and what was accepted, must be as the document of the API describes it. */
async function ask(
  { url, accessDeniedStatus }: { readonly url: string; readonly accessDeniedStatus: number },
  method: string,
  path: string,
  request: Request,
): Promise<Answer> {
  const { token, body, headers = {} } = request;
  const all = { ...DOCUMENT_HEADERS, ...(token === undefined ? {} : { 'x-auth-token': token }), ...headers };
  const answer = await exchange(`${url}${path}`, {
    method,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Headers,
    body: bodyOf(body),
  });
  documentedApi(accessDeniedStatus).check({
    method,
    path,
    sent: { type: all['content-type'], body: bodyOf(body) },
    ...answer,
  });
  const isJson = JSON_TYPE.test(answer.headers.get('content-type') ?? '');
  return { ...answer, json: isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined };
}

/** Starts a service; options are given as environment variables, as an operator would. */
export async function startTestService(environment: Headers = {}): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewarden-test-'));
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  let accessDeniedStatus = 401;
  const start = (options: Headers): Promise<RunningService> => {
    accessDeniedStatus = Number(options[ACCESS_DENIED_STATUS] ?? 401);
    const base = { ...storeOptions(dataDir), ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0' };
    return startService(loadConfig(undefined, { ...base, ...options }), log);
  };
  await makeStore(dataDir);
  let service: RunningService | undefined = await start(environment);
  const running = (): RunningService => {
    if (service === undefined) throw new Error('The service was removed.');
    return service;
  };
  const grant = async (granted: Grant): Promise<string> => {
    const { text, token } = issueToken(granted, systemClock().now());
    await insertToken(dataDir, token);
    return text;
  };
  return {
    get url() {
      return running().url;
    },
    dataDir,
    admin: readFileSync(join(dataDir, 'admin.token'), 'utf8').trim(),
    logged,
    token: (projectId, ...roles) => grant({ projectId, roles }),
    tokenUntil: (expiresAt, projectId, ...roles) => grant({ projectId, roles, expiresAt }),
    async revoke(token) {
      await inStoreOf(dataDir, `delete from api_tokens where id = '${token.split('_')[1]}'`);
    },
    request: (method, path, request = {}) =>
      ask({ url: running().url, accessDeniedStatus }, method, path, request),
    stop: () => running().stop(),
    async restart(options = environment) {
      await running().stop();
      service = await start(options);
    },
    async remove() {
      await service?.stop();
      // The variables of a file of tests live as long as its worker.
      service = undefined;
      logged.length = 0;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
