/** A thread that sends UPDATE messages with many in flight until it is told to stop, and then says how many it sent. */
import { setTimeout } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { RCODE } from '../../src/dns/wire/codes.ts';
import type { Address } from '../../test/support/dns-client.ts';
import { type KeyedZone, Updater } from './updater.ts';

const IN_FLIGHT = 64;
/** The pause of a sender after a refusal, in milliseconds. */
const PAUSE_MS = 10;

interface FloodWork {
  readonly primary: Address;
  readonly zone: KeyedZone;
}

export interface FloodCounts {
  readonly sent: number;
  readonly applied: number;
}

async function flood({ primary, zone }: FloodWork): Promise<FloodCounts> {
  let isOver = false;
  parentPort!.once('message', () => {
    isOver = true;
  });
  let sent = 0;
  let applied = 0;
  const send = async (): Promise<void> => {
    const updater = await Updater.open(primary, 0);
    while (!isOver) {
      sent += 1;
      const record = `192.0.${(sent >> 8) % 250}.${sent % 250}`;
      const rcode = await updater.replace(zone, sent, record);
      if (rcode === RCODE.NOERROR) applied += 1;
      else await setTimeout(PAUSE_MS);
    }
    updater.close();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, send));
  return { sent, applied };
}

/** Does the work beside a flood from one address. */
export async function besideFlood<T>(
  primary: Address,
  zone: KeyedZone,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly flood: FloodCounts }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { primary, zone } });
  const ended = new Promise<FloodCounts>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const done = await work();
  worker.postMessage('stop');
  return { done, flood: await ended };
}

if (parentPort !== null && workerData !== null) parentPort.postMessage(await flood(workerData));
