import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { type InstalledPooler, serverOwner } from './binaries.ts';
import { keeperOf } from './keeper.ts';
import type { PostgresServer } from './server.ts';

/** A PgBouncer before a server. Nothing of it is left when the process that started it ends. */
export interface Pooler {
  readonly port: number;
  /** The same connection string, but leading through the pooler. */
  through(url: string): string;
  remove(): Promise<void>;
}

/** The pgbouncer.ini that the documents show. */
function documentedSettings(): string {
  const [, ini] = /```ini\n(; \/etc\/pgbouncer\/pgbouncer\.ini\n[\s\S]*?)```/.exec(
    readFileSync(resolve('docs/operations.md'), 'utf8'),
  )!;
  return ini!;
}

/** That file with other values, and with lines for what it does not set; undefined takes a line away. */
function settingsWith(values: Readonly<Record<string, string | number | undefined>>): string {
  const lines = documentedSettings()
    .split('\n')
    .filter((line) => !(line.split(' = ')[0]!.trim() in values));
  const own = Object.entries(values).filter(([, value]) => value !== undefined);
  return [...lines, ...own.map(([name, value]) => `${name} = ${value}`)].join('\n');
}

/**
 * Starts one on a free port of 127.0.0.1, with the settings that the documents show, except for what is given, and a few
 * server connections that many sessions share in turn.
 */
export async function startPooler(
  server: PostgresServer,
  pooler: InstalledPooler,
  settings: Readonly<Record<string, string | number | undefined>> = {},
): Promise<Pooler> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'zonewarden-pgbouncer-'));
  // The folder in which the keeper looks for processes.
  const work = join(folder, 'data');
  const [ini, users, logFile] = ['ini', 'users', 'log'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const owner = serverOwner();
  const keeper = keeperOf(folder);
  const { username, password } = new URL(server.url('postgres'));
  const port = await freePort();
  mkdirSync(work);
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    ini,
    settingsWith({
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_file: users,
      default_pool_size: 3,
      server_round_robin: 1,
      ...settings,
    }).replace(/^\w+ = host=.*$/m, `* = host=127.0.0.1 port=${server.port}`),
  );
  for (const path of [folder, work, ini, users]) chownSync(path, owner.uid, owner.gid);
  const log = openSync(logFile, 'a');
  const child = spawn(pooler.file, [ini], {
    ...owner,
    cwd: work,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  try {
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${readFileSync(logFile, 'utf8')}`);
      const socket = connect(port, '127.0.0.1');
      const isUp = await once(socket, 'connect').then(
        () => true,
        () => undefined,
      );
      socket.destroy();
      return isUp;
    });
  } catch (error) {
    await keeper.clear();
    throw error;
  }
  return {
    port,
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${port}`;
      return changed.href;
    },
    remove: () => keeper.clear(),
  };
}
