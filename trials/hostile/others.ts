/**
 * The requests of another project, in a thread of its own, so that what the attacker does with large bodies delays none of
 * them: every 20 ms a read (a zone and the list of zones in turn), and with every second one a create.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { connect } from '../../test/support/client.ts';

/** Milliseconds between two reads. */
const ASKED_EVERY = 20;
const CONNECTIONS = 256;
/** How long the last answers are waited for, in milliseconds. */
const PATIENCE = 2000;

export interface Other {
  readonly url: string;
  readonly token: string;
  /** The id of a zone to be read. */
  readonly zone: string;
}

/** Milliseconds that requests took; those without an answer count with the time that they have waited. */
export interface Seen {
  readonly reads: number[];
  readonly creates: number[];
  /** How many were answered other than by success, or not at all. */
  failed: number;
}

function ask({ url, token, zone }: Other): void {
  // Each kind has connections of its own: creates may wait for an import, and reads must not wait behind them here.
  const clients = { reads: connect(url, token, CONNECTIONS), creates: connect(url, token, CONNECTIONS) };
  const waiting = new Map<number, { readonly kind: 'reads' | 'creates'; readonly sent: number }>();
  let seen: Seen = { reads: [], creates: [], failed: 0 };
  let number = 0;
  let timer: NodeJS.Timeout | undefined;

  async function send(kind: 'reads' | 'creates', method: string, path: string, body?: object): Promise<void> {
    const [own, sent, into] = [++number, performance.now(), seen];
    waiting.set(own, { kind, sent });
    const status = await clients[kind].send(method, path, body).then(
      (answer) => answer.status,
      () => 0,
    );
    // Those of the round before have been counted.
    if (!waiting.delete(own)) return;
    into[kind].push(performance.now() - sent);
    if (status === 0 || status >= 300) into.failed += 1;
  }

  let ticks = 0;
  function tick(): void {
    ticks += 1;
    void send('reads', 'GET', ticks % 2 === 0 ? `/v2/zones/${zone}` : '/v2/zones');
    if (ticks % 2 === 1) return;
    const created = { name: `other-${ticks}.example.`, email: 'hostmaster@example.org' };
    void send('creates', 'POST', '/v2/zones', created);
  }

  function begin(): void {
    const began = performance.now();
    let due = 0;
    // A steady rate, whatever the answers take.
    timer = setInterval(() => {
      for (; due * ASKED_EVERY <= performance.now() - began; due += 1) tick();
    }, 2);
  }

  async function end(): Promise<void> {
    clearInterval(timer);
    for (let waited = 0; waiting.size > 0 && waited < PATIENCE; waited += 20) await sleep(20);
    for (const { kind, sent } of waiting.values()) {
      seen[kind].push(performance.now() - sent);
      seen.failed += 1;
    }
    waiting.clear();
    parentPort!.postMessage(seen);
    seen = { reads: [], creates: [], failed: 0 };
  }

  parentPort!.on('message', (order: 'begin' | 'end') => {
    if (order === 'begin') begin();
    else void end();
  });
}

if (!isMainThread) ask(workerData);

/** Asks from now on; the function that is returned ends it. */
export class Others {
  readonly #thread: Worker;

  constructor(other: Other) {
    this.#thread = new Worker(new URL(import.meta.url), { workerData: other });
  }

  /** Asks while the work goes on. */
  async askDuring(work: () => Promise<unknown>): Promise<Seen> {
    this.#thread.postMessage('begin');
    await work();
    this.#thread.postMessage('end');
    const [seen] = await once(this.#thread, 'message');
    return seen;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
