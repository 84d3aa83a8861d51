import { connect, type Socket } from 'node:net';
import { AnswerReader, type RawAnswer } from './answers.ts';
import type { Malformed } from './generator.ts';

/** What came of one request. */
export interface Outcome {
  readonly answers: readonly RawAnswer[];
  /** How it ended where no answer came, or bytes that are none. */
  readonly end: 'answered' | 'closed' | 'reset' | 'no answer in time' | 'no HTTP';
}

/** How long a connection may take, in milliseconds: well above the time in which a request must have arrived. */
const PATIENCE = 20_000;
const PAUSE = 20;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Sends bytes to a service, over connections that it keeps where they are good for another request. */
export class Sender {
  readonly #port: number;
  readonly #host: string;
  readonly #idle: Socket[] = [];

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  close(): void {
    for (const socket of this.#idle.splice(0)) socket.destroy();
  }

  #take(): Socket {
    for (let socket = this.#idle.pop(); socket !== undefined; socket = this.#idle.pop()) {
      if (socket.writable && !socket.readableEnded) return socket;
    }
    const socket = connect({ port: this.#port, host: this.#host, allowHalfOpen: true, noDelay: true });
    // Whoever uses it listens too; between uses nothing else does.
    socket.on('error', () => socket.destroy());
    return socket;
  }

  async send(request: Malformed): Promise<Outcome> {
    const socket = request.ending === 'next' ? this.#take() : this.#fresh();
    const outcome = this.#read(socket, request);
    for (const [place, piece] of request.pieces.entries()) {
      if (place > 0) await pause();
      if (socket.writable) socket.write(piece);
    }
    if (request.ending === 'half-close') socket.end();
    if (request.ending === 'reset') socket.write('', () => socket.resetAndDestroy());
    return outcome;
  }

  #fresh(): Socket {
    const socket = connect({ port: this.#port, host: this.#host, allowHalfOpen: true, noDelay: true });
    socket.on('error', () => socket.destroy());
    return socket;
  }

  #read(socket: Socket, { ending, answers = 1, pieces }: Malformed): Promise<Outcome> {
    const reader = new AnswerReader(pieces[0]!.toString('latin1', 0, 4) === 'HEAD');
    return new Promise((resolve) => {
      const late = setTimeout(() => finish('no answer in time'), PATIENCE);
      const finish = (end: Outcome['end']): void => {
        clearTimeout(late);
        socket.off('data', onData).off('end', onEnd).off('close', onClose);
        if (end === 'answered' && ending === 'next' && reader.keepsConnection) this.#idle.push(socket);
        else socket.destroy();
        resolve({ answers: reader.answers, end });
      };
      const onData = (bytes: Buffer): void => {
        reader.take(bytes);
        if (reader.isBroken) finish('no HTTP');
        else if (reader.answers.length < answers) return;
        else if (ending === 'next') finish('answered');
        // Nothing may follow, but for more answers.
        else socket.end();
      };
      const onEnd = (): void => finish(reader.answers.length > 0 ? 'answered' : 'closed');
      const onClose = (hadError: boolean): void => {
        const without = hadError ? 'reset' : 'closed';
        finish(reader.answers.length > 0 ? 'answered' : without);
      };
      socket.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }
}
