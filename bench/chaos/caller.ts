import { setTimeout as sleep } from 'node:timers/promises';
import { type Request, send } from './client.ts';
import type { Dice } from './dice.ts';
import type { Ledger } from './ledger.ts';
import type { Member } from './members.ts';

/** What one operation came to, over all its attempts. */
export interface Outcome {
  /** The last attempt's answer; undefined when there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: the load looks into whatever came back
  readonly answer: { readonly status: number; readonly json: any } | undefined;
  /** Attempts that may have been done, or may yet be, beside the one that was answered. */
  readonly unknown: number;
  /** When the first attempt was sent. */
  readonly first: number;
  /** When the last attempt was sent, and when it ended. */
  readonly begin: number;
  readonly end: number;
}

type Asked = Omit<Request, 'timeoutMs'>;

/** How long a client waits that waits for as long as the service may take, in milliseconds. */
const PATIENCE_MS = 20_000;
const MOST_ATTEMPTS = 6;
const PAUSE_MS = 20;

/** A client: it keeps to one process until that fails it, and then goes to another. */
export class Caller {
  readonly dice: Dice;
  readonly #members: readonly Member[];
  readonly #ledger: Ledger;
  #at: number;

  constructor(members: readonly Member[], ledger: Ledger, dice: Dice) {
    this.#members = members;
    this.#ledger = ledger;
    this.dice = dice;
    this.#at = dice.int(0, members.length - 1);
  }

  /** Goes to the process after its own, for an operation that is to meet another one. */
  moveFrom(other: Caller): void {
    this.#at = (other.#at + 1) % this.#members.length;
  }

  #moveOn(): void {
    this.#at = (this.#at + this.dice.int(1, Math.max(1, this.#members.length - 1))) % this.#members.length;
  }

  #requireInTime(member: Member, begin: number, timeoutMs: number, about: string): void {
    if (timeoutMs < PATIENCE_MS || !member.ranSince(begin)) return;
    this.#ledger.fault('not answered in time', `process ${member.index}, sent at ${begin}: ${about}`);
  }

  /** One attempt. */
  async #attempt(asked: Asked, timeoutMs: number) {
    const member = this.#members[this.#at]!;
    const begin = this.#ledger.now();
    const sent = await send(member, { ...asked, timeoutMs });
    const end = this.#ledger.now();
    const about = `${asked.method} ${asked.path}`;
    if (sent.kind === 'answered') this.#ledger.slowest = Math.max(this.#ledger.slowest, end - begin);
    if (sent.kind !== 'unreached') {
      const what = sent.kind === 'answered' ? sent.status : sent.why;
      this.#ledger.looked('not answered in time');
      this.#ledger.write({ asked: about, body: asked.body, process: member.index, begin, what });
    }
    if (sent.kind === 'unknown' && sent.why === 'time-out')
      this.#requireInTime(member, begin, timeoutMs, about);
    if (sent.kind === 'unknown' && sent.isWrong)
      this.#ledger.fault('unexpected answer', `${about}: ${sent.why}`);
    return { sent, begin, end };
  }

  /** Asks until somebody answers or patience ends; tries again elsewhere after most failures. */
  ask(asked: Asked): Promise<Outcome> {
    const timeoutMs = this.dice.chance(0.3) ? this.dice.int(100, 1500) : PATIENCE_MS;
    return this.#ask(asked, timeoutMs, MOST_ATTEMPTS);
  }

  async #ask(asked: Asked, timeoutMs: number, mostAttempts: number): Promise<Outcome> {
    let unknown = 0;
    let first: number | undefined;
    for (;;) {
      const { sent, begin, end } = await this.#attempt(asked, timeoutMs);
      if (sent.kind === 'answered') return { answer: sent, unknown, first: first ?? begin, begin, end };
      this.#moveOn();
      if (sent.kind === 'unknown') {
        first ??= begin;
        unknown++;
        const isOver = unknown >= mostAttempts || this.dice.chance(0.2);
        if (isOver) return { answer: undefined, unknown, first, begin, end };
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Asks until there is an answer, when nothing is in the way of one. */
  async require(asked: Asked) {
    for (let attempt = 0; ; attempt++) {
      const { answer } = await this.#ask(asked, PATIENCE_MS, 1);
      if (answer !== undefined) return answer;
      if (attempt === 20) throw new Error(`${asked.method} ${asked.path} is not answered, with all in order`);
    }
  }
}
