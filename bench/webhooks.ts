/**
 * What dead receivers of webhooks cost requests: creates a second of a service with three of them (nobody listens, never answers,
 * answers 500) beside one without, in turns, as a median of the ratios and their range; and the same for a tick of the processor time of
 * the service, which does not depend on who else uses the machine.
 *
 *     npm run bench -- webhooks [--pairs 11] [--seconds 2] [--connections 8] [--live]
 *
 * `--live` has three receivers that take every event instead.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answering, startReceiver, type TestReceiver, taking } from '../test/support/receiver.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { LeanClient } from './service/lean-client.ts';
import { ticksOf } from './support/processor-time.ts';

const { values: options } = parseArgs({
  options: {
    pairs: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '8' },
    live: { type: 'boolean', default: false },
  },
});
const WITHOUT_QUOTA = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };

async function startReceivers(): Promise<readonly TestReceiver[]> {
  const receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  if (options.live) return receivers;
  const [gone, silent, broken] = receivers;
  await gone.kill();
  silent.manner = () => {};
  broken.manner = answering(500);
  return receivers;
}

function sections(receivers: readonly TestReceiver[], secret: string): Record<string, string> {
  const all = receivers.flatMap(({ url }, place) => {
    const prefix = `ZONEWARDEN_WEBHOOK_R${place}__`;
    return [
      [`${prefix}URL`, url],
      [`${prefix}SECRET_FILE`, secret],
      [`${prefix}ALLOW_PRIVATE`, 'true'],
    ];
  });
  return Object.fromEntries(all);
}

let names = 0;

interface Side {
  readonly pid: number;
  readonly clients: readonly LeanClient[];
}

/** Creates in a second, and in a tick of the processor time of the service. */
async function rate({ pid, clients }: Side): Promise<{ second: number; tick: number }> {
  let done = 0;
  const begun = performance.now();
  const ticks = ticksOf(pid);
  const end = begun + Number(options.seconds) * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.send('POST', '/v2/zones', `{"name":"zone-${names++}.example.","email":"a@example.org"}`);
        done += 1;
      }
    }),
  );
  const second = (1000 * done) / (performance.now() - begun);
  return { second, tick: done / Math.max(1, ticksOf(pid) - ticks) };
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, median, greatest] = [0, sorted.length >> 1, sorted.length - 1].map((at) =>
    sorted[at]!.toFixed(3),
  );
  return `${median} | ${least} to ${greatest}`;
}

async function compare(services: readonly ServiceProcess[]): Promise<void> {
  const sides = services.map((service): Side => {
    const token = service.token('tenant', 'member');
    const clients = Array.from(
      { length: Number(options.connections) },
      () => new LeanClient(service.url, token),
    );
    return { pid: service.pid, clients };
  });
  const [withThem, without] = [sides[0]!, sides[1]!];
  const seconds: number[] = [];
  const ticks: number[] = [];
  const rates: number[] = [];
  // The first pair warms both up and is not counted. Who begins takes turns.
  for (let pair = 0; pair <= Number(options.pairs); pair++) {
    const isFirst = pair % 2 === 0;
    const [one, other] = [await rate(isFirst ? withThem : without), await rate(isFirst ? without : withThem)];
    const [a, b] = isFirst ? [one, other] : [other, one];
    if (pair === 0) continue;
    seconds.push(a.second / b.second);
    ticks.push(a.tick / b.tick);
    rates.push(a.second);
  }
  for (const client of sides.flatMap(({ clients }) => clients)) client.close();
  const middle = Math.round(rates.sort((a, b) => a - b)[rates.length >> 1]!);
  console.log('| creates a second with them | ratio | from, to | by processor time | from, to | load |');
  console.log('|---|---|---|---|---|---|');
  console.log(`| ${middle} | ${summary(seconds)} | ${summary(ticks)} | ${loadavg()[0]!.toFixed(1)} |`);
}

const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
const secret = join(folder, 'secret');
writeFileSync(secret, `whsec_${Buffer.alloc(32, 1).toString('base64')}\n`);
const receivers = await startReceivers();
const services: ServiceProcess[] = [];
try {
  services.push(await startServiceProcess({ ...WITHOUT_QUOTA, ...sections(receivers, secret) }));
  services.push(await startServiceProcess(WITHOUT_QUOTA));
  await compare(services);
  const heard = receivers.map((receiver) => receiver.heard.length);
  console.log(`requests that the receivers heard: ${heard.join(', ')}`);
} finally {
  for (const service of services) await service.remove();
  for (const receiver of receivers) {
    receiver.manner = taking;
    await receiver.kill();
  }
  rmSync(folder, { recursive: true, force: true });
}
