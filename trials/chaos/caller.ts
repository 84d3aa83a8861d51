import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Request, type Sent, send } from './client.ts';
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
  /** All attempts had one Idempotency-Key: together they do it once, however late one of them comes. */
  readonly isKeyed: boolean;
  /** When the first attempt was sent. */
  readonly first: number;
  /** When the last attempt was sent, and when it ended. */
  readonly begin: number;
  readonly end: number;
}

type Asked = Omit<Request, 'timeoutMs'>;

interface Way {
  readonly timeoutMs: number;
  readonly mostAttempts: number;
  readonly key?: string;
}

/** How long a client waits that waits for as long as the service may take, in milliseconds. */
const PATIENCE_MS = 20_000;
const MAX_ATTEMPTS = 6;
const PAUSE_MS = 30;
/** How long it may take until somebody serves again, in milliseconds. */
const RECOVERY_MS = 120_000;

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
    const what = sent.kind === 'answered' ? sent.status : sent.why;
    // 503 is an answer, too.
    if (/^\d/.test(String(what))) this.#ledger.slowest = Math.max(this.#ledger.slowest, end - begin);
    if (what !== 'ECONNREFUSED') {
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
  async ask(asked: Asked): Promise<Outcome> {
    const timeoutMs = this.dice.chance(0.3) ? this.dice.int(100, 1500) : PATIENCE_MS;
    const way = { timeoutMs, mostAttempts: MAX_ATTEMPTS };
    if (asked.method !== 'POST' || this.dice.chance(0.5)) return this.#ask(asked, way);
    const key = randomUUID();
    const outcome = await this.#ask(asked, { ...way, key });
    if (outcome.answer !== undefined && this.dice.chance(0.1))
      await this.#askAgain(asked, key, outcome.answer);
    return outcome;
  }

  /** A success is given again as it was, by any process. */
  async #askAgain(asked: Asked, key: string, first: NonNullable<Outcome['answer']>): Promise<void> {
    if (first.status >= 300) return;
    this.#moveOn();
    const { answer } = await this.#ask(asked, { timeoutMs: PATIENCE_MS, mostAttempts: 1, key });
    if (answer === undefined) return;
    this.#ledger.require('replay differs', isDeepStrictEqual(answer.json, first.json), () => {
      const about = `${asked.method} ${asked.path} under the key ${key}`;
      return `${about}: ${JSON.stringify(first)}, then ${JSON.stringify(answer)}`;
    });
  }

  async #ask(asked: Asked, { timeoutMs, mostAttempts, key }: Way): Promise<Outcome> {
    const started = this.#ledger.now();
    const isKeyed = key !== undefined;
    const keyed = isKeyed ? { ...asked, headers: { ...asked.headers, 'idempotency-key': key } } : asked;
    let unknown = 0;
    let first: number | undefined;
    for (;;) {
      const { sent, begin, end } = await this.#attempt(keyed, timeoutMs);
      const times = { first: first ?? begin, begin, end };
      if (sent.kind === 'answered') return { answer: sent, unknown, isKeyed, ...times };
      this.#moveOn();
      if (sent.kind === 'unknown') {
        first ??= begin;
        unknown++;
      }
      if (this.#isOver(sent, unknown, mostAttempts) || this.#isLost(started, sent)) {
        return { answer: undefined, unknown, isKeyed, ...times };
      }
      await sleep(PAUSE_MS);
    }
  }

  #isOver({ kind }: Sent, unknown: number, mostAttempts: number): boolean {
    return kind === 'unknown' && (unknown >= mostAttempts || this.dice.chance(0.2));
  }

  /** Whether nobody serves any longer, though no injury lasts that long. */
  #isLost(started: number, sent: Sent): boolean {
    const isLost = sent.kind === 'undone' && this.#ledger.now() - started > RECOVERY_MS;
    if (isLost) this.#ledger.fault('not answered in time', `nobody serves since ${started}: ${sent.why}`);
    return isLost;
  }

  /** Asks until there is an answer, when nothing is in the way of one. */
  async require(asked: Asked) {
    for (let attempt = 0; ; attempt++) {
      const { answer } = await this.#ask(asked, { timeoutMs: PATIENCE_MS, mostAttempts: 1 });
      if (answer !== undefined) return answer;
      if (attempt === 20) throw new Error(`${asked.method} ${asked.path} is not answered, with all in order`);
    }
  }
}

/** Whether an attempt without an answer may come late, and do it anew after what it did was undone. */
export function mayComeLate({ unknown, isKeyed }: Outcome): boolean {
  return unknown > 0 && !isKeyed;
}
