import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const LATE_MS = 30;
const TRIES = 15;

/** Lets what the client sends through at once and keeps the answers back a while, so that a client who does not wait has sent all by then. */
export class CountingProxy {
  /** How often something was sent after an answer had come. */
  trips = 0;
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

  /** The trips of one operation: the fewest of several tries, since a service also reads by itself now and then. */
  async tripsOf(operation: (round: number) => Promise<void>): Promise<number> {
    let fewest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < TRIES; round++) {
      this.trips = 0;
      await operation(round);
      fewest = Math.min(fewest, this.trips);
    }
    return fewest;
  }

  stop(): void {
    this.#server.close();
  }

  #join(client: Socket, upstream: Socket): void {
    let answered = true;
    client.on('data', (bytes) => {
      if (answered) this.trips++;
      answered = false;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      setTimeout(() => {
        answered = true;
        client.write(bytes);
      }, LATE_MS);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }
}
