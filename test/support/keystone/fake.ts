import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificateOfLocalhost } from './certificate.ts';

/** Answers a question otherwise than Keystone would. */
export type Fault = (response: ServerResponse, request: IncomingMessage) => void;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

interface FakeOptions {
  readonly isTls?: boolean;
  /** Whether it asks clients for a certificate, and takes its own alone. */
  readonly isMutual?: boolean;
}

/** Faults by name. */
export const FAULTS = {
  silence: () => {},
  'a closed connection': (response) => void response.socket?.destroy(),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"token": ');
    setImmediate(() => response.socket?.destroy());
  },
  'status 500': (response) => answer(response, 500, { error: { code: 500, title: 'Internal Server Error' } }),
  'status 403': (response) => answer(response, 403, { error: { code: 403, title: 'Forbidden' } }),
  'a page instead of JSON': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>');
  },
  'a 404 of something else': (response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
  },
  'a token without a user': (response) => answer(response, 200, { token: { expires_at: inSeconds(60) } }),
  'another protocol': (response) => {
    response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
  },
  'a body without end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const part = Buffer.alloc(65_536, ' ');
    const more = () => {
      while (!response.destroyed && response.write(part));
    };
    response.on('drain', more);
    more();
  },
} as const satisfies Record<string, Fault>;

function answer(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A point in time as Keystone writes it. */
export function inSeconds(seconds: number): string {
  return `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 23)}000Z`;
}

const DOMAIN = { id: 'default', name: 'Default' };

/** A token for a project, as Keystone describes it. */
export function projectToken(projectId: string, ...roles: string[]): object {
  return {
    user: { id: 'a11ce', name: 'alice', domain: DOMAIN, password_expires_at: null },
    project: { id: projectId, name: `the ${projectId}`, domain: DOMAIN },
    is_domain: false,
    roles: roles.map((name) => ({ id: `role-${name}`, name })),
    methods: ['password'],
    audit_ids: ['audit-1'],
    issued_at: inSeconds(0),
    expires_at: inSeconds(3600),
  };
}

function unscoped(): object {
  const { project: _, roles: __, ...rest } = projectToken('') as Record<string, unknown>;
  return rest;
}

/** The same for the whole system, for a domain, and for nothing. */
export const systemToken = (...roles: string[]): object => ({
  ...unscoped(),
  system: { all: true },
  roles: roles.map((name) => ({ id: `role-${name}`, name })),
});
export const domainToken = (...roles: string[]): object => ({
  ...unscoped(),
  domain: DOMAIN,
  roles: roles.map((name) => ({ id: `role-${name}`, name })),
});
export const unscopedToken = unscoped;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

/** A small Keystone in the test's process, which goes wrong where it is told to. */
export class FakeKeystone {
  readonly #server;
  #drawn = 0;
  #own = new Set<string>();
  readonly #held: (() => void)[] = [];
  /** What each token stands for. */
  readonly tokens = new Map<string, object>();
  readonly projects = new Set<string>();
  readonly asked: Asked[] = [];
  /** The bodies with which the service asked for its own token. */
  readonly logins: unknown[] = [];
  /** How long a token of the service lives, in seconds. */
  ownLife = 3600;
  isPasswordRight = true;
  /** What the token stands for that somebody gets with a password; undefined: one of the service. */
  granted: object | undefined;
  /** Until it is taken away, it answers everything. */
  fault: Fault | undefined;
  /** While true, answers about tokens wait for `release`. */
  isHolding = false;
  #url = '';

  private constructor({ isTls = false, isMutual = false }: FakeOptions) {
    const listener: RequestListener = (request, response) => void this.#listen(request, response);
    this.#server = isTls
      ? createTlsServer(
          { ...certificateOfLocalhost(), requestCert: isMutual, rejectUnauthorized: isMutual },
          listener,
        )
      : createServer(listener);
  }

  static async start(options: FakeOptions = {}): Promise<FakeKeystone> {
    const fake = new FakeKeystone(options);
    await fake.#open(0);
    const { port } = fake.#server.address() as AddressInfo;
    fake.#url = `${options.isTls ? 'https' : 'http'}://127.0.0.1:${port}`;
    return fake;
  }

  #open(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', () => resolve()));
  }

  get url(): string {
    return this.#url;
  }

  /** The questions about tokens. */
  get validations(): readonly Asked[] {
    return this.asked.filter(({ method, path }) => method === 'GET' && path.startsWith('/v3/auth/tokens'));
  }

  issue(token: object): string {
    const text = `gAAAAAB-fake_${++this.#drawn}-${Math.random().toString(36).slice(2)}`;
    this.tokens.set(text, token);
    return text;
  }

  /** Ends all tokens of the service. */
  forgetOwnTokens(): void {
    this.#own = new Set();
  }

  release(): void {
    this.isHolding = false;
    for (const go of this.#held.splice(0)) go();
  }

  /** Is away, and on the same port again. */
  async away(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
  back(): Promise<void> {
    return this.#open(Number(new URL(this.#url).port));
  }

  async stop(): Promise<void> {
    this.release();
    if (this.#server.listening) await this.away();
  }

  async #listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    this.asked.push({ method, path, headers });
    if (this.fault !== undefined) return this.fault(response, request);
    const body = await bodyOf(request);
    if (method === 'POST' && path.startsWith('/v3/auth/tokens')) return this.#login(response, body);
    if (!this.#own.has(String(headers['x-auth-token']))) {
      return answer(response, 401, { error: { code: 401, title: 'Unauthorized' } });
    }
    if (this.isHolding) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (path.startsWith('/v3/projects/')) return this.#project(response, path.slice('/v3/projects/'.length));
    this.#validate(response, path, String(headers['x-subject-token']));
  }

  #login(response: ServerResponse, body: string): void {
    this.logins.push(JSON.parse(body));
    if (!this.isPasswordRight) {
      answer(response, 401, { error: { code: 401, title: 'Unauthorized' } });
      return;
    }
    const text = `own-${++this.#drawn}`;
    this.#own.add(text);
    if (this.granted !== undefined) this.tokens.set(text, this.granted);
    const token = { ...projectToken('service', 'service'), expires_at: inSeconds(this.ownLife) };
    const catalog = [
      {
        type: 'identity',
        endpoints: [
          { interface: 'public', region: 'Elsewhere', region_id: 'Elsewhere', url: 'http://127.0.0.1:1/v3' },
          // The same server under another name, by which a question says where it was sent.
          {
            interface: 'internal',
            region: 'RegionOne',
            region_id: 'RegionOne',
            url: this.url.replace('127.0.0.1', 'localhost'),
          },
        ],
      },
    ];
    answer(response, 201, { token: { ...token, catalog } }, { 'x-subject-token': text });
  }

  #project(response: ServerResponse, id: string): void {
    if (this.projects.has(id)) answer(response, 200, { project: { id } });
    else answer(response, 404, { error: { code: 404, title: 'Not Found' } });
  }

  #validate(response: ServerResponse, path: string, text: string): void {
    const token = this.tokens.get(text) as { readonly expires_at: string } | undefined;
    const isOver = token !== undefined && Date.parse(token.expires_at) <= Date.now();
    if (token !== undefined && (!isOver || path.includes('allow_expired=1')))
      answer(response, 200, { token });
    else answer(response, 404, { error: { code: 404, title: 'Not Found' } });
  }
}

/** The options of a service that asks a Keystone at the URL. */
export function keystoneOptions(url: string): Record<string, string> {
  return {
    ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: 'token,keystone',
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__WWW_AUTHENTICATE_URI: `${url}/v3`,
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__AUTH_URL: url,
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__USERNAME: 'zonewarden',
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__PASSWORD: 'secret',
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__PROJECT_NAME: 'service',
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__VALIDATIONS_PER_SECOND: '1000000',
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__VALIDATIONS_PER_SECOND_AND_ADDRESS: '1000000',
  };
}

/** The same for a real Keystone, which may be slow on a loaded machine. */
export const patientKeystoneOptions = (url: string): Record<string, string> => ({
  ...keystoneOptions(url),
  ZONEWARDEN_KEYSTONE_AUTHTOKEN__HTTP_CONNECT_TIMEOUT: '60',
});
