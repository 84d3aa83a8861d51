import { connection } from './connection.ts';
import { choice, decimal, integer } from './kinds.ts';
import { option } from './option.ts';

/** The section `[storage]`. */
export const STORAGE_OPTIONS = {
  connection: option(
    'storage',
    'connection',
    connection,
    '',
    'Database URL: postgresql://user:password@host:port/database for PostgreSQL. Of several host:port separated by commas, the one that accepts writes is used. Empty: the embedded database in data_dir.',
  ),
  busyTimeout: option(
    'storage',
    'busy_timeout',
    integer(1, 3600),
    '10',
    'How long a write waits for other writers on the same database, in seconds.',
  ),
  statementTimeout: option(
    'storage',
    'statement_timeout',
    integer(1, 3600),
    '15',
    'Time limit of one statement on PostgreSQL, in seconds.',
  ),
  readTimeout: option(
    'storage',
    'read_timeout',
    decimal(0.01, 3600),
    '5',
    'Time limit of one statement that filters, counts or sorts many rows, in seconds; it queues for up to twice that. Then the request gets 503.',
  ),
  poolSize: option(
    'storage',
    'pool_size',
    integer(2, 1000),
    '16',
    'Maximum connections to PostgreSQL per process.',
  ),
  poolQueue: option(
    'storage',
    'pool_queue',
    integer(1, 1000000),
    '1000',
    'Maximum requests per process waiting for a connection; further ones get 503.',
  ),
  poolTimeout: option(
    'storage',
    'pool_timeout',
    integer(1, 3600),
    '5',
    'How long a request waits for a connection, in seconds.',
  ),
  startTimeout: option(
    'storage',
    'start_timeout',
    integer(0, 86400),
    '60',
    'How long a starting service waits for an unreachable PostgreSQL, in seconds.',
  ),
  preparedStatements: option(
    'storage',
    'prepared_statements',
    choice(['on', 'off']),
    'on',
    'Use named prepared statements on PostgreSQL. Turn off for PgBouncer in transaction mode before 1.21 or without max_prepared_statements.',
  ),
} as const;
