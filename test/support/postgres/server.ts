import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { type Binaries, findPostgres, type Owner, serverOwner } from './binaries.ts';
import { isStopped, type Keeper, keeperOf, processesOf, signalAll } from './keeper.ts';

/** Settings of the server, as in postgresql.conf. */
export type Settings = Readonly<Record<string, string | number>>;
type Row = Readonly<Record<string, unknown>>;

/** A PostgreSQL server of the test run's own. Nothing of it is left when the process that started it ends. */
export interface PostgresServer {
  readonly port: number;
  readonly dataDir: string;
  /** The postmaster's. */
  readonly pid: number;
  /** All that the server has logged. */
  readonly log: string;
  readonly settings: Settings;
  /** A connection string for the role that owns the databases, which is no superuser. */
  url(database: string): string;
  /** Makes an empty database, under a name of its own unless one is given, and returns its connection string. */
  createDatabase(name?: string): Promise<string>;
  /** Runs a statement as the superuser. */
  query(text: string, values?: readonly unknown[], database?: string): Promise<Row[]>;
  /** Changes settings that need no restart, for the connections made from now on. */
  configure(settings: Settings): Promise<void>;
  /** Sends a signal to the postmaster alone and waits for its end. Its children may outlive it for a moment. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port, after whatever end, and waits until it takes connections. */
  start(): Promise<void>;
  /** Ends every connection and shuts down in order. */
  stop(): Promise<void>;
  /** Stops the postmaster and all its children where they are; connections stay open and nothing answers. */
  pause(): Promise<void>;
  resume(): void;
  /** Makes a primary of a standby, and waits until it can be written to. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

export interface PostgresOptions {
  readonly settings?: Settings;
  readonly binaries?: Binaries;
  /** Takes connections without their password: to check one costs a client more than most statements do. */
  readonly asksNoPassword?: boolean;
}

const SUPERUSER = 'postgres';
const ROLE = 'zonewarden';

/** Where a server lives, before it runs. */
interface Place {
  readonly binaries: Binaries;
  readonly owner: Owner;
  readonly folder: string;
  readonly dataDir: string;
  readonly keeper: Keeper;
  readonly port: number;
  readonly password: string;
}

async function newPlace(options: PostgresOptions, password: string): Promise<Place> {
  const binaries = options.binaries ?? findPostgres();
  if (binaries === undefined) throw new Error('No PostgreSQL server is installed here.');
  const owner = serverOwner();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'zonewarden-postgres-'));
  chownSync(folder, owner.uid, owner.gid);
  const keeper = keeperOf(folder);
  return {
    binaries,
    owner,
    folder,
    dataDir: join(folder, 'data'),
    keeper,
    port: await freePort(),
    password,
  };
}

/** Runs one of PostgreSQL's commands as the owner of the server. */
async function command(place: Place, name: string, args: readonly string[]): Promise<void> {
  const { binaries, owner, folder, password } = place;
  const env = { ...process.env, LC_ALL: 'C', PGPASSWORD: password };
  await promisify(execFile)(join(binaries.folder, name), args, { ...owner, cwd: folder, env });
}

const passwordFile = (folder: string) => join(folder, 'password');

async function initialise(place: Place): Promise<void> {
  const file = passwordFile(place.folder);
  writeFileSync(file, place.password, { mode: 0o600 });
  chownSync(file, place.owner.uid, place.owner.gid);
  // Another order than that of code points, so that a list which forgets to say its order is found out.
  const order = place.binaries.version >= 15 ? ['--locale-provider=icu', '--icu-locale=en-US'] : [];
  const access = ['--username', SUPERUSER, '--auth=scram-sha-256', '--pwfile', file];
  await command(place, 'initdb', [
    ...['--pgdata', place.dataDir, '--no-sync', '--encoding=UTF8', '--locale=C', ...order, ...access],
  ]);
  appendFileSync(join(place.dataDir, 'postgresql.conf'), "include 'zonewarden.conf'\n");
}

/** An empty cluster, of which each server begins as a copy: making one takes as long as many a test. */
export interface ClusterTemplate {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Makes it for whoever has its folder in TEST_POSTGRES_TEMPLATE. */
export async function makeClusterTemplate(): Promise<ClusterTemplate> {
  const place = await newPlace({}, randomBytes(12).toString('hex'));
  await initialise(place);
  return { folder: place.folder, remove: () => place.keeper.clear() };
}

async function copyTemplate(template: string, { dataDir }: Place): Promise<void> {
  // With owners and modes: the server refuses a folder that is not its own.
  await promisify(execFile)('cp', ['-a', join(template, 'data'), dataDir]);
}

/** The file of our own settings, read after those that initdb wrote. */
function writeSettings({ dataDir, port }: Place, settings: Settings): void {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    // Within the data folder, so that a server which is killed leaves nothing behind it elsewhere.
    dynamic_shared_memory_type: 'mmap',
    ...settings,
  };
  const quoted = (value: string | number) => `'${String(value).replaceAll("'", "''")}'`;
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${quoted(value)}\n`);
  writeFileSync(join(dataDir, 'zonewarden.conf'), lines.join(''));
}

const logFile = (place: Place) => join(place.folder, 'log');

function spawnServer(place: Place): ChildProcess {
  const log = openSync(logFile(place), 'a');
  // A session of its own: what a terminal sends to the test run does not reach it.
  const child = spawn(join(place.binaries.folder, 'postgres'), ['-D', place.dataDir], {
    ...place.owner,
    cwd: place.folder,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return child;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  await once(child, 'exit');
}

/** Waits until the server takes connections; says why it ended when it has. */
function ready(place: Place, child: ChildProcess, connect: () => Promise<unknown>): Promise<true> {
  return eventually(async () => {
    if (hasEnded(child)) {
      throw new Error(`PostgreSQL ended at its start: ${readFileSync(logFile(place), 'utf8').slice(-2000)}`);
    }
    return connect().then(
      () => true as const,
      () => undefined,
    );
  });
}

async function serverAt(place: Place, initialSettings: Settings): Promise<PostgresServer> {
  const { dataDir, port, password } = place;
  let settings = initialSettings;
  let child: ChildProcess;
  const urlOf = (user: string, database: string) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const query = async (text: string, values: readonly unknown[] = [], database = 'postgres') => {
    const client = new pg.Client({ connectionString: urlOf(SUPERUSER, database) });
    // What ends the connection ends the statement too, and is told there.
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(text, [...values])).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const resume = () => signalAll(processesOf(dataDir), 'SIGCONT');
  const end = async (signal: NodeJS.Signals) => {
    signalAll([child.pid!], signal);
    await ended(child);
  };
  const gone = () => eventually(() => processesOf(dataDir).length === 0 || undefined);
  const start = async () => {
    // The children of a postmaster that was killed hold its shared memory until they notice.
    resume();
    await gone();
    child = spawnServer(place);
    await ready(place, child, () => query('select 1'));
  };
  writeSettings(place, settings);
  await start();
  return {
    port,
    dataDir,
    get pid() {
      return child.pid!;
    },
    get log() {
      return readFileSync(logFile(place), 'utf8');
    },
    get settings() {
      return settings;
    },
    url: (database) => urlOf(ROLE, database),
    async createDatabase(name = `test_${randomBytes(8).toString('hex')}`) {
      await query(`create database "${name}" owner ${ROLE}`);
      return urlOf(ROLE, name);
    },
    query,
    async configure(changed) {
      settings = { ...settings, ...changed };
      writeSettings(place, settings);
      const [before] = await query('select pg_conf_load_time()::text as time, pg_reload_conf()');
      await eventually(async () => {
        const [now] = await query('select pg_conf_load_time()::text as time');
        return now!.time === before!.time ? undefined : true;
      });
    },
    kill: (signal = 'SIGKILL') => end(signal),
    start,
    async stop() {
      resume();
      await end('SIGINT');
      await gone();
    },
    async pause() {
      // The postmaster first: after that it makes no further child.
      signalAll([child.pid!], 'SIGSTOP');
      await eventually(() => {
        const moving = processesOf(dataDir).filter((pid) => !isStopped(pid));
        signalAll(moving, 'SIGSTOP');
        return moving.length === 0 ? true : undefined;
      });
    },
    resume,
    async promote() {
      await query('select pg_promote()');
    },
    remove: () => place.keeper.clear(),
  };
}

/**
 * Starts a server on a free port of 127.0.0.1, with a data folder of its own.
 * @throws when no PostgreSQL is installed; see `findPostgres`
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const template = options.binaries === undefined ? process.env.TEST_POSTGRES_TEMPLATE : undefined;
  const password = template && readFileSync(passwordFile(template), 'utf8');
  const place = await newPlace(options, password ?? randomBytes(12).toString('hex'));
  try {
    await (template ? copyTemplate(template, place) : initialise(place));
    if (options.asksNoPassword) {
      writeFileSync(join(place.dataDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
    }
    const server = await serverAt(place, options.settings ?? {});
    // Not waiting for a standby: the first one can only be made of a server that runs. The role may end autovacuum where it
    // drops a database.
    await server.query(
      `set synchronous_commit = local; create role ${ROLE} login createdb password '${place.password}' in role pg_signal_backend`,
    );
    return server;
  } catch (error) {
    await place.keeper.clear();
    throw error;
  }
}

/**
 * Starts a standby of a server, with its settings except for what is given, and waits until it follows.
 * A primary waits for it at each commit once it is told so: `configure({ synchronous_standby_names: '*' })`.
 */
export async function startStandby(
  primary: PostgresServer,
  options: PostgresOptions = {},
): Promise<PostgresServer> {
  const address = new URL(primary.url('postgres'));
  const place = await newPlace(options, address.password);
  try {
    const from = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} password=${address.password}`;
    const backup = ['--checkpoint=fast', '--no-sync', '--wal-method=stream', '--write-recovery-conf'];
    await command(place, 'pg_basebackup', ['--pgdata', place.dataDir, '--dbname', from, ...backup]);
    const settings = { ...primary.settings, synchronous_standby_names: '', ...options.settings };
    const standby = await serverAt(place, settings);
    await eventually(async () => {
      const [row] = await primary.query(
        `select count(*)::int as streaming from pg_stat_replication where state = 'streaming'`,
      );
      return row!.streaming === 0 ? undefined : true;
    });
    return standby;
  } catch (error) {
    await place.keeper.clear();
    throw error;
  }
}
