import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import { randomId } from './dns-query.ts';
import { type Build, type DnsResponse, NO_ANSWER, systemFault } from './dns-response.ts';
import { timed } from './with-timeout.ts';

/** Lifetime of a socket, in milliseconds. Its successor uses another source port and a new lookup of the host name. */
const SOCKET_AGE = 60_000;

/** A socket connected to one server: the system delivers only messages from that address and port. */
class ServerSocket {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: Buffer) => void>();
  #fault: string = NO_ANSWER;
  #isRetired = false;
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (answer) => {
      if (answer.length > 1) this.#waiting.get(answer.readUInt16BE(0))?.(answer);
    });
    socket.on('error', (error) => {
      this.#fault = systemFault(error);
    });
  }

  /** @throws the system's error */
  static async open({ host, port }: ServerAddress): Promise<ServerSocket> {
    const { address, family } = await lookup(host);
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.connect(port, address, resolve);
      });
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.removeAllListeners('error');
    return new ServerSocket(socket);
  }

  /** Sends a query and returns the response, waiting at most `ms` milliseconds. */
  async ask(build: Build, ms: number, signal: AbortSignal): Promise<DnsResponse> {
    if (this.#isClosed) return { message: undefined, fault: NO_ANSWER };
    const asked = build(this.#freeId());
    let rejected: string | undefined;
    try {
      const answer = await timed<DnsResponse>(ms, signal, (done) => {
        this.#waiting.set(asked.id, (answer) => {
          const read = asked.read(answer);
          if (read.isAnswer) done({ message: read.message, fault: undefined, isProven: read.isProven });
          else rejected = read.why;
        });
        this.#send(asked.bytes);
      });
      if (answer === undefined) return { message: undefined, fault: rejected ?? this.#fault };
      this.#fault = NO_ANSWER;
      return answer;
    } finally {
      this.#waiting.delete(asked.id);
      this.#closeIfDone();
    }
  }

  /** Closes the socket once no query waits for a response. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfDone();
  }

  /** Ends quickly: there are far fewer queries in flight than ids. */
  #freeId(): number {
    let id = randomId();
    while (this.#waiting.has(id)) id = randomId();
    return id;
  }

  #send(bytes: Buffer): void {
    this.#socket.send(bytes, (error) => {
      if (error !== null) this.#fault = systemFault(error);
    });
  }

  #closeIfDone(): void {
    if (!this.#isRetired || this.#isClosed || this.#waiting.size > 0) return;
    this.#isClosed = true;
    this.#socket.close();
  }
}

interface OpenSocket {
  readonly since: number;
  readonly socket: Promise<ServerSocket>;
}

/** Sends queries over UDP, with one socket per server that is replaced every minute. */
export class UdpClient {
  readonly #entries = new Map<string, OpenSocket>();

  async ask(server: ServerAddress, build: Build, ms: number, signal: AbortSignal): Promise<DnsResponse> {
    let socket: ServerSocket;
    try {
      socket = await this.#socketFor(server);
    } catch (error) {
      this.#retire(formatAddress(server));
      return { message: undefined, fault: systemFault(error as NodeJS.ErrnoException) };
    }
    return socket.ask(build, ms, signal);
  }

  close(): void {
    for (const address of this.#entries.keys()) this.#retire(address);
  }

  #socketFor(server: ServerAddress): Promise<ServerSocket> {
    const now = performance.now();
    const address = formatAddress(server);
    const known = this.#entries.get(address);
    if (known !== undefined && now - known.since < SOCKET_AGE) return known.socket;
    for (const [other, { since }] of this.#entries) if (now - since >= SOCKET_AGE) this.#retire(other);
    const socket = ServerSocket.open(server);
    this.#entries.set(address, { since: now, socket });
    return socket;
  }

  #retire(address: string): void {
    const entry = this.#entries.get(address);
    this.#entries.delete(address);
    entry?.socket.then(
      (socket) => socket.retire(),
      () => {},
    );
  }
}
