/** Who may ask Keystone next. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KeystoneAdmission } from '../../../src/identity/keystone/admission.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const known = { has: (address: string) => address.startsWith('known') };
const anyNumber = { isBeyondLimit: () => false };
const admissionOf = (atOnce: number, perSecond = 1_000_000) =>
  new KeystoneAdmission({ atOnce, perSecond }, anyNumber, known);

/** Asks on behalf of addresses; questions end when they are told to. */
class Questions {
  /** The addresses whose questions have begun, in their order. */
  readonly begun: string[] = [];
  /** Those that were refused. */
  readonly refused: string[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #admission: KeystoneAdmission;

  constructor(admission: KeystoneAdmission) {
    this.#admission = admission;
  }

  async ask(...addresses: string[]): Promise<void> {
    for (const address of addresses) {
      const check = () => {
        this.begun.push(address);
        return new Promise<void>((resolve) => this.#ends.push(resolve));
      };
      this.#admission.run(address, check).catch(() => this.refused.push(address));
    }
    await vi.advanceTimersByTimeAsync(0);
  }

  /** Ends the oldest questions. */
  async end(count: number): Promise<void> {
    for (let ended = 0; ended < count; ended += 1) {
      this.#ends.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    }
  }
}

it('clients take turns, however many questions one of them has', async () => {
  const questions = new Questions(admissionOf(2));
  await questions.ask('a', 'a', 'a', 'a', 'a', 'b', 'c');
  expect(questions.begun).toEqual(['a', 'a']);
  await questions.end(7);
  expect(questions.begun).toEqual(['a', 'a', 'a', 'b', 'c', 'a', 'a']);
});

it('all addresses of one /64 are one client', async () => {
  const questions = new Questions(admissionOf(1));
  await questions.ask('2001:db8::1', '2001:db8::2', '2001:db8:0:0:1::3', '2001:db8:0:1::4');
  await questions.end(4);
  expect(questions.begun).toEqual(['2001:db8::1', '2001:db8::2', '2001:db8:0:1::4', '2001:db8:0:0:1::3']);
});

it('clients that are known go first, also beyond what strangers may ask at once; strangers have every fourth turn', async () => {
  const questions = new Questions(admissionOf(4));
  await questions.ask(...Array.from({ length: 8 }, () => 'a'), ...Array.from({ length: 8 }, () => 'known'));
  expect(questions.begun).toEqual(['a', 'a', 'a', 'a', 'known']);
  await questions.end(7);
  expect(questions.begun.slice(4)).toEqual(['known', 'known', 'known', 'a', 'known', 'known', 'known', 'a']);
});

it('more begin in a second as the second goes on', async () => {
  const questions = new Questions(admissionOf(100, 10));
  await questions.ask(...Array.from({ length: 10 }, () => 'a'), 'b', 'c');
  expect(questions.begun).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(99);
  expect(questions.begun).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(2);
  expect(questions.begun.slice(10)).toEqual(['b']);
  await vi.advanceTimersByTimeAsync(100);
  expect(questions.begun.slice(10)).toEqual(['b', 'c']);
});

it('those who waited for too long, and too many of one client, are refused', async () => {
  const questions = new Questions(admissionOf(1));
  await questions.ask(...Array.from({ length: 18 }, () => 'a'), 'b');
  expect(questions.refused).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1999);
  await questions.end(1);
  expect(questions.begun).toEqual(['a', 'a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(questions.refused).toHaveLength(17);
  await questions.ask('c');
  await questions.end(1);
  expect(questions.begun).toEqual(['a', 'a', 'c']);
});
