import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An installed PostgreSQL. */
export interface Binaries {
  /** The folder of initdb, postgres and pg_basebackup. */
  readonly folder: string;
  readonly version: number;
}

/** Whom a server runs as: PostgreSQL refuses to run as root. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Where Debian and Ubuntu put every major version they have; the commands are not on the PATH there. */
const DEBIAN = '/usr/lib/postgresql';

function folderOfPgConfig(): string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim()];
  } catch {
    return [];
  }
}

function foldersOfDebian(): string[] {
  return existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
}

function versionIn(folder: string): number {
  const postgres = join(folder, 'postgres');
  // The client's development package has a pg_config without a server beside it.
  if (!existsSync(postgres) || !existsSync(join(folder, 'initdb'))) return 0;
  const said = execFileSync(postgres, ['--version'], { encoding: 'utf8' });
  return Number(/(\d+)/.exec(said)?.[1] ?? 0);
}

/** The newest PostgreSQL installed here whose server can be started; undefined when there is none. */
export function findPostgres(): Binaries | undefined {
  // A server is watched, stopped and cleared away by what /proc says of its processes.
  if (!existsSync('/proc/self/cwd')) return undefined;
  return [...folderOfPgConfig(), ...foldersOfDebian()]
    .map((folder) => ({ folder, version: versionIn(folder) }))
    .filter(({ version }) => version > 0)
    .sort((a, b) => b.version - a.version)[0];
}

/** Whom to run a server as: whoever runs the tests, unless that is root. */
export function serverOwner(): Owner {
  const own = { uid: process.getuid!(), gid: process.getgid!() };
  if (own.uid !== 0) return own;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is neither a user postgres nor a user nobody.',
  );
}

/** An installed PgBouncer. */
export interface InstalledPooler {
  readonly file: string;
  /** Since 1.21: prepared statements of a client hold on whatever server connection it gets. */
  readonly knowsPreparedStatements: boolean;
}

/** The one that PGBOUNCER names, or Debian's; undefined when there is none. */
export function findPooler(): InstalledPooler | undefined {
  const file = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer';
  try {
    const said = execFileSync(file, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(said)!;
    return { file, knowsPreparedStatements: Number(major) > 1 || Number(minor) >= 21 };
  } catch {
    return undefined;
  }
}
