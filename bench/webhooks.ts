/**
 * What dead receivers of webhooks cost requests: creates a second of a service with three of them (nobody listens, never answers,
 * answers 500) beside one without, in turns A B A B …, as a median of the ratios and their range.
 *
 *     npm run bench:webhooks [-- --pairs 11] [--seconds 2] [--connections 8] [--live]
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

/** Creates a second. */
async function rate(clients: readonly LeanClient[]): Promise<number> {
  let done = 0;
  const begun = performance.now();
  const end = begun + Number(options.seconds) * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.send('POST', '/v2/zones', `{"name":"zone-${names++}.example.","email":"a@example.org"}`);
        done += 1;
      }
    }),
  );
  return (1000 * done) / (performance.now() - begun);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

async function compare(services: readonly ServiceProcess[]): Promise<void> {
  const [withThem, without] = services.map((service) => {
    const token = service.token('tenant', 'member');
    return Array.from({ length: Number(options.connections) }, () => new LeanClient(service.url, token));
  });
  const ratios: number[] = [];
  const rates: number[] = [];
  // The first pair warms both up and is not counted.
  for (let pair = 0; pair <= Number(options.pairs); pair++) {
    const [a, b] = [await rate(withThem!), await rate(without!)];
    if (pair === 0) continue;
    ratios.push(a / b);
    rates.push(a);
  }
  for (const client of [...withThem!, ...without!]) client.close();
  const cells = [
    Math.round(median(rates)),
    ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(3)),
  ];
  console.log(
    '| creates a second with them | ratio, median | least | greatest | load |\n|---|---|---|---|---|',
  );
  console.log(`| ${cells.join(' | ')} | ${loadavg()[0]!.toFixed(1)} |`);
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
