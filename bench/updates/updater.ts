import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeHeader } from '../../src/dns/encoding/header.ts';
import { RCODE } from '../../src/dns/wire/codes.ts';
import { signMessage, type TsigSecret } from '../../src/dns/wire/tsig.ts';
import type { Address } from '../../test/support/dns-client.ts';
import { add, removeSet, updateOctets } from '../../test/support/updates.ts';

const TTL = 300;

/** A zone with some names in it, and a key for it. */
export interface KeyedZone {
  readonly name: string;
  readonly names: readonly string[];
  readonly key: TsigSecret;
}

/** Sends UPDATE messages by UDP, one after another, from an address of 127/8 of its own. */
export class Updater {
  readonly #to: Address;
  readonly #socket: Socket;
  #id = 0;

  private constructor(to: Address, socket: Socket) {
    this.#to = to;
    this.#socket = socket;
  }

  /** @param place gives it its address: the service limits updates by address */
  static async open(to: Address, place: number): Promise<Updater> {
    const socket = createSocket('udp4');
    socket.bind(0, `127.0.${1 + (place >> 8)}.${1 + (place & 127)}`);
    await once(socket, 'listening');
    return new Updater(to, socket);
  }

  /** Gives a name another record. @returns the RCODE */
  async replace({ name: zone, names, key }: KeyedZone, turn: number, record: string): Promise<number> {
    this.#id = (this.#id + 1) % 65_536;
    const name = names[turn % names.length]!;
    const updates = [removeSet(name, 'A'), add(name, 'A', TTL, record)];
    const plain = updateOctets({ zone, updates, id: this.#id });
    const { message } = signMessage(plain, key, { time: Math.floor(Date.now() / 1000) });
    const answered = once(this.#socket, 'message');
    this.#socket.send(message, this.#to.port, this.#to.host);
    const [answer] = (await answered) as [Buffer];
    return decodeHeader(answer)!.rcode;
  }

  /** The same; throws for any RCODE but NOERROR. */
  async mustReplace(zone: KeyedZone, turn: number, record: string): Promise<void> {
    const rcode = await this.replace(zone, turn, record);
    if (rcode !== RCODE.NOERROR) throw new Error(`An UPDATE was answered RCODE ${rcode}.`);
  }

  close(): void {
    this.#socket.close();
  }
}
