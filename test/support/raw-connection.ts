import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { until } from './eventually.ts';

/** A connection of a client that sends what it likes, from an address of its choice. */
export class RawConnection {
  readonly socket: Socket;
  #received = '';
  #isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
    });
  }

  /** @param localAddress such as 127.0.0.2: all of 127.0.0.0/8 is this machine */
  static async open(url: string, localAddress = '127.0.0.1'): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const opened = new RawConnection(connect({ host: hostname, port: Number(port), localAddress }));
    await once(opened.socket, 'connect');
    return opened;
  }

  /** All that has come. */
  get received(): string {
    return this.#received;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The statuses of the answers so far. */
  get statuses(): number[] {
    return [...this.#received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Sends a head, which ends with an empty line. */
  writeHead(method: string, path: string, headers: Readonly<Record<string, string | number>>): void {
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    this.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  /** Waits for so many answers, and returns the last status. */
  async answered(count = 1): Promise<number> {
    await until(() => expect(this.statuses.length).toBeGreaterThanOrEqual(count));
    return this.statuses[count - 1]!;
  }

  closed(): Promise<void> {
    return until(() => expect(this.isClosed).toBe(true));
  }
}
