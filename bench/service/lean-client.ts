import { connect, type Socket } from 'node:net';

/**
 * One HTTP connection that costs its side little: the load shares the machine with what it measures. It reads answers
 * that have a Content-Length, as the service's have, and sends one request at a time.
 */
export class LeanClient {
  readonly #socket: Socket;
  readonly #head: string;
  #received = '';
  #answered: (answer: { status: number; body: string }) => void = () => {};
  #failed: (error: Error) => void = () => {};

  constructor(url: string, token: string) {
    const { hostname, port, host } = new URL(url);
    this.#head = `host: ${host}\r\nx-auth-token: ${token}\r\ncontent-type: application/json\r\n`;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    // The service sends ASCII alone in these answers, so that characters are bytes.
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('close', () => this.#failed(new Error('The service has ended the connection.')));
  }

  /** Returns the body of a success; throws for anything else. */
  async send(method: string, path: string, body = ''): Promise<string> {
    const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\n${this.#head}content-length: ${body.length}\r\n\r\n${body}`,
    );
    const { status, body: text } = await answer;
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    return text;
  }

  close(): void {
    this.#failed = () => {};
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = this.#received.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    const whole = end + 4 + length;
    if (this.#received.length < whole) return;
    const body = this.#received.slice(end + 4, whole);
    this.#received = this.#received.slice(whole);
    this.#answered({ status: Number(head.slice(9, 12)), body });
  }
}
