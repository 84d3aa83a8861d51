import pg from 'pg';
import { DomainError } from '../../model/errors.ts';
import { type MetricsRecorder, NO_METRICS, type PoolUse } from '../../model/metrics/metrics-recorder.ts';
import { type Release, Semaphore } from '../../runtime/semaphore.ts';
import { asFailure, ConnectionLost, leavesConnectionUsable } from '../database/postgres-failure.ts';
import { PostgresSession } from './session.ts';
import { firstQuestion, type TimeLimits, transactionSettings } from './session-settings.ts';
import { type PostgresSettings, parseConnection, type ServerConfig } from './settings.ts';

/** Time limit for connecting to one of several servers, before the next one is tried. */
const SERVER_TIMEOUT_MS = 3000;
/** The pool's message when the wait for a free connection times out. */
const POOL_IS_BUSY = 'timeout exceeded when trying to connect';
const IDLE_CONNECTION_MS = 60_000;
const INT8 = 20;
const NUMERIC = 1700;

/** Parses numbers as numbers: all stored ones are below 2^53. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as never,
};

/** The pool awaits the result, which its types do not say. */
type OnConnect = (client: pg.ClientBase) => void;

/** A member missing from the driver's types: the server process id, as the server or a pooler reports it. */
type ClientWithProcessId = pg.ClientBase & { readonly processID: number | null };

/** The servers of a connection string, and the one currently in use. */
class Servers {
  readonly #all: readonly ServerConfig[];
  #present = 0;

  constructor(all: readonly ServerConfig[]) {
    this.#all = all;
  }

  get count(): number {
    return this.#all.length;
  }

  get present(): ServerConfig {
    return this.#all[this.#present]!;
  }

  /** Switches to the next server, unless another caller already has. */
  leave(server: ServerConfig): void {
    if (server === this.present) this.#present = (this.#present + 1) % this.#all.length;
  }
}

/** The client class of the pool: it connects to the current server. */
function clientOf(servers: Servers, settings: PostgresSettings) {
  const { poolTimeoutMs, statementTimeoutMs } = settings;
  const isOneOfSeveral = servers.count > 1;
  return class extends pg.Client {
    constructor() {
      super({
        application_name: 'zonewarden',
        ...servers.present,
        types: TYPES,
        pipeline: true,
        keepAlive: true,
        connectionTimeoutMillis: isOneOfSeveral ? Math.min(SERVER_TIMEOUT_MS, poolTimeoutMs) : poolTimeoutMs,
        // For a server that does not respond at all.
        query_timeout: statementTimeoutMs + 1000,
      });
    }
  };
}

function noConnection({ waiting }: PoolUse): DomainError {
  const refusal = new DomainError('storage_unavailable');
  refusal.cause = new Error(`${waiting} requests are waiting for a database connection`);
  return refusal;
}

/** The metrics that a pool reports. */
export type PoolMeter = Pick<MetricsRecorder, 'connectionTaken' | 'retried'>;

/** A limited number of connections, and a limited queue for them. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #servers: Servers;
  readonly #settings: PostgresSettings;
  readonly #limits: TimeLimits;
  readonly #sessions = new WeakMap<pg.ClientBase, PostgresSession>();
  /** Transactions that wait for a lock keep their connections; those of one project leave some for the others. */
  readonly #shares: Semaphore;
  readonly meter: PoolMeter;

  /** @throws StorageOpenError if the connection string cannot be used */
  constructor(settings: PostgresSettings, lockTimeoutMs: number, meter: PoolMeter = NO_METRICS) {
    this.meter = meter;
    this.#settings = settings;
    this.#limits = { statementTimeoutMs: settings.statementTimeoutMs, lockTimeoutMs };
    this.#servers = new Servers(parseConnection(settings.connection));
    this.#shares = new Semaphore({
      permits: settings.poolSize,
      perOwner: 'half of the rest',
      pendingPerOwner: Math.ceil((settings.poolSize + settings.poolQueue) / 2),
      waiting: settings.poolQueue,
      waitMs: settings.poolTimeoutMs,
    });
    this.#pool = new pg.Pool({
      max: settings.poolSize,
      connectionTimeoutMillis: settings.poolTimeoutMs,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      Client: clientOf(this.#servers, settings),
      onConnect: ((client) => this.#begin(client as ClientWithProcessId)) as OnConnect,
    });
    // An idle connection that ends is replaced when one is needed.
    this.#pool.on('error', () => {});
  }

  /** How long after its start work may be retried, in milliseconds: the time limit of one statement. */
  get patienceMs(): number {
    return this.#settings.statementTimeoutMs;
  }

  /** Maximum number of open connections. */
  get size(): number {
    return this.#settings.poolSize;
  }

  get load(): PoolUse {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting: waiting + this.#shares.waiting };
  }

  /** The time limit of one statement of a long read, in milliseconds. */
  get readTimeoutMs(): number {
    return Math.min(this.#settings.readTimeoutMs, this.#settings.statementTimeoutMs);
  }

  /** The location of the store, without secrets. */
  get place(): string {
    const { host, port, database } = this.#servers.present;
    return `PostgreSQL at ${host}:${port}${database ? `, database ${database}` : ''}`;
  }

  /**
   * Runs work on a connection that nothing else uses meanwhile. A lost connection is not used again.
   * @param projectId the project that asks: it gets at most half of the connections that the other projects leave
   * @throws what the work throws; ConnectionLost or pg.DatabaseError if no server accepts writes;
   * `storage_unavailable` if too many requests wait
   */
  async use<T>(work: (session: PostgresSession) => Promise<T>, projectId?: string): Promise<T> {
    const begun = performance.now();
    const release = projectId === undefined ? undefined : await this.#permit(projectId);
    try {
      const client = await this.#connect();
      this.meter.connectionTaken((performance.now() - begun) / 1000);
      return await this.#useOf(client, work);
    } finally {
      release?.();
    }
  }

  async #useOf<T>(client: pg.PoolClient, work: (session: PostgresSession) => Promise<T>): Promise<T> {
    // Without a listener, an error of the connection would end the process. The statement in flight reports it.
    const ignore = (): void => {};
    client.on('error', ignore);
    const session = this.#sessions.get(client)!;
    let isUsable = true;
    try {
      return await work(session);
    } catch (error) {
      isUsable = leavesConnectionUsable(error);
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(!isUsable || session.isBroken);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** @throws DomainError `storage_unavailable` if the project's other transactions are too many, or take too long */
  async #permit(projectId: string): Promise<Release> {
    const release = await this.#shares.take(projectId);
    if (release === undefined) throw noConnection(this.load);
    return release;
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#pool.waitingCount >= this.#settings.poolQueue) throw noConnection(this.load);
    for (let tried = 1; ; tried++) {
      const server = this.#servers.present;
      try {
        return await this.#pool.connect();
      } catch (error) {
        // An exhausted pool is not a failure of the server.
        if ((error as Error).message === POOL_IS_BUSY) throw asFailure(error);
        this.#servers.leave(server);
        if (tried >= this.#servers.count) throw asFailure(error);
      }
    }
  }

  /**
   * Prepares a new connection for use.
   * @throws ConnectionLost if its server does not accept writes
   */
  async #begin(client: ClientWithProcessId): Promise<void> {
    const { poolTimeoutMs, preparedStatements } = this.#settings;
    const asked = { text: firstQuestion(this.#limits, client.processID), query_timeout: poolTimeoutMs };
    const { rows } = await client.query(asked);
    if (rows[0]?.read_only !== 'off') throw new ConnectionLost('The server does not accept writes.');
    const settings = rows[0].pooled ? transactionSettings(this.#limits) : undefined;
    this.#sessions.set(client, new PostgresSession(client, preparedStatements, settings));
  }
}
