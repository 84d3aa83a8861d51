import { createHash } from 'node:crypto';
import pg from 'pg';
import type { RoundTrip, Statement } from './statements.ts';

const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
const names = new Map<string, string>();

function prepared({ text, values }: Statement): pg.QueryConfig {
  const name = names.get(text) ?? nameOf(text);
  names.set(text, name);
  return { name, text, values: values as unknown[] };
}

/** Nothing but the driver: what a create costs on the database and on the wire. */
export class BareClient {
  readonly #connections: pg.Client[] = [];
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async open(count: number): Promise<void> {
    for (let opened = 0; opened < count; opened++) {
      const client = new pg.Client({ connectionString: this.#url, pipeline: true });
      // A statement that fails with its connection tells of it. This would end the process, and hide why it all ended.
      client.on('error', () => {});
      await client.connect();
      this.#connections.push(client);
    }
  }

  /** Runs the creates that it is given, each on a connection that is free, and returns the time each took, in milliseconds. */
  async run(creates: Iterator<readonly RoundTrip[]>, seconds: number): Promise<number[]> {
    const latencies: number[] = [];
    const end = performance.now() + seconds * 1000;
    const worker = async (client: pg.Client): Promise<void> => {
      for (let begun = performance.now(); begun < end; ) {
        const next = creates.next();
        if (next.done) return;
        for (const trip of next.value)
          await Promise.all(trip.map((statement) => client.query(prepared(statement))));
        const now = performance.now();
        latencies.push(now - begun);
        begun = now;
      }
    };
    await Promise.all(this.#connections.map(worker));
    return latencies;
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((client) => client.end()));
  }
}
