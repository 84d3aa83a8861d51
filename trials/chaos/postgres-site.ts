import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { giveEventKey } from '../../test/support/event-key.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type DatabaseProxy, startProxy } from '../../test/support/postgres/proxy.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres/server.ts';
import { COMMON, type Injury, type Site } from './sites.ts';

const MEMBERS = 3;
const DATABASE = 'chaos';

/** Shorter than by default, so that a request ends amid a cut of some seconds; what holds for these holds for others. */
const TIME_OUTS = {
  ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '4',
  ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '5',
  ZONEWARDEN_STORAGE__POOL_TIMEOUT: '3',
};

/** The processes of the server that serve connections to the database. */
async function backends(server: PostgresServer): Promise<number[]> {
  const rows = await server.query('select pid from pg_stat_activity where datname = $1', [DATABASE]);
  return rows.map(({ pid }) => pid as number);
}

/** A process that is there as long as the server has not begun anew; undefined while it takes no connections. */
async function checkpointer(server: PostgresServer): Promise<number | undefined> {
  const text = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
  const rows = await server.query(text).catch(() => []);
  return rows[0]?.pid as number | undefined;
}

/** Kills a process of the server, and waits until the server has therefore ended all others and begun anew. */
function killOfBackend(server: PostgresServer): Pick<Injury, 'inflict' | 'heal'> {
  return {
    async inflict() {
      const before = await checkpointer(server);
      const [pid] = await backends(server);
      if (pid === undefined || !existsSync(`/proc/${pid}`)) return;
      process.kill(pid, 'SIGKILL');
      await eventually(async () => {
        const now = await checkpointer(server);
        return now === undefined || now === before ? undefined : now;
      });
    },
    heal: async () => {},
  };
}

function serverInjuries(server: PostgresServer): Injury[] {
  const target = 'the server';
  return [
    {
      kind: "kill -9 of PostgreSQL's postmaster",
      weight: 5,
      isKill: true,
      target,
      inflict: () => server.kill('SIGKILL'),
      lasts: (dice) => dice.int(0, 1500),
      heal: () => server.start(),
    },
    {
      kind: "kill -9 of one of PostgreSQL's processes",
      weight: 2,
      isKill: true,
      target,
      ...killOfBackend(server),
      lasts: () => 0,
    },
    {
      kind: 'SIGSTOP of PostgreSQL',
      weight: 2,
      isKill: false,
      target,
      inflict: () => server.pause(),
      lasts: (dice) => dice.int(200, 3000),
      heal: async () => server.resume(),
    },
    {
      kind: 'end of every connection',
      weight: 1,
      isKill: false,
      target,
      async inflict() {
        await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
          DATABASE,
        ]);
      },
      lasts: () => 0,
      heal: async () => {},
    },
  ];
}

function proxyInjuries(proxy: DatabaseProxy, index: number): Injury[] {
  const common = { isKill: false, target: `the way of process ${index}`, heal: () => proxy.heal() };
  return [
    {
      ...common,
      kind: 'network cut: all is lost',
      weight: 3,
      inflict: async () => proxy.cut(),
      lasts: (dice) => dice.int(300, dice.chance(0.3) ? 9000 : 2000),
    },
    {
      ...common,
      kind: 'network cut: all comes late',
      weight: 2,
      inflict: async () => proxy.hold(),
      lasts: (dice) => dice.int(300, dice.chance(0.2) ? 9000 : 2000),
    },
    {
      ...common,
      kind: 'network cut: refused',
      weight: 1.5,
      inflict: () => proxy.refuse(),
      lasts: (dice) => dice.int(100, 2000),
    },
    {
      ...common,
      kind: 'network cut: reset',
      weight: 2,
      inflict: async () => proxy.reset(),
      lasts: () => 0,
    },
  ];
}

/** Three processes on a PostgreSQL with its default settings, each with a way to it that can be cut. */
export async function postgresSite(folder: string): Promise<Site> {
  const server = await startPostgres();
  const url = await server.createDatabase(DATABASE);
  const proxies = await Promise.all(Array.from({ length: MEMBERS }, () => startProxy(server.port)));
  const keyFile = giveEventKey(folder);
  const environment = (connection: string, dataDir: string) => ({
    ...COMMON,
    ...TIME_OUTS,
    ZONEWARDEN_EVENTS__KEY_FILE: keyFile,
    ZONEWARDEN_STORAGE__CONNECTION: connection,
    ZONEWARDEN_DEFAULT__DATA_DIR: join(folder, dataDir),
  });
  return {
    members: MEMBERS,
    environment: (index) => environment(proxies[index]!.through(url), `data-${index}`),
    commandEnvironment: environment(url, 'data-of-commands'),
    injuries: [...serverInjuries(server), ...proxies.flatMap(proxyInjuries)],
    async quiet() {
      // What a process sent before it was killed is done by the server all the same.
      await eventually(async () => (await backends(server)).length === 0 || undefined);
    },
    async remove() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await server.remove();
    },
  };
}
