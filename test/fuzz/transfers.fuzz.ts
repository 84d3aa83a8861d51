import { parseArgs } from 'node:util';
import { TsigStreamVerifier } from '../../src/dns/wire/tsig.ts';
import { TransferFault } from '../../src/model/secondaries/secondary.ts';
import { readTransfer } from '../../src/publisher/secondary/read-transfer.ts';
import { Random } from '../support/random.ts';
import { type TransferCase, TransferCases } from './transfer-cases.ts';

/**
 * What reads the answers of masters, given valid ones and ones with faults in their records, messages and octets:
 * `npm run fuzz -- transfers --seed 1 --answers 1000000`. Each must be read, or be a TransferFault with one sentence. Ends with
 * status 1 if anything else was thrown, and shows the messages. The answer that took
 * most of the processor is shown too, and the memory.
 */

const PROGRESS = 100_000;
const MAX_SHOWN = 10;
const MAX_SHOWN_REASONS = 60;
const BOUNDS = { maxRecords: 60, maxDifferenceBytes: 12_000 };
const SENTENCE = /^[A-Z].{10,400}[.?]$/su;

class Campaign {
  readonly #outcomes = new Map<string, number>();
  readonly #reasons = new Map<string, number>();
  #faults = 0;
  #slowestMs = 0;
  #slowest = '';
  #highest = 0;

  async try(one: TransferCase): Promise<void> {
    const before = process.cpuUsage();
    try {
      this.#count(this.#outcomes, await outcomeOf(one));
    } catch (error) {
      if (error instanceof TransferFault && SENTENCE.test(error.message)) this.#refused(error.message);
      else this.#fault(one, error);
    }
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1000;
    if (took <= this.#slowestMs) return;
    this.#slowestMs = took;
    this.#slowest = one.messages.map((message) => message.toString('hex')).join(' ');
  }

  noteMemory(): number {
    const megabytes = process.memoryUsage().heapUsed / 2 ** 20;
    this.#highest = Math.max(this.#highest, megabytes);
    return megabytes;
  }

  /** How many faults there are. */
  tell(): number {
    const told = [...this.#outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
    console.log(`${told}, ${this.#faults} faults; slowest ${this.#slowestMs.toFixed(1)} ms of the processor`);
    console.log(`  ${this.#slowest.slice(0, 160)}`);
    console.log(`at most ${this.#highest.toFixed(0)} MB of heap`);
    const reasons = [...this.#reasons].sort(([, a], [, b]) => b - a).slice(0, MAX_SHOWN_REASONS);
    for (const [reason, count] of reasons) console.log(`${String(count).padStart(8)} ${reason}`);
    return this.#faults;
  }

  #refused(reason: string): void {
    this.#count(this.#outcomes, 'refused');
    this.#count(this.#reasons, reason.replace(/sends \S+ [A-Z0-9]+\b/, 'sends …').replaceAll(/\d+/g, 'N'));
  }

  #fault({ messages }: TransferCase, error: unknown): void {
    this.#faults += 1;
    if (this.#faults > MAX_SHOWN) return;
    console.log(`fault: ${messages.map((message) => message.toString('hex')).join(' ')}`);
    console.log(`  ${error instanceof Error ? error.stack : error}`);
  }

  #count(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
}

async function* arriving(messages: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* messages;
}

/** What the answer is read as. @throws TransferFault */
async function outcomeOf(one: TransferCase): Promise<string> {
  const { id, question, serial, key } = one;
  const verifier = key && new TsigStreamVerifier(key, one.requestMac);
  const asked = { id, question, serial, verifier };
  const transfer = await readTransfer(arriving(one.messages), asked, BOUNDS);
  if (transfer.kind === 'whole') {
    for await (const page of transfer.records)
      if (page.length === 0) throw new Error('a page has no records');
  }
  if (verifier !== undefined && transfer.kind !== 'current' && !verifier.isCovered) {
    throw new Error('what was read is not signed');
  }
  return transfer.kind;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      answers: { type: 'string', default: '100000' },
    },
  });
  console.log(`seed ${values.seed}`);
  const cases = new TransferCases(new Random(Number(values.seed)));
  const campaign = new Campaign();
  const answers = Number(values.answers);
  for (let count = 1; count <= answers; count += 1) {
    await campaign.try(cases.next(Math.floor(Date.now() / 1000)));
    if (count % PROGRESS !== 0) continue;
    const megabytes = campaign.noteMemory();
    if (count < answers) console.log(`${count} answers, ${megabytes.toFixed(0)} MB of heap`);
  }
  return campaign.tell();
}

process.exitCode = (await main()) === 0 ? 0 : 1;
