/** The thread of `npm run trial -- malformed` that sends requests at a steady rate, so that the measuring thread is not held up. */
import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../../test/support/random.ts';
import { faultOf } from './campaign.ts';
import { malformedRequest, wellFormedRequest } from './generator.ts';
import type { Fixture } from './operations.ts';
import { Sender } from './sender.ts';

export interface FloodOptions {
  readonly url: string;
  readonly fixture: Fixture;
  readonly isMalformed: boolean;
  readonly seed: number;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

export interface Flooded {
  readonly sent: number;
  /** How late the last request was sent, in milliseconds: a flood that cannot keep up is not the flood that was asked for. */
  readonly late: number;
  readonly faults: readonly string[];
}

const { url, fixture, isMalformed, seed, rate, seconds } = workerData as FloodOptions;
const random = new Random(seed);
const make = isMalformed ? malformedRequest : wellFormedRequest;
const requests = Array.from({ length: rate * seconds }, () => make(fixture, random));

function flood(sender: Sender): Promise<Flooded> {
  const under: Promise<string | undefined>[] = [];
  const start = performance.now();
  const send = async (request: (typeof requests)[number]): Promise<string | undefined> => {
    const fault = faultOf(request, await sender.send(request));
    return fault && `${request.kind}: ${fault}`;
  };
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      const due = Math.min(requests.length, Math.floor(((performance.now() - start) / 1000) * rate) + 1);
      while (under.length < due) under.push(send(requests[under.length]!));
      if (under.length < requests.length) return;
      clearInterval(timer);
      const late = performance.now() - start - ((requests.length - 1) / rate) * 1000;
      Promise.all(under).then(
        (all) => resolve({ sent: under.length, late, faults: all.filter((fault) => fault !== undefined) }),
        reject,
      );
    }, 1);
  });
}

// Not before it is asked to: what comes first is the making of the requests.
parentPort!.once('message', async () => {
  const sender = new Sender(url);
  const flooded = await flood(sender);
  sender.close();
  parentPort!.postMessage(flooded);
});
parentPort!.postMessage('ready');
