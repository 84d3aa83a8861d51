/** Questions by UDP to a name server, which cost this side little. */
import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as delay } from 'node:timers/promises';
import { TYPE } from '../../src/dns/record-types.ts';
import { CLASS } from '../../src/dns/wire/codes.ts';
import { decodeMessage, encodeMessage } from '../../src/dns/wire/message.ts';
import { soaSerial } from '../../src/dns/wire/soa.ts';

/** Between two questions about one zone, in milliseconds. */
const PAUSE = 1;
/** After it a question counts as not answered. */
const PATIENCE = 500;
/** A zone that is not answered for after this time is a failure of the measurement. */
const LONGEST = 120_000;
const AT_ONCE = 200;
const MAX_RECORDS = 100;

function questionFor(id: number, name: string): Buffer {
  const flags = { qr: false, aa: false, tc: false, rd: false, ra: false, ad: false, cd: false };
  return encodeMessage({
    header: { id, opcode: 0, rcode: 0, ...flags },
    questions: [{ name, type: TYPE.SOA, class: CLASS.IN }],
    answers: [],
    authority: [],
    additional: [],
  });
}

function serialIn(answer: Buffer, name: string): number | undefined {
  const { header, answers } = decodeMessage(answer, { maxRecords: MAX_RECORDS });
  const soa = answers.find((record) => record.type === TYPE.SOA && record.name === name);
  return header.aa && soa !== undefined ? soaSerial(soa.rdata) : undefined;
}

export class Asker {
  readonly #socket: Socket = createSocket('udp4');
  readonly #waiting = new Map<number, (answer: Buffer | undefined) => void>();
  #nextId = 0;

  private constructor() {
    this.#socket.on('message', (answer) => this.#waiting.get(answer.readUInt16BE(0))?.(answer));
    this.#socket.on('error', () => {});
  }

  static async open(port: number): Promise<Asker> {
    const asker = new Asker();
    await new Promise<void>((resolve) => asker.#socket.connect(port, '127.0.0.1', resolve));
    return asker;
  }

  close(): void {
    this.#socket.close();
  }

  /** The serial that the server has of a zone; undefined if it has none, or does not answer. */
  async serialOf(name: string): Promise<number | undefined> {
    const id = this.#nextId++ & 0xffff;
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<Buffer | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), PATIENCE);
      this.#waiting.set(id, resolve);
      this.#socket.send(questionFor(id, name));
    });
    clearTimeout(timer);
    this.#waiting.delete(id);
    return answer && serialIn(answer, name);
  }

  /** Asks every millisecond or so until the server has the zone: then, by `performance.now()`. */
  async untilAnswered(name: string): Promise<number> {
    const end = performance.now() + LONGEST;
    while ((await this.serialOf(name)) === undefined) {
      if (performance.now() > end) throw new Error(`The server does not answer for ${name}.`);
      await delay(PAUSE);
    }
    return performance.now();
  }

  /** The serials of many zones, each asked for three times at most. */
  async serialsOf(names: readonly string[]): Promise<Map<string, number>> {
    const serials = new Map<string, number>();
    for (let start = 0; start < names.length; start += AT_ONCE) {
      let open = names.slice(start, start + AT_ONCE);
      for (let tries = 0; tries < 3 && open.length > 0; tries++) {
        await Promise.all(
          open.map(async (name) => {
            const serial = await this.serialOf(name);
            if (serial !== undefined) serials.set(name, serial);
          }),
        );
        open = open.filter((name) => !serials.has(name));
      }
    }
    return serials;
  }

  /**
   * Waits until the server has all of the zones. It follows the server through them, and asks again for the first ones that are
   * missing, so that the questions stay few.
   */
  async untilAllAnswered(names: readonly string[], patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    for (let start = 0; start < names.length; start += AT_ONCE) {
      let open = names.slice(start, start + AT_ONCE);
      while (open.length > 0) {
        const serials = await Promise.all(open.map((name) => this.serialOf(name)));
        open = open.filter((_, place) => serials[place] === undefined);
        if (open.length > 0 && performance.now() > end) {
          throw new Error(`The server has not got ${open.slice(0, 5).join(' ')} and others.`);
        }
        if (open.length > 0) await delay(20);
      }
    }
  }
}
