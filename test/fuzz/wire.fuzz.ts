import { parseArgs } from 'node:util';
import { FormError, WireReader } from '../../src/dns/encoding/reader.ts';
import { WireWriter } from '../../src/dns/encoding/writer.ts';
import { decodeMessage, decodeQuery } from '../../src/dns/wire/message.ts';
import { decodeRdata, encodeRdata } from '../../src/dns/wire/rdata.ts';
import { verifyMessage } from '../../src/dns/wire/tsig.ts';
import { Random } from '../support/random.ts';
import { KEYS, messageCase, NOW, rdataCase } from './wire-cases.ts';

/**
 * What reads messages, given valid ones, ones with faults, and octets at random: `npm run fuzz -- wire --seed 1 --messages 1000000`.
 * Each must be read, or be a FormError; TSIG has a verdict about each. Ends with status 1 if anything else was thrown, and
 * shows the octets. The slowest are shown too: nothing here may take longer than its length deserves.
 */

/** After so many messages it says how far it is. */
const PROGRESS = 100_000;
const MAX_SHOWN = 10;
const MAX_RECORDS = 1000;

interface Tally {
  read: number;
  refused: number;
  faults: number;
  slowestMs: number;
  slowest: string;
}

type Reader = (octets: Buffer) => unknown;

const MESSAGE_READERS: readonly (readonly [string, Reader])[] = [
  ['decodeQuery', decodeQuery],
  ['decodeMessage', (octets) => decodeMessage(octets, { maxRecords: MAX_RECORDS })],
];

/** A verdict is never thrown. */
function verify(octets: Buffer): void {
  const findKey = (name: string) => KEYS.find((key) => key.name === name);
  const verdict = verifyMessage(octets, findKey, { now: NOW });
  if (!verdict.ok) throw new FormError(verdict.error);
}

class Campaign {
  readonly #tallies = new Map<string, Tally>();

  #tally(name: string): Tally {
    const known = this.#tallies.get(name);
    if (known !== undefined) return known;
    const tally = { read: 0, refused: 0, faults: 0, slowestMs: 0, slowest: '' };
    this.#tallies.set(name, tally);
    return tally;
  }

  try(name: string, octets: Buffer, read: Reader): void {
    const tally = this.#tally(name);
    const before = performance.now();
    try {
      read(octets);
      tally.read += 1;
    } catch (error) {
      if (error instanceof FormError) tally.refused += 1;
      else this.#fault(name, octets, error);
    }
    const took = performance.now() - before;
    if (took <= tally.slowestMs) return;
    tally.slowestMs = took;
    tally.slowest = octets.toString('hex');
  }

  #fault(name: string, octets: Buffer, error: unknown): void {
    const tally = this.#tally(name);
    tally.faults += 1;
    if (tally.faults > MAX_SHOWN) return;
    console.log(
      `fault in ${name}: ${octets.toString('hex')}\n  ${error instanceof Error ? error.stack : error}`,
    );
  }

  /** How many faults there are. */
  tell(): number {
    let faults = 0;
    for (const [name, tally] of this.#tallies) {
      faults += tally.faults;
      const { read, refused, slowestMs, slowest } = tally;
      console.log(
        `${name}: ${read} read, ${refused} refused, ${tally.faults} faults; slowest ${slowestMs.toFixed(1)} ms`,
      );
      console.log(`  ${slowest.slice(0, 160)}`);
    }
    return faults;
  }
}

function tryOne(campaign: Campaign, random: Random): void {
  const message = messageCase(random);
  for (const [name, read] of MESSAGE_READERS) campaign.try(name, message, read);
  campaign.try('verifyMessage', message, verify);
  const { type, octets } = rdataCase(random, (record) => {
    const writer = new WireWriter();
    encodeRdata(writer, record.type, record.rdata, { compress: false });
    return writer.toBuffer();
  });
  campaign.try('decodeRdata', octets, () => decodeRdata(new WireReader(octets), type, octets.length));
}

function main(): number {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      messages: { type: 'string', default: '100000' },
    },
  });
  console.log(`seed ${values.seed}`);
  const random = new Random(Number(values.seed));
  const campaign = new Campaign();
  const messages = Number(values.messages);
  for (let count = 1; count <= messages; count += 1) {
    tryOne(campaign, random);
    if (count % PROGRESS === 0 && count < messages) console.log(`${count} messages`);
  }
  return campaign.tell();
}

process.exitCode = main() === 0 ? 0 : 1;
