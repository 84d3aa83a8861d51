import type { ServiceProcess } from '../../test/support/service-process.ts';
import { LeanClient } from './lean-client.ts';
import type { Tenant } from './tenants.ts';

/** Clients of one connection each, which take turns over the processes and over the tenants. */
interface Load {
  readonly clients: readonly LeanClient[];
  close(): void;
}

/** A load, and the zones that each of its clients has created. */
export interface Creating extends Load {
  readonly made: ReadonlyMap<LeanClient, string[]>;
  create(client: LeanClient): Promise<void>;
}

function loadOf(services: readonly ServiceProcess[], tenants: readonly Tenant[], connections: number): Load {
  const clients = Array.from(
    { length: connections },
    (_, place) =>
      new LeanClient(services[place % services.length]!.url, tenants[place % tenants.length]!.token),
  );
  const close = () => {
    for (const client of clients) client.close();
  };
  return { clients, close };
}

/** Does something again and again on every client until it is over; returns the time each took, in milliseconds. */
export async function repeat(
  { clients }: Load,
  isOver: (now: number) => boolean,
  work: (client: LeanClient) => Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = [];
  await Promise.all(
    clients.map(async (client) => {
      for (let begun = performance.now(); !isOver(begun); ) {
        await work(client);
        const now = performance.now();
        latencies.push(now - begun);
        begun = now;
      }
    }),
  );
  return latencies;
}

/** The same for some seconds. */
export function measure(
  load: Load,
  seconds: number,
  work: (client: LeanClient) => Promise<unknown>,
): Promise<number[]> {
  const end = performance.now() + seconds * 1000;
  return repeat(load, (now) => now >= end, work);
}

let drawn = 0;

/** A name that no zone has. */
export function freshName(): string {
  return `zone-${drawn++}.example.`;
}

export function creating(
  services: readonly ServiceProcess[],
  tenants: readonly Tenant[],
  connections: number,
): Creating {
  const load = loadOf(services, tenants, connections);
  const made = new Map<LeanClient, string[]>(load.clients.map((client) => [client, []]));
  const create = async (client: LeanClient) => {
    const body = `{"name":"${freshName()}","email":"hostmaster@example.org"}`;
    made.get(client)!.push(JSON.parse(await client.send('POST', '/v2/zones', body)).id);
  };
  return { ...load, made, create };
}
