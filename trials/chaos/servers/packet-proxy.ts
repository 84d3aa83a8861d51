import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort, listen } from '../../../test/support/free-port.ts';
import type { Dice } from '../dice.ts';

/** Makes another answer of a datagram that answers a question; undefined leaves it as it is. */
export type Forge = (question: Buffer, answer: Buffer) => Buffer | undefined;

/** What happens on the way. Probabilities from 0 to 1. */
interface Weather {
  readonly loss: number;
  readonly doubling: number;
  /** For each piece that comes over a connection: that the connection is reset. */
  readonly reset: number;
  readonly isLying: boolean;
}

const FAIR: Weather = { loss: 0, doubling: 0, reset: 0, isLying: false };
/** A datagram's copy comes so much later, at most, in milliseconds. */
const LATEST_COPY_MS = 300;
/** Answers find their way back for so long, in milliseconds. */
const REMEMBERED_MS = 5000;
const HOST = '127.0.0.1';

/** What one client sends leaves by one socket. */
interface Flow {
  readonly socket: Datagrams;
  /** The last question under each id. */
  readonly questions: Map<number, Buffer>;
  end: NodeJS.Timeout;
}

/** A way by UDP and TCP to a port of this machine, on which packets are lost and doubled, and connections reset. */
export class PacketProxy {
  readonly port: number;
  readonly #upstream: number;
  readonly #dice: Dice;
  readonly #forge: Forge;
  readonly #datagrams: Datagrams;
  readonly #server: Server;
  readonly #flows = new Map<string, Flow>();
  readonly #connections = new Set<Socket>();
  #weather = FAIR;

  private constructor(port: number, to: { upstream: number; dice: Dice; forge: Forge }) {
    this.port = port;
    this.#upstream = to.upstream;
    this.#dice = to.dice;
    this.#forge = to.forge;
    this.#datagrams = createSocket('udp4');
    this.#datagrams.on('message', (message, from) => {
      this.#pass(() => this.#send(message, from));
    });
    this.#server = createServer((client) => this.#join(client));
  }

  static async open(to: { upstream: number; dice: Dice; forge?: Forge }): Promise<PacketProxy> {
    const proxy = new PacketProxy(await freePort(), { forge: () => undefined, ...to });
    proxy.#datagrams.bind(proxy.port, HOST);
    await once(proxy.#datagrams, 'listening');
    await listen(proxy.#server, proxy.port);
    return proxy;
  }

  /** Loses and doubles datagrams, and resets connections, at random. */
  storm(): void {
    this.#weather = { ...FAIR, loss: 0.3, doubling: 0.2, reset: 0.1 };
  }

  /** Loses every datagram, and resets every connection. */
  cut(): void {
    this.#weather = { ...FAIR, loss: 1, reset: 1 };
    for (const socket of this.#connections) socket.resetAndDestroy();
  }

  /** Puts forged answers in the place of those that come by UDP. */
  lie(): void {
    this.#weather = { ...FAIR, isLying: true };
  }

  heal(): void {
    this.#weather = FAIR;
  }

  close(): void {
    this.#datagrams.close();
    this.#server.close();
    for (const socket of this.#connections) socket.destroy();
    for (const { socket, end } of this.#flows.values()) {
      clearTimeout(end);
      socket.close();
    }
  }

  /** Delivers once, never, or twice. */
  #pass(deliver: () => void): void {
    const { loss, doubling } = this.#weather;
    if (this.#dice.chance(loss)) return;
    deliver();
    if (this.#dice.chance(doubling)) setTimeout(deliver, this.#dice.int(0, LATEST_COPY_MS)).unref();
  }

  #send(message: Buffer, from: { address: string; port: number }): void {
    const name = `${from.address} ${from.port}`;
    const flow = this.#flows.get(name) ?? this.#open(name, from);
    flow.end.refresh();
    if (message.length >= 2) flow.questions.set(message.readUInt16BE(0), message);
    flow.socket.send(message, this.#upstream, HOST, () => {});
  }

  #open(name: string, from: { address: string; port: number }): Flow {
    const socket = createSocket('udp4');
    const close = () => {
      socket.close();
      this.#flows.delete(name);
    };
    const flow: Flow = { socket, questions: new Map(), end: setTimeout(close, REMEMBERED_MS) };
    socket.on('error', () => {});
    socket.on('message', (answer) => {
      this.#pass(() => this.#datagrams.send(this.#told(flow, answer), from.port, from.address, () => {}));
    });
    this.#flows.set(name, flow);
    return flow;
  }

  #told({ questions }: Flow, answer: Buffer): Buffer {
    const question = answer.length < 2 ? undefined : questions.get(answer.readUInt16BE(0));
    if (!this.#weather.isLying || question === undefined) return answer;
    return this.#forge(question, answer) ?? answer;
  }

  /** A connection to where nobody listens is accepted and reset: BIND leaves a primary that refuses connections alone for a while. */
  #join(client: Socket): void {
    const upstream = connect(this.#upstream, HOST);
    const ends = [client, upstream];
    const reset = () => {
      for (const end of ends) if (!end.destroyed) end.resetAndDestroy();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#connections.add(from);
      from.on('error', reset);
      from.on('close', () => {
        this.#connections.delete(from);
        // What is destroyed without an end, as by the end of its process, ends the other side the same way.
        if (!from.readableEnded) reset();
      });
      from.on('data', (piece) => {
        if (this.#dice.chance(this.#weather.reset)) reset();
        else to.write(piece);
      });
      from.on('end', () => to.end());
    }
  }
}
