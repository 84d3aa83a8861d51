/** Creates a second with and without publication to BIND, in turns, and how long BIND takes to catch up. */
import { startNameServer } from '../../test/support/name-servers/servers.ts';
import { LeanClient } from '../service/lean-client.ts';
import { Asker } from './asker.ts';
import { processorSeconds } from './processes.ts';
import { line, median, round, rows, spread } from './report.ts';
import { type Backend, openStage, type Stage } from './stage.ts';

const CONNECTIONS = 8;
const PATIENCE = 600_000;

interface Side {
  readonly pid: number;
  readonly clients: readonly LeanClient[];
  close(): void;
}

function sideOf({ service, token }: Stage): Side {
  const clients = Array.from({ length: CONNECTIONS }, () => new LeanClient(service.url, token));
  const close = () => {
    for (const client of clients) client.close();
  };
  return { pid: service.pid, clients, close };
}

let drawn = 0;

/** Creates for so many seconds: the names, and how many it was a second. */
async function create({ clients }: Side, seconds: number): Promise<{ names: string[]; rate: number }> {
  const names: string[] = [];
  const begun = performance.now();
  const end = begun + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const name = `zone-${drawn++}.example.`;
        await client.send('POST', '/v2/zones', `{"name":"${name}","email":"hostmaster@example.org"}`);
        names.push(name);
      }
    }),
  );
  return { names, rate: (names.length * 1000) / (performance.now() - begun) };
}

interface Rounds {
  readonly without: number[];
  readonly published: number[];
  readonly ratios: number[];
  /** From the end of the creates until BIND has all. */
  readonly behindMs: number[];
  /** Milliseconds of a processor for each zone, until it is published. */
  readonly costs: { readonly plain: number[]; readonly publishing: number[]; readonly named: number[] };
  zones: number;
}

interface Turns {
  readonly plain: Side;
  readonly publishing: Side;
  readonly asker: Asker;
  /** The process of BIND. */
  readonly named: number;
}

/** What a process has taken since it was asked the last time, in milliseconds. */
function meterOf(pid: number): () => number {
  let last = processorSeconds(pid);
  return () => {
    const before = last;
    last = processorSeconds(pid);
    return (last - before) * 1000;
  };
}

async function takeTurns(
  { plain, publishing, asker, named }: Turns,
  rounds: number,
  seconds: number,
): Promise<Rounds> {
  const taken: Rounds = {
    without: [],
    published: [],
    ratios: [],
    behindMs: [],
    costs: { plain: [], publishing: [], named: [] },
    zones: 0,
  };
  const meters = { plain: meterOf(plain.pid), publishing: meterOf(publishing.pid), named: meterOf(named) };
  // The first round warms both up and is not counted.
  for (let number = 0; number <= rounds; number++) {
    for (const meter of Object.values(meters)) meter();
    const without = await create(plain, seconds);
    const plainMs = meters.plain();
    const published = await create(publishing, seconds);
    const ended = performance.now();
    await asker.untilAllAnswered(published.names, PATIENCE);
    taken.zones += published.names.length;
    if (number === 0) continue;
    taken.costs.plain.push(plainMs / without.names.length);
    taken.costs.publishing.push(meters.publishing() / published.names.length);
    taken.costs.named.push(meters.named() / published.names.length);
    taken.without.push(without.rate);
    taken.published.push(published.rate);
    taken.ratios.push(published.rate / without.rate);
    taken.behindMs.push(performance.now() - ended);
  }
  return taken;
}

function print({ without, published, ratios, behindMs, costs, zones }: Rounds): void {
  const cost = {
    without: median(costs.plain, 2),
    published: median(costs.publishing, 2),
    named: median(costs.named, 2),
  };
  const seconds = behindMs.map((ms) => ms / 1000);
  rows([
    {
      'without, a second': median(without, 0),
      'with BIND, a second': median(published, 0),
      'ratio, median (range)': spread(ratios),
      'caught up after, s': spread(seconds),
      'zones in the end': zones,
    },
  ]);
  rows([
    {
      'processor time of a zone': 'ms',
      'the service without': cost.without,
      'with BIND': cost.published,
      named: cost.named,
    },
  ]);
  line('throughput', {
    connections: CONNECTIONS,
    without: median(without, 0),
    published: median(published, 0),
    ratio: median(ratios, 3),
    ratios: ratios.map((ratio) => round(ratio, 3)),
    caught_up_s: seconds.map((value) => round(value, 2)),
    processor_ms_a_zone: cost,
    zones,
  });
}

export async function throughput(backend: Backend, rounds: number, seconds: number): Promise<void> {
  const stages = [await openStage(backend), await openStage(backend)] as const;
  const [plain, publishing] = stages;
  const server = await startNameServer('BIND', publishing.known);
  const asker = await Asker.open(server.port);
  const sides = { plain: sideOf(plain), publishing: sideOf(publishing) };
  try {
    publishing.applyPool([server]);
    print(await takeTurns({ ...sides, asker, named: server.pid }, rounds, seconds));
  } finally {
    sides.plain.close();
    sides.publishing.close();
    asker.close();
    await server.remove();
    for (const stage of stages) await stage.remove();
  }
}
