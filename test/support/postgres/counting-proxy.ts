import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** In milliseconds, for one try after the other. The shorter a try is, the less goes on beside it; a busy machine needs longer ones. */
const LATE_MS = [5, 10, 20, 40] as const;
const MOST_TRIES = 300;
const MOST_QUIET_CHECKS = 20;

/** What is done and counted, and what is done before it and not counted; both by the number of the try. */
export type Operation = [
  operation: (round: number) => Promise<void>,
  prepare?: (round: number) => Promise<void>,
];

/** Lets what the client sends through at once and keeps the answers back a while, so that a client who does not wait has sent all by then. */
export class CountingProxy {
  /** How often a connection sent something after all that it had sent before was answered. */
  #trips = 0;
  #lateMs: number = LATE_MS[0];
  #server!: Server;

  /** Starts it before the server of a connection string, and returns the one that leads through it. */
  async start(connection: string): Promise<string> {
    const url = new URL(connection);
    const { hostname, port } = url;
    this.#server = createServer((client) => this.#join(client, connect(Number(port), hostname)));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    url.host = `127.0.0.1:${(this.#server.address() as { port: number }).port}`;
    return url.href;
  }

  /**
   * The fewest round trips that one operation took, tried until it takes no more than `expected`.
   * What else the service reads, and what a busy machine sends late, only ever adds trips: one more than expected in every try is no accident.
   */
  async fewestTrips(expected: number, ...[operation, prepare]: Operation): Promise<number> {
    let fewest = Infinity;
    for (let round = 0; fewest > expected && round < MOST_TRIES; round++) {
      this.#lateMs = LATE_MS[round % LATE_MS.length]!;
      await prepare?.(round);
      await this.#quiet();
      this.#trips = 0;
      await operation(round);
      fewest = Math.min(fewest, this.#trips);
    }
    return fewest;
  }

  /** Waits until the service has done what its last answer left to do. */
  async #quiet(): Promise<void> {
    let before: number | undefined;
    for (let check = 0; before !== this.#trips && check < MOST_QUIET_CHECKS; check++) {
      before = this.#trips;
      await setTimeout(4 * this.#lateMs);
    }
  }

  stop(): void {
    this.#server.close();
  }

  #join(client: Socket, upstream: Socket): void {
    let answered = true;
    client.on('data', (bytes) => {
      if (answered) this.#trips++;
      answered = false;
      upstream.write(bytes);
    });
    upstream.on('data', async (bytes) => {
      await setTimeout(this.#lateMs);
      // What the client has sent by then is read first, also where this process was kept from it for longer than that.
      await setImmediate();
      answered = true;
      client.write(bytes);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      // Else a trip takes as long as an acknowledgement that is held back, and the service reads by itself during every try.
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }
}
