import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort, listen } from '../free-port.ts';

/** A way to a database that can be disturbed. All it does holds for the connections there are and for new ones. */
export interface DatabaseProxy {
  readonly port: number;
  /** How many connections lead through it. */
  readonly connections: number;
  /** The same connection string, but leading through the proxy. */
  through(url: string): string;
  /**
   * Loses silently whatever is sent, both ways, the end of a connection included; a new connection hangs. Those that
   * lost something are reset by `heal`.
   */
  cut(): void;
  /** Keeps back whatever is sent, both ways, until `heal`, as a network does that is away for a moment. */
  hold(): void;
  /** Resets the connections there are and refuses new ones. */
  refuse(): Promise<void>;
  /** Lets every answer come later by a time in milliseconds. */
  delay(ms: number): void;
  /** Resets the connections there are; new ones go through. */
  reset(): void;
  /** Ends whatever it does to the traffic. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

type State = 'open' | 'cut' | 'held' | 'refused';
type Deliver = () => void;

/** One connection of a client, and its continuation to the database. */
interface Link {
  readonly ends: Socket[];
  hasLost: boolean;
  /** What waits for `heal`. */
  held: Deliver[];
  /** Answers that wait for their time. */
  readonly late: Deliver[];
}

/** Starts a proxy on a free port of 127.0.0.1 before a port there. */
export async function startProxy(upstreamPort: number): Promise<DatabaseProxy> {
  let state: State = 'open';
  let delayMs = 0;
  const links = new Set<Link>();

  const pass = (link: Link, deliver: Deliver): void => {
    if (state === 'cut') link.hasLost = true;
    else if (state === 'held') link.held.push(deliver);
    else deliver();
  };
  const passLater = (link: Link, deliver: Deliver): void => {
    if (delayMs === 0 && link.late.length === 0) {
      pass(link, deliver);
      return;
    }
    link.late.push(deliver);
    // Each time that is over delivers the oldest: answers keep their order when the delay changes.
    setTimeout(() => pass(link, link.late.shift()!), delayMs);
  };
  const forward = (link: Link, from: Socket, to: Socket, send: typeof pass): void => {
    from.setNoDelay(true);
    from.on('data', (bytes) => send(link, () => void to.write(bytes)));
    from.on('end', () => send(link, () => void to.end()));
    from.on('error', () => send(link, () => void to.resetAndDestroy()));
    from.on('close', () => {
      if (link.ends.every((end) => end.destroyed)) links.delete(link);
    });
  };
  const resetLink = (link: Link): void => {
    links.delete(link);
    for (const end of link.ends) end.resetAndDestroy();
  };

  const server = createServer((client) => {
    const link: Link = { ends: [client], hasLost: false, held: [], late: [] };
    links.add(link);
    if (state === 'cut') {
      link.hasLost = true;
      client.on('error', () => {});
      client.resume();
      return;
    }
    const upstream = connect(upstreamPort, '127.0.0.1');
    link.ends.push(upstream);
    forward(link, client, upstream, pass);
    forward(link, upstream, client, passLater);
  });
  const port = await freePort();
  await listen(server, port);

  const reset = () => links.forEach(resetLink);
  const stopListening = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    reset();
    await closed;
  };
  return {
    port,
    get connections() {
      return links.size;
    },
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${port}`;
      return changed.href;
    },
    cut: () => {
      state = 'cut';
    },
    hold: () => {
      state = 'held';
    },
    async refuse() {
      if (state !== 'refused') await stopListening();
      state = 'refused';
    },
    delay: (ms) => {
      delayMs = ms;
    },
    reset,
    async heal() {
      if (state === 'refused') await listen(server, port);
      state = 'open';
      delayMs = 0;
      for (const link of links) {
        if (link.hasLost) resetLink(link);
        const { held } = link;
        link.held = [];
        for (const deliver of held) deliver();
      }
    },
    async close() {
      if (server.listening) await stopListening();
    },
  };
}
