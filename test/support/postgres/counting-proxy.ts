import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const LATE_MS = 30;
const TRIES = 12;
/** What tells one trip from another: the first prepared statement in it, or else the first text of a statement. */
const STATEMENT = /zw_[\w-]{22}|(?:begin|select|with|insert|update|delete)\b[^\0]*/;

function nameOf(trip: readonly Buffer[]): string {
  const [name] = STATEMENT.exec(Buffer.concat(trip).toString('latin1')) ?? ['other'];
  return name;
}

/** How often each name is there. */
function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Lets what the client sends through at once and keeps the answers back a while, so that a client who does not wait has sent all by then. */
export class CountingProxy {
  /** What was sent after an answer had come, and before the next one came. */
  #trips: Buffer[][] = [];
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
   * The trips of one operation: those that each of several tries has. A service also reads by itself now and then, but not
   * always the same during every try.
   */
  async tripsOf(operation: (round: number) => Promise<void>): Promise<number> {
    const tries: Map<string, number>[] = [];
    for (let round = 0; round < TRIES; round++) {
      this.#trips = [];
      await operation(round);
      tries.push(countsOf(this.#trips.map(nameOf)));
    }
    const fewest = (name: string) => Math.min(...tries.map((one) => one.get(name) ?? 0));
    return [...tries[0]!.keys()].reduce((trips, name) => trips + fewest(name), 0);
  }

  stop(): void {
    this.#server.close();
  }

  #join(client: Socket, upstream: Socket): void {
    let answered = true;
    let trip: Buffer[] = [];
    client.on('data', (bytes) => {
      if (answered) {
        trip = [];
        this.#trips.push(trip);
      }
      answered = false;
      trip.push(bytes);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      // What the client has sent by then is read first, also where this process was kept from it for longer than that.
      setTimeout(setImmediate, LATE_MS, () => {
        answered = true;
        client.write(bytes);
      });
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
