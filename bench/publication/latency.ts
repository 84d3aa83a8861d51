/** From the answer to a `POST` to the answer of the name server, zone by zone, at so many creates a second. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect, expectSuccess } from '../../test/support/client.ts';
import { quantile } from '../../test/support/figures.ts';
import { type Brand, startNameServer } from '../../test/support/name-servers/servers.ts';
import { Asker } from './asker.ts';
import { line, round, rows } from './report.ts';
import { type Backend, openStage, type Stage } from './stage.ts';

const BRANDS: readonly Brand[] = ['BIND', 'Knot'];
const A_SECOND = 20;
const WARM_UP = 40;
const CONNECTIONS = 8;

/** The milliseconds of each of so many zones. */
async function createAtRate(stage: Stage, asker: Asker, zones: number, prefix: string): Promise<number[]> {
  const client = connect(stage.service.url, stage.token, CONNECTIONS);
  const times: number[] = [];
  const create = async (number: number) => {
    const name = `${prefix}-${number}.example.`;
    await expectSuccess(client, 'POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
    const begun = performance.now();
    times.push((await asker.untilAnswered(name)) - begun);
  };
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  for (let number = 0; number < zones; number++) {
    await delay(Math.max(0, begun + (number * 1000) / A_SECOND - performance.now()));
    pending.push(create(number));
  }
  await Promise.all(pending);
  client.close();
  return times;
}

async function measure(backend: Backend, brand: Brand, zones: number): Promise<number[]> {
  const stage = await openStage(backend);
  const server = await startNameServer(brand, stage.known);
  const asker = await Asker.open(server.port);
  try {
    stage.applyPool([server]);
    await createAtRate(stage, asker, WARM_UP, 'warm-up');
    return await createAtRate(stage, asker, zones, 'zone');
  } finally {
    asker.close();
    await server.remove();
    await stage.remove();
  }
}

/** One server alone after the other. */
export async function latency(backend: Backend, zones: number): Promise<void> {
  const measured = [];
  for (const brand of BRANDS) {
    const times = await measure(backend, brand, zones);
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => round(quantile(times, share)));
    measured.push({ server: brand, zones, p50_ms: p50!, p99_ms: p99!, most_ms: most! });
  }
  rows(measured);
  line('latency', { a_second: A_SECOND, servers: measured });
}
