import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from './fake.ts';

/** A proxy before a Keystone: it counts questions, and goes wrong where it is told to. */
export class Front {
  readonly #server: Server;
  readonly #target: string;
  /** The questions about tokens. */
  validations = 0;
  fault: Fault | undefined;
  /** While true, questions wait for `release`. */
  isHolding = false;
  readonly #held: (() => void)[] = [];

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((incoming, response) => this.#pass(incoming, response));
  }

  static async before(target: string): Promise<Front> {
    const front = new Front(target);
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** How many questions wait. */
  get held(): number {
    return this.#held.length;
  }

  release(): void {
    this.isHolding = false;
    for (const go of this.#held.splice(0)) go();
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url } = incoming;
    if (method === 'GET' && url?.startsWith('/v3/auth/tokens')) this.validations += 1;
    if (this.fault !== undefined) this.fault(response, incoming);
    else if (this.isHolding) this.#held.push(() => this.#forward(incoming, response));
    else this.#forward(incoming, response);
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = incoming;
    const outgoing = request(`${this.#target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // Keystone is away: so is this.
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  }
}
