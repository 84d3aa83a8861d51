import type { Client } from '../../test/support/client.ts';
import type { Site } from './site.ts';

/** How often each answer came, and the longest waits. */
export class Answers {
  readonly #counts = new Map<string, number>();
  readonly #longest = new Map<string, number>();

  note(answer: string): void {
    this.#counts.set(answer, (this.#counts.get(answer) ?? 0) + 1);
  }

  count(answer: string): number {
    return this.#counts.get(answer) ?? 0;
  }

  /** How often an answer came that begins so. */
  countAll(start: string): number {
    const all = [...this.#counts].filter(([answer]) => answer.startsWith(start));
    return all.reduce((sum, [, count]) => sum + count, 0);
  }

  /** Keeps the longest wait of each kind of request. */
  waited(request: string, milliseconds: number): void {
    this.#longest.set(request, Math.max(milliseconds, this.#longest.get(request) ?? 0));
  }

  /** Sends a request and notes its status, and why it was refused. Returns the body. */
  async ask(client: Client, ...request: Parameters<Client['send']>): Promise<string> {
    try {
      const { status, text } = await client.send(...request);
      this.note(status < 300 ? String(status) : `${status} ${/"type":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim());
      return text;
    } catch {
      this.note('connection closed');
      return '';
    }
  }

  toString(): string {
    const most = [...this.#counts].sort(([, one], [, other]) => other - one).slice(0, 4);
    const counts = most.map(([answer, count]) => (count === 1 ? answer : `${count} × ${answer}`));
    const waits = [...this.#longest].map(([request, ms]) => `${request} within ${ms.toFixed(0)} ms`);
    return [...counts, ...waits].join(', ');
  }
}

/** Attacks once, in the round of this number. It is called again until the others have asked enough. */
export type Go = (answers: Answers, round: number) => Promise<void>;

export interface Attack {
  /** For `--only`. */
  readonly name: string;
  /** What it is, for the table. */
  readonly title: string;
  /** Options of the service. */
  readonly environment?: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);
  /** For what must never succeed: whether nothing did. It is asked when the attack is over. */
  holds?(answers: Answers): boolean;
  /** Makes what the attack needs, before others are measured beside an idle attacker. */
  prepare(site: Site): Promise<Go>;
}

/** Does the work so many times at once. */
export async function atOnce(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => work(number)));
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
