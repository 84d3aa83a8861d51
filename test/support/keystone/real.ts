import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../postgres/free-port.ts';

const execute = promisify(execFile);

const WSGI_FILE = '/usr/bin/keystone-wsgi-public';
const TO_INSTALL =
  'Keystone is missing. On Debian: apt-get install --no-install-recommends keystone uwsgi-core uwsgi-plugin-python3.';

/** Debian's Python runs Debian's programs. */
const ENVIRONMENT = { ...process.env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' };

/** How long the server may take to answer its first request. */
const START_MS = 120_000;

export const PASSWORD = 'secret';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Json = any;
type Scope = Readonly<Record<string, unknown>> | undefined;

export interface KeystoneAnswer {
  readonly status: number;
  readonly token: string | null;
  readonly json: Json;
}

/** Whether Keystone goes by scopes and new defaults alone, as it will in time. Some clients do not know them yet. */
interface Strictness {
  readonly isStrict: boolean;
}

function configuration(folder: string, expiration: number, { isStrict }: Strictness): string {
  return `[DEFAULT]
log_dir = ${folder}
log_file = keystone.log
[database]
connection = sqlite:///${folder}/keystone.db
[token]
provider = fernet
expiration = ${expiration}
[fernet_tokens]
key_repository = ${folder}/fernet-keys
[fernet_receipts]
key_repository = ${folder}/receipt-keys
[credential]
key_repository = ${folder}/credential-keys
[cache]
enabled = true
backend = dogpile.cache.memory
[identity]
password_hash_rounds = 4
[oslo_policy]
enforce_scope = ${isStrict}
enforce_new_defaults = ${isStrict}
`;
}

/** Debian's Keystone in a folder of its own, with one process: its cache in memory is not shared. */
export class RealKeystone {
  readonly #folder: string;
  readonly #port: number;
  #server: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** @param expiration how long tokens live, in seconds */
  static async start(expiration: number, strictness: Strictness = { isStrict: true }): Promise<RealKeystone> {
    if (!existsSync(WSGI_FILE)) throw new Error(TO_INSTALL);
    const folder = mkdtempSync(join(tmpdir(), 'zonewarden-keystone-'));
    const keystone = new RealKeystone(folder, await freePort());
    writeFileSync(keystone.#configFile, configuration(folder, expiration, strictness));
    await keystone.#prepare();
    await keystone.startServer();
    return keystone;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get #configFile(): string {
    return join(this.#folder, 'keystone.conf');
  }

  async #prepare(): Promise<void> {
    const manage = (...words: string[]) =>
      execute('keystone-manage', ['--config-file', this.#configFile, ...words], { env: ENVIRONMENT });
    const { username, gid } = userInfo();
    const { stdout } = await execute('id', ['-gn', String(username)]);
    const owner = ['--keystone-user', username, '--keystone-group', stdout.trim() || String(gid)];
    for (const name of ['fernet-keys', 'receipt-keys', 'credential-keys'])
      mkdirSync(join(this.#folder, name));
    await manage('db_sync');
    for (const setup of ['fernet_setup', 'receipt_setup', 'credential_setup']) await manage(setup, ...owner);
    const urls = ['admin', 'internal', 'public'].flatMap((kind) => [
      `--bootstrap-${kind}-url`,
      `${this.url}/v3`,
    ]);
    await manage(
      'bootstrap',
      '--bootstrap-password',
      PASSWORD,
      ...urls,
      '--bootstrap-region-id',
      'RegionOne',
    );
  }

  async startServer(): Promise<void> {
    const log = openSync(join(this.#folder, 'server.out'), 'a');
    const words = [
      ...['--plugins', 'python3', '--http-socket', `127.0.0.1:${this.#port}`, '--wsgi-file', WSGI_FILE],
      ...['--pyargv', `--config-file ${this.#configFile}`, '--master', '--processes', '1', '--threads', '1'],
      ...['--lazy-apps', '--buffer-size', '65535', '--die-on-term', '--disable-logging'],
    ];
    this.#server = spawn('uwsgi', words, { env: ENVIRONMENT, stdio: ['ignore', log, log] });
    const end = Date.now() + START_MS;
    while (!(await this.#answers())) {
      if (Date.now() > end) throw new Error(`Keystone did not start: see ${this.#folder}.`);
      await after(100);
    }
  }

  #answers(): Promise<boolean> {
    return fetch(`${this.url}/v3`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async stopServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const gone = once(server, 'exit');
    server.kill('SIGTERM');
    await gone;
  }

  async remove(): Promise<void> {
    await this.stopServer();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<KeystoneAnswer> {
    const response = await fetch(`${this.url}/v3${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const token = response.headers.get('x-subject-token');
    return { status: response.status, token, json: text === '' ? undefined : JSON.parse(text) };
  }

  /** A token for a user of the default domain. */
  async login(name: string, scope?: Scope): Promise<string> {
    const user = { name, domain: { id: 'default' }, password: PASSWORD };
    return this.#tokenFor({ methods: ['password'], password: { user } }, scope);
  }

  loginWithCredential(id: string): Promise<string> {
    const methods = ['application_credential'];
    return this.#tokenFor({ methods, application_credential: { id, secret: PASSWORD } }, undefined);
  }

  async #tokenFor(identity: object, scope: Scope): Promise<string> {
    const auth = { identity, ...(scope === undefined ? {} : { scope }) };
    const { status, token, json } = await this.ask('POST', '/auth/tokens', { auth });
    if (token === null) throw new Error(`Keystone answers ${status}: ${JSON.stringify(json)}`);
    return token;
  }

  /** Does something as the administrator of the system, who has to be allowed to. */
  async administer(method: string, path: string, body?: object): Promise<Json> {
    const token = await this.login('admin', { system: { all: true } });
    const { status, json } = await this.ask(method, path, body, { 'x-auth-token': token });
    if (status >= 400) throw new Error(`Keystone answers ${status}: ${JSON.stringify(json)}`);
    return json;
  }

  async addProject(name: string): Promise<string> {
    return (await this.administer('POST', '/projects', { project: { name, domain_id: 'default' } })).project
      .id;
  }

  async addUser(name: string): Promise<string> {
    const user = { name, password: PASSWORD, domain_id: 'default' };
    return (await this.administer('POST', '/users', { user })).user.id;
  }

  async #roleId(name: string): Promise<string> {
    const { roles } = await this.administer('GET', `/roles?name=${name}`);
    return roles[0]?.id ?? (await this.administer('POST', '/roles', { role: { name } })).role.id;
  }

  /** @param where `projects/<id>`, `domains/<id>` or `system` */
  async grant(user: string, role: string, where: string): Promise<void> {
    await this.administer('PUT', `/${where}/users/${user}/roles/${await this.#roleId(role)}`);
  }

  async withdraw(user: string, role: string, where: string): Promise<void> {
    await this.administer('DELETE', `/${where}/users/${user}/roles/${await this.#roleId(role)}`);
  }

  /** Names a service in the catalogue. */
  async addService(type: string, url: string): Promise<void> {
    const { service } = await this.administer('POST', '/services', { service: { type, name: type } });
    const endpoint = { service_id: service.id, interface: 'public', region_id: 'RegionOne', url };
    await this.administer('POST', '/endpoints', { endpoint });
  }
}
