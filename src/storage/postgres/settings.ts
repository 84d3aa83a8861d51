import type pg from 'pg';
import { parse } from 'pg-connection-string';
import { StorageOpenError } from '../database/storage-errors.ts';

const CONNECTION_URL = /^(postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?)([^@/?#\s]*)(\S*)$/;
const DEFAULT_PORT = 5432;
/** Parameters of libpq that this program ignores: it always uses the server that accepts writes. */
const IGNORED_PARAMETERS = ['target_session_attrs', 'connect_timeout', 'load_balance_hosts'];

export interface PostgresSettings {
  /** `postgresql://user:password@host:port,host:port/database?…` */
  readonly connection: string;
  /** Maximum number of open connections. */
  readonly poolSize: number;
  /** Maximum number of connections that only transfers to name servers use. They are opened on demand. */
  readonly transferPoolSize: number;
  /** Maximum number of requests that wait for a connection. */
  readonly poolQueue: number;
  /** Maximum wait for a connection. */
  readonly poolTimeoutMs: number;
  /** The time limit of one statement. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a server that reports that it is starting. */
  readonly startTimeoutMs: number;
  /** True if statements are prepared under names. */
  readonly preparedStatements: boolean;
  /** The time limit of one statement of a long read. */
  readonly readTimeoutMs: number;
}

/** One server, in the driver's form. */
export type ServerConfig = pg.ClientConfig & { readonly host: string; readonly port: number };

function connectionError(why: string): StorageOpenError {
  // The connection string may hold a password, so the message does not repeat it.
  return new StorageOpenError(
    `[storage] connection cannot be used: ${why}. Use postgresql://user:password@host:port/database, or several host:port separated by commas.`,
  );
}

function serverOf(prefix: string, host: string, rest: string): ServerConfig {
  const known = parse(`${prefix}${host}${rest}`) as Record<string, unknown>;
  for (const parameter of IGNORED_PARAMETERS) delete known[parameter];
  // libpq's other form for several servers; the driver would take it for one host name.
  if (`${known.host},${known.port}`.split(',').length > 2)
    throw new Error('host= and port= must name one server');
  const port = Number(known.port || process.env.PGPORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error('a port must be a number from 1 to 65535');
  const named = Object.entries(known).filter(([, value]) => value !== null && value !== '');
  return {
    ...Object.fromEntries(named),
    host: String(known.host || process.env.PGHOST || 'localhost'),
    port,
  };
}

/**
 * The servers of a connection string, in its order (libpq's form for several hosts:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 * @throws StorageOpenError, whose message does not repeat the string
 */
export function parseConnection(connection: string): readonly ServerConfig[] {
  const [, prefix, hosts, rest] = CONNECTION_URL.exec(connection) ?? [];
  if (prefix === undefined || hosts === undefined || rest === undefined)
    throw connectionError('it is not a PostgreSQL URL');
  try {
    return hosts.split(',').map((host) => serverOf(prefix, host, rest));
  } catch (error) {
    throw connectionError((error as Error).message);
  }
}
