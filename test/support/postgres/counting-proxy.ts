import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const LATE_MS = 30;
const TRIES = 18;
/** In how many of the tries something happens that is no accident. */
const USUAL_TRIES = 15;
/** A prepared statement, or the text of another one. */
const STATEMENT = /zw_[\w-]{22}|(?:begin|select|with|insert|update|delete)\b[^\0]*/g;

const statementsOf = (trip: readonly Buffer[]): readonly string[] =>
  Buffer.concat(trip).toString('latin1').match(STATEMENT) ?? ['other'];

/** The trip in which each statement was sent, counted from 0. One that is sent again is another statement. */
function tripOfEach(trips: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const tripOf = new Map<string, number>();
  for (const [trip, statements] of trips.entries()) {
    for (const statement of new Set(statements)) {
      const time = (times.get(statement) ?? 0) + 1;
      times.set(statement, time);
      tripOf.set(`${statement} ${time}`, trip);
    }
  }
  return tripOf;
}

/** The length of the longest chain of statements each of which comes in a later trip than the one before it, in most tries. */
function longestChain(tries: readonly ReadonlyMap<string, number>[]): number {
  const isUsual = (holds: (tripOf: ReadonlyMap<string, number>) => boolean) =>
    tries.filter(holds).length >= USUAL_TRIES;
  const usual = [...new Set(tries.flatMap((tripOf) => [...tripOf.keys()]))].filter((statement) =>
    tries.every((tripOf) => tripOf.has(statement)),
  );
  const waitsFor = (statement: string) =>
    usual.filter((other) => isUsual((tripOf) => tripOf.get(other)! < tripOf.get(statement)!));
  const lengths = new Map<string, number>();
  const lengthOf = (statement: string): number => {
    const known = lengths.get(statement);
    if (known !== undefined) return known;
    // So that a circle, which chance could make of four statements, ends.
    lengths.set(statement, 0);
    const length = 1 + Math.max(0, ...waitsFor(statement).map(lengthOf));
    lengths.set(statement, length);
    return length;
  };
  return Math.max(...usual.map(lengthOf));
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
   * The trips of one operation: the longest chain of statements that each come in a later trip than the one before, in most of several tries.
   * A service also reads by itself now and then, but not during every try; and a busy machine sometimes sends late what waits for nothing.
   */
  async tripsOf(operation: (round: number) => Promise<void>): Promise<number> {
    const tries: ReadonlyMap<string, number>[] = [];
    for (let round = 0; round < TRIES; round++) {
      this.#trips = [];
      await operation(round);
      tries.push(tripOfEach(this.#trips.map(statementsOf)));
    }
    return longestChain(tries);
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
