import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import pg from 'pg';
import { storageSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { ApiToken } from '../../src/model/tokens/api-token.ts';
import { openStore, type StorageSettings } from '../../src/storage/open.ts';
import { sqliteCodeOf } from '../../src/storage/sqlite/errors.ts';
import { eventually } from './eventually.ts';
import { type Binaries, findPostgres } from './postgres/binaries.ts';

type Row = Readonly<Record<string, unknown>>;

const FILE = 'zonewarden.db';

/** The connection string of the server of this run; undefined when the tests run on the embedded database. */
const server = (): string | undefined => process.env.TEST_POSTGRES;

/** Whether the tests run on PostgreSQL. */
export const isOnPostgres = (): boolean => server() !== undefined;

/** The database on the server of this run that others are copied from: migrated, and empty. */
export const TEMPLATE_DATABASE = 'store_template';

/** The databases that were made, each for one data folder. */
const made = new Map<string, string>();
let binaries: Binaries | undefined;
/** The PostgreSQL of this run. */
const installed = (): Binaries => {
  binaries ??= findPostgres()!;
  return binaries;
};

/** Runs statements on the server, while everything here waits: that gives a store to whoever cannot wait. */
function administer(...statements: readonly string[]): void {
  const psql = join(installed().folder, 'psql');
  const commands = statements.map((statement) => `--command=${statement}`);
  const options = ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', ...commands];
  execFileSync(psql, [...options, new URL('postgres', server()).href], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Copies the files of the template, which costs a third of what PostgreSQL 15 does by itself: logging each page of them. */
const copyOf = (template: string): string =>
  `template ${template}${installed().version < 15 ? '' : ' strategy file_copy'}`;

function makeDatabase(dataDir: string, template = 'template1'): string {
  const name = `store_${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  administer(`create database ${name} ${copyOf(template)}`);
  made.set(dataDir, name);
  return name;
}

/** The connection string of the database that belongs to a data folder; it is made when it is first asked for. */
function connectionOf(dataDir: string): string {
  return new URL(made.get(dataDir) ?? makeDatabase(dataDir), server()).href;
}

/** Gives a data folder the database of another one, as two machines have it that serve the same zones. */
export function shareDatabase(owner: string, other: string): void {
  connectionOf(owner);
  made.set(other, made.get(owner)!);
}

/** Removes every database that was made here, whoever is still connected to it. */
export function dropDatabases(): void {
  if (made.size === 0) return;
  const names = new Set(made.values());
  made.clear();
  administer(...[...names].map((name) => `drop database ${name} with (force)`));
}

/**
 * The options that give a service or a command the store of a data folder: the database in the folder, or one on the
 * server of this run that belongs to the folder alone.
 */
export function storeOptions(dataDir: string): Readonly<Record<string, string>> {
  const own = { ZONEWARDEN_DEFAULT__DATA_DIR: dataDir };
  return isOnPostgres() ? { ...own, ZONEWARDEN_STORAGE__CONNECTION: connectionOf(dataDir) } : own;
}

/** The same, for what opens the store itself. */
export function storeSettings(dataDir: string): StorageSettings {
  return storageSettings(loadConfig(undefined, storeOptions(dataDir)));
}

/** Makes the store that the options name, as a service does at its first start, but without a token in it. */
export async function makeStoreOf(environment: Readonly<Record<string, string>>): Promise<void> {
  await (await openStore(storageSettings(loadConfig(undefined, environment)))).close();
}

let migrated: Promise<Buffer> | undefined;

/** The file of an embedded database that a migration has just made. */
async function migratedFile(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-template-'));
  await makeStoreOf({ ZONEWARDEN_DEFAULT__DATA_DIR: folder });
  const file = readFileSync(join(folder, FILE));
  rmSync(folder, { recursive: true });
  return file;
}

/** Makes an empty store for a data folder that has none yet: a copy of one, which is cheaper than to migrate each. */
export async function makeStore(dataDir: string): Promise<void> {
  if (made.has(dataDir)) return makeStoreOf(storeOptions(dataDir));
  if (isOnPostgres()) {
    makeDatabase(dataDir, TEMPLATE_DATABASE);
    return;
  }
  migrated ??= migratedFile();
  const file = await migrated;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, FILE), file, { mode: 0o600, flag: 'wx' });
}

const LOCKED = 5;

/** The rows of a statement; undefined while somebody else writes, which may be a service of this very process. */
function unlessLocked(database: DatabaseSyncInstance, statement: string): Row[] | undefined {
  try {
    return database.prepare(statement).all() as Row[];
  } catch (error) {
    if (sqliteCodeOf(error) === LOCKED) return undefined;
    throw error;
  }
}

/** Runs statements on the store of a data folder behind the product's back; the rows are those of the last one. */
export async function inStoreOf(dataDir: string, ...statements: readonly string[]): Promise<Row[]> {
  if (isOnPostgres()) {
    const client = new pg.Client({ connectionString: connectionOf(dataDir) });
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const statement of statements) rows = (await client.query(statement)).rows;
      return rows;
    } finally {
      await client.end();
    }
  }
  const database = new DatabaseSync(join(dataDir, FILE));
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = await eventually(() => unlessLocked(database, statement));
    return rows;
  } finally {
    database.close();
  }
}

/** Inserts a token with the rights of its roles. */
export async function insertToken(dataDir: string, token: ApiToken): Promise<void> {
  const { id, hash, projectId, userId, roles, createdAt, expiresAt } = token;
  const values = [id, hash, projectId, userId, JSON.stringify(roles), createdAt, expiresAt ?? ''];
  const quoted = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');
  await inStoreOf(
    dataDir,
    `insert into api_tokens (id, hash, project_id, user_id, roles, created_at, expires_at) values (${quoted})`,
  );
}

/** Copies a data folder with its store, while nobody uses it. */
export function copyStore(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const database = made.get(from);
  if (database !== undefined) makeDatabase(to, database);
}
