import { readFileSync } from 'node:fs';
import { type Client, connect, expectSuccess } from '../../test/support/client.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';
import { Probe } from './probe.ts';

/** A service that is attacked, with a heap of 512 MB. */
export interface Site {
  readonly service: ServiceProcess;
  /** The file of the program that it runs. */
  readonly program: string;
  readonly probe: Probe;
  /** A client of a project as its member, with at most so many connections. */
  client(project: string, connections?: number): Client;
  token(project: string): string;
  /** Changes the quotas of a project. */
  allow(project: string, quotas: Readonly<Record<string, number>>): Promise<void>;
  isAlive(): boolean;
  /** In MB. */
  mostMemory(): number;
  remove(): Promise<void>;
}

export const ZONE = { email: 'hostmaster@example.org' };
/** Quotas of a project that may have as many recordsets as it likes. */
export const MANY = { zone_recordsets: -1, zone_records: -1, recordset_records: -1 };

/** The id of a new zone. */
export async function makeZone(client: Client, name: string): Promise<string> {
  return (await expectSuccess(client, 'POST', '/v2/zones', { name, ...ZONE })).id;
}

function mostMemoryOf(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** Starts a service of the program. */
export async function openSite(
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<Site> {
  const probe = new Probe();
  const service = await startServiceProcess(
    environment,
    ['--max-old-space-size=512', ...probe.arguments],
    program,
  );
  // Also when the trial is ended from outside.
  const kill = () => void (isAlive() && process.kill(service.pid, 'SIGKILL'));
  process.once('exit', kill);
  const clients: Client[] = [];
  const tokens = new Map<string, string>();
  const token = (project: string): string => {
    const known = tokens.get(project) ?? service.token(project, 'member');
    tokens.set(project, known);
    return known;
  };
  const opened = (secret: string, connections: number): Client => {
    const client = connect(service.url, secret, connections);
    clients.push(client);
    return client;
  };
  const admin = opened(service.admin, 1);
  let memory = 0;
  const isAlive = (): boolean => {
    try {
      const one = mostMemoryOf(service.pid);
      // A process that has ended, and has not been waited for, has no memory.
      if (Number.isNaN(one)) return false;
      memory = one;
      return true;
    } catch {
      return false;
    }
  };
  return {
    service,
    program,
    probe,
    client: (project, connections = 1) => opened(token(project), connections),
    token,
    async allow(project, quotas) {
      await expectSuccess(admin, 'PATCH', `/v2/quotas/${project}`, quotas);
    },
    isAlive,
    mostMemory() {
      isAlive();
      return memory;
    },
    async remove() {
      for (const client of clients) client.close();
      process.off('exit', kill);
      // It may be at work that does not end.
      kill();
      await service.remove();
      probe.remove();
    },
  };
}
