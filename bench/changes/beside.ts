/** What creates of one project wait beside dry runs of another, in turns with creates alone. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { quantile } from '../../test/support/figures.ts';
import type { ServiceProcess } from '../../test/support/service-process.ts';
import { LeanClient } from '../service/lean-client.ts';
import { mainThreadTimeOf } from '../support/processor-time.ts';

const ROUNDS = 5;
const CHANGES = 1000;

/** Where dry runs are sent. */
interface DryRuns {
  readonly url: string;
  readonly token: string;
  readonly zoneId: string;
  readonly zoneName: string;
}

/** What creates took, in milliseconds. */
interface Waits {
  readonly passed: number[];
  /** Processor time of the service's main thread, which other programs of the machine do not change. */
  readonly processor: number[];
}

/** Sends dry runs, one after another, until it is told to end. */
async function sendDryRuns({ url, token, zoneId, zoneName }: DryRuns): Promise<void> {
  const changes = Array.from({ length: CHANGES }, (_, place) => {
    return { action: 'upsert', name: `new-${place}.${zoneName}`, type: 'A', records: ['192.0.2.1'] };
  });
  const body = JSON.stringify({ changes, dry_run: true });
  const client = new LeanClient(url, token);
  let isOver = false;
  let done = 0;
  parentPort!.once('message', () => {
    isOver = true;
  });
  for (; !isOver; done++) await client.send('POST', `/v2/zones/${zoneId}/changes`, body);
  client.close();
  parentPort!.postMessage(done);
}

// Their answers are large: in this thread, they would delay the creates.
if (!isMainThread) void sendDryRuns(workerData);

let created = 0;

async function createFor(ms: number, service: ServiceProcess, token: string, waits: Waits): Promise<void> {
  const client = new LeanClient(service.url, token);
  for (const end = performance.now() + ms; performance.now() < end; created++) {
    const [begun, before] = [performance.now(), mainThreadTimeOf(service.pid)];
    await client.send('POST', '/v2/zones', `{"name":"beside-${created}.example.","email":"a@example.org"}`);
    waits.passed.push(performance.now() - begun);
    waits.processor.push(mainThreadTimeOf(service.pid) - before);
  }
  client.close();
}

function p99Of(alone: readonly number[], beside: readonly number[]): string {
  const [one, other] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  return `${one.toFixed(1)} ms (p99) alone and ${other.toFixed(1)} ms beside them, ${(other / one).toFixed(2)} times`;
}

/** @param token of the project that creates zones */
export async function measureBeside(
  store: string,
  service: ServiceProcess,
  dryRuns: Omit<DryRuns, 'url'>,
  { token, seconds }: { readonly token: string; readonly seconds: number },
): Promise<void> {
  const alone: Waits = { passed: [], processor: [] };
  const beside: Waits = { passed: [], processor: [] };
  const ms = (1000 * seconds) / ROUNDS;
  const { zoneId, zoneName } = dryRuns;
  const data: DryRuns = { url: service.url, token: dryRuns.token, zoneId, zoneName };
  let done = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await createFor(ms, service, token, alone);
    const thread = new Worker(new URL(import.meta.url), { workerData: data });
    await once(thread, 'online');
    await createFor(ms, service, token, beside);
    thread.postMessage('end');
    const [count] = await once(thread, 'message');
    done += count;
    await thread.terminate();
  }
  console.log(`\n${store}: beside ${done} dry runs of ${CHANGES} changes, one after another:`);
  console.log(`- creates wait ${p99Of(alone.passed, beside.passed)};`);
  console.log(`- meanwhile the main thread works ${p99Of(alone.processor, beside.processor)}.\n`);
}
