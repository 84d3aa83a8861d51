import { join } from 'node:path';
import { giveEventKey } from '../event-key.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../process.ts';
import { Random } from '../random.ts';
import { shareDatabase, storeSettings } from '../store.ts';
import { type DatabaseProxy, startProxy } from './proxy.ts';

/** Several processes of the service on one database, each with a data folder of its own. */
export interface Cluster {
  readonly processes: readonly ServiceProcess[];
  /** The data folders, in the order of the processes. */
  readonly dataDirs: readonly string[];
  /** The way to the database of the last process; the others have none of their own. */
  readonly way: DatabaseProxy;
  /** One of the processes, by the cluster's own dice. */
  any(): ServiceProcess;
  /** One of the processes, in turn. */
  next(): ServiceProcess;
  remove(): Promise<void>;
}

/** Starts processes on one empty database, all at the same moment. */
export async function startCluster(
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const folder = temporaryFolder();
  const dataDirs = Array.from({ length: count }, (_, number) => join(folder.path, String(number)));
  for (const dataDir of dataDirs.slice(1)) shareDatabase(dataDirs[0]!, dataDir);
  for (const dataDir of dataDirs) giveEventKey(dataDir);
  const direct = storeSettings(dataDirs[0]!).postgres!.connection;
  const way = await startProxy(Number(new URL(direct).port));
  const started = await Promise.allSettled(
    dataDirs.map((dataDir, number) => {
      const connection = number === count - 1 ? way.through(direct) : direct;
      return startProcess({ dataDir, env: { ZONEWARDEN_STORAGE__CONNECTION: connection, ...env } });
    }),
  );
  const processes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const remove = async () => {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    await way.close();
    folder.remove();
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await remove();
    throw failed.reason;
  }
  const dice = new Random(20_261_121);
  let turn = 0;
  return {
    processes,
    dataDirs,
    way,
    any: () => processes[dice.below(count)]!,
    next: () => processes[turn++ % count]!,
    remove,
  };
}
