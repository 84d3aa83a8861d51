/** Creates a second with and without publication to BIND, in turns, and how long BIND takes to catch up. */
import { startNameServer } from '../../test/support/name-servers/servers.ts';
import { LeanClient } from '../service/lean-client.ts';
import { Asker } from './asker.ts';
import { line, median, round, rows, spread } from './report.ts';
import { type Backend, openStage, type Stage } from './stage.ts';

const CONNECTIONS = 8;
const PATIENCE = 600_000;

interface Side {
  readonly clients: readonly LeanClient[];
  close(): void;
}

function sideOf({ service, token }: Stage): Side {
  const clients = Array.from({ length: CONNECTIONS }, () => new LeanClient(service.url, token));
  const close = () => {
    for (const client of clients) client.close();
  };
  return { clients, close };
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
  zones: number;
}

interface Turns {
  readonly plain: Side;
  readonly publishing: Side;
  readonly asker: Asker;
}

async function takeTurns(
  { plain, publishing, asker }: Turns,
  rounds: number,
  seconds: number,
): Promise<Rounds> {
  const taken: Rounds = { without: [], published: [], ratios: [], behindMs: [], zones: 0 };
  // The first round warms both up and is not counted.
  for (let number = 0; number <= rounds; number++) {
    const without = await create(plain, seconds);
    const published = await create(publishing, seconds);
    const ended = performance.now();
    await asker.untilAllAnswered(published.names, PATIENCE);
    taken.zones += published.names.length;
    if (number === 0) continue;
    taken.without.push(without.rate);
    taken.published.push(published.rate);
    taken.ratios.push(published.rate / without.rate);
    taken.behindMs.push(performance.now() - ended);
  }
  return taken;
}

function print({ without, published, ratios, behindMs, zones }: Rounds): void {
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
  line('throughput', {
    connections: CONNECTIONS,
    without: median(without, 0),
    published: median(published, 0),
    ratio: median(ratios, 3),
    ratios: ratios.map((ratio) => round(ratio, 3)),
    caught_up_s: seconds.map((value) => round(value, 2)),
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
    print(await takeTurns({ ...sides, asker }, rounds, seconds));
  } finally {
    sides.plain.close();
    sides.publishing.close();
    asker.close();
    await server.remove();
    for (const stage of stages) await stage.remove();
  }
}
