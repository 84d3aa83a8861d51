import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.ts';
import { type PostgresServer, startPostgres, startStandby } from '../../test/support/postgres/server.ts';
import { zoneNames } from '../../test/support/postgres/zone-names.ts';
import {
  type ServiceProcess,
  startProcess,
  temporaryFolder,
  zonewarden,
} from '../../test/support/process.ts';

/** What came of a fail-over under load. */
export interface FailoverFigures {
  readonly acknowledged: number;
  /** Creates that were answered after the promotion, among them. */
  readonly acknowledgedAfter: number;
  /** Acknowledged, and not there afterwards. */
  readonly lost: readonly string[];
  /** Answers with another status than 202 and 503. */
  readonly others: readonly number[];
  readonly refused: number;
  /** From the promotion to the first create that was acknowledged after it. */
  readonly resumedAfterMs: number;
  /** The exit status of `zonewarden verify`, and what it says. */
  readonly verified: { readonly status: number | null; readonly out: string };
}

const CLIENTS = 16;

/** One connection string for both: the service takes the one that can be written. */
export function bothOf(url: string, standby: PostgresServer): string {
  return url.replace(/@([^/]+)\//, `@$1,127.0.0.1:${standby.port}/`);
}

/** Creates by many clients at a time, and what they were answered. */
class Load {
  readonly acknowledged: string[] = [];
  readonly others: number[] = [];
  refused = 0;
  /** When the standby was promoted, and the first create acknowledged after it. */
  promotedAt = Number.POSITIVE_INFINITY;
  resumedAt = 0;
  acknowledgedAfter = 0;
  #isOver = false;
  readonly #clients: Promise<unknown>;

  constructor(service: ServiceProcess) {
    const client = async (id: number) => {
      for (let number = 0; !this.#isOver; number++) {
        const name = `zone${number}.client${id}.example.`;
        await this.#note(name, (await service.create(name)).status);
      }
    };
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, (_, id) => client(id)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }

  async #note(name: string, status: number): Promise<void> {
    if (status === 202) {
      this.acknowledged.push(name);
      if (performance.now() < this.promotedAt) return;
      this.resumedAt ||= performance.now();
      this.acknowledgedAfter += 1;
    } else if (status === 503) {
      this.refused += 1;
      await sleep(20);
    } else this.others.push(status);
  }
}

/**
 * Kills the primary of two servers under a load of creates, promotes its synchronous standby, and looks up whatever the
 * service has acknowledged.
 */
export async function failOver(): Promise<FailoverFigures> {
  const primary = await startPostgres();
  const standby = await startStandby(primary).catch(async (error) => {
    await primary.remove();
    throw error;
  });
  const folder = temporaryFolder();
  try {
    const connection = bothOf(await primary.createDatabase(), standby);
    await primary.configure({ synchronous_standby_names: '*' });
    const env = { ZONEWARDEN_STORAGE__CONNECTION: connection, ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
    const service = await startProcess({ dataDir: folder.path, env });
    try {
      const load = new Load(service);
      await eventually(() => load.acknowledged.length >= 200 || undefined);
      await primary.kill('SIGKILL');
      // Whoever decides on the promotion takes a while: until then all is refused.
      await eventually(() => load.refused >= 100 || undefined);
      await standby.promote();
      load.promotedAt = performance.now();
      await eventually(() => load.acknowledgedAfter >= 100 || undefined);
      await load.stop();
      const found = new Set(await zoneNames(service, service.admin));
      const { status, out } = await zonewarden(['verify'], { env });
      return {
        acknowledged: load.acknowledged.length,
        acknowledgedAfter: load.acknowledgedAfter,
        lost: load.acknowledged.filter((name) => !found.has(name)),
        others: load.others,
        refused: load.refused,
        resumedAfterMs: load.resumedAt - load.promotedAt,
        verified: { status, out },
      };
    } finally {
      await service.end('SIGKILL');
    }
  } finally {
    folder.remove();
    await Promise.all([primary.remove(), standby.remove()]);
  }
}
