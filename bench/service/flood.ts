import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../../test/support/service-process.ts';
import { type Creating, creating, repeat } from './load.ts';
import { SECONDS, WARM_UP } from './options.ts';
import { print } from './table.ts';
import type { Tenants } from './tenants.ts';

const FLOODING_CONNECTIONS = 64;
const SECOND_MS = 1000;
/** What the steady tenant creates at least, whatever the seconds. Of so few, the p99 is the longest. */
const FEWEST_CREATES = 10;

/** Creates one zone a second; returns the time each took, in milliseconds. */
async function createSteadily({ clients: [client], create }: Creating): Promise<number[]> {
  const latencies: number[] = [];
  while (latencies.length < Math.max(FEWEST_CREATES, SECONDS)) {
    const begun = performance.now();
    await create(client!);
    const taken = performance.now() - begun;
    latencies.push(taken);
    await sleep(Math.max(0, SECOND_MS - taken));
  }
  return latencies;
}

/** The same while every client of a flood creates without pause; also the times of the flood, once it has warmed up. */
async function createAmid(flood: Creating, steady: Creating) {
  let isOver = false;
  let isWarm = false;
  const flooded: number[] = [];
  const create = async (client: (typeof flood.clients)[number]): Promise<void> => {
    const begun = performance.now();
    await flood.create(client);
    if (isWarm && !isOver) flooded.push(performance.now() - begun);
  };
  const createOnceWarm = async () => {
    try {
      await sleep(WARM_UP * SECOND_MS);
      isWarm = true;
      const begun = performance.now();
      const latencies = await createSteadily(steady);
      return { latencies, seconds: (performance.now() - begun) / SECOND_MS };
    } finally {
      isOver = true;
    }
  };
  const [steadily] = await Promise.all([createOnceWarm(), repeat(flood, () => isOver, create)]);
  return { ...steadily, flooded };
}

/** What a tenant who creates one zone a second waits, alone and while another one creates without pause. */
export async function measureFlood(
  store: string,
  services: readonly ServiceProcess[],
  tenants: Tenants,
): Promise<void> {
  const flood = creating(services, [tenants.flooding], FLOODING_CONNECTIONS);
  const steady = creating(services, [tenants.steady], 1);
  const subject = { store, tenants: 1, connections: 1 };
  // The first create of a connection and of a tenant does more.
  await steady.create(steady.clients[0]!);
  const alone = await createSteadily(steady);
  const { latencies, seconds, flooded } = await createAmid(flood, steady);
  print({ ...subject, what: 'create one zone a second, alone' }, alone, seconds);
  print({ ...subject, what: 'create one zone a second, beside a flood' }, latencies, seconds);
  print({ ...subject, what: 'the flood', connections: FLOODING_CONNECTIONS }, flooded, seconds);
  flood.close();
  steady.close();
}
