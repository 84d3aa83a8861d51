import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { KeystoneAdministration, PASSWORD } from './administration.ts';

const execute = promisify(execFile);

const WSGI_FILE = '/usr/bin/keystone-wsgi-public';
const TO_INSTALL =
  'Keystone is missing. On Debian: apt-get install --no-install-recommends keystone uwsgi-core uwsgi-plugin-python3.';

/** Debian's Python runs Debian's programs. */
const ENVIRONMENT = { ...process.env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' };

/** How long the server may take to answer its first request. */
const START_MS = 120_000;

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
export class RealKeystone extends KeystoneAdministration {
  readonly #folder: string;
  #server: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    super(`http://127.0.0.1:${port}`);
    this.#folder = folder;
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
      ...['--plugins', 'python3', '--http-socket', new URL(this.url).host, '--wsgi-file', WSGI_FILE],
      ...['--pyargv', `--config-file ${this.#configFile}`, '--master', '--processes', '1', '--threads', '1'],
      ...['--lazy-apps', '--buffer-size', '65535', '--die-on-term', '--disable-logging'],
      // Its one process serves no second request of a connection: clients have to be told.
      ...['--add-header', 'Connection: close'],
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
}
