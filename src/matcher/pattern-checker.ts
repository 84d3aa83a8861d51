import { FairQueue } from '../runtime/fair-queue.ts';
import type { PatternTraits } from './index/traits.ts';
import {
  type IndexExplanation,
  type IndexSurvey,
  type IndexVerdict,
  joinedExplanation,
  type LongCheck,
  notesOf,
  quickSurvey,
  withNotes,
} from './index/verdict.ts';
import { PatternIndex } from './pattern-index.ts';
import type { RunnerResponse } from './runner/messages.ts';
import { RemoteRunners } from './runner/remote.ts';

/** Returns the source of a pattern by key; undefined if the pattern no longer exists. */
export type FetchSource = (key: number) => Promise<string | undefined>;

interface CheckTask {
  readonly kind: keyof Results;
  readonly rest: LongCheck;
  /** For a survey: maximum number of matches. */
  readonly max: number;
  /** Sources that the worker has requested. */
  readonly fetched: Map<number, string>;
  resolve(result: Results[keyof Results]): void;
  reject(error: Error): void;
}

/** Results by kind of task. */
interface Results {
  readonly check: IndexVerdict;
  readonly note: readonly number[];
  readonly explain: IndexExplanation;
  readonly survey: IndexSurvey;
}

/** In bytes. */
const MAX_KEPT = 128 << 20;
const CLOSED = 'The matcher is closed.';
/** Matches nothing. Replaces a pattern that no longer exists. */
const NOTHING = '(?!)';

/**
 * The index, and a worker thread for checks that would delay others too long. The worker runs one check at a time, and
 * projects take turns.
 */
export class PatternChecker {
  readonly #fetch: FetchSource | undefined;
  readonly #maxKept: number;
  readonly #charged: (units: number) => void;
  readonly #queue = new FairQueue<CheckTask>();
  #runners: RemoteRunners;
  #index: PatternIndex;
  #running: CheckTask | undefined;
  #closed = false;

  /**
   * @param fetch reads sources again; without it, all of them are kept in memory
   * @param mostKept memory for sources that can be read again, in bytes
   * @param charged called with the charge of each check that the worker completed, in units of its budget
   */
  constructor(fetch?: FetchSource, maxKept = MAX_KEPT, charged: (units: number) => void = () => {}) {
    this.#fetch = fetch;
    this.#charged = charged;
    this.#maxKept = fetch === undefined ? Number.POSITIVE_INFINITY : maxKept;
    this.#runners = this.#newRunners();
    this.#index = new PatternIndex(this.#runners);
  }

  get size(): number {
    return this.#index.size;
  }

  /** @param traits by default, a match refuses the name unconditionally */
  add(number: number, pattern: string, traits?: PatternTraits): void {
    this.#index.add(number, pattern, traits);
  }

  /** @param traits those it was added with */
  remove(number: number, pattern: string, traits?: PatternTraits): void {
    this.#index.remove(number, pattern, traits);
  }

  /** Removes all patterns. A check that the worker is running starts again. */
  clear(): void {
    const before = this.#runners;
    this.#runners = this.#newRunners();
    this.#index = new PatternIndex(this.#runners);
    void before.close();
    const task = this.#running;
    this.#running = undefined;
    if (task !== undefined) this.#queue.add('', task);
    this.#next();
  }

  /**
   * The verdict on a name in all its forms, for a project. The worker computes notes in a separate task, so that a
   * refusal waits for at most one task of each other project.
   */
  async check(forms: readonly string[], onBehalfOf: string): Promise<IndexVerdict> {
    const found = this.#index.check(forms);
    const noted =
      found.kind === 'long'
        ? this.#index.note(await this.#finish('check', found.rest, onBehalfOf), forms)
        : found;
    if (noted.kind !== 'noting') return noted;
    return withNotes(noted.pass, notesOf(await this.#note(noted.rest, onBehalfOf)));
  }

  /** A failure here refuses nothing: the result is what was found before. */
  async #note(rest: LongCheck, owner: string): Promise<readonly number[]> {
    try {
      return await this.#finish('note', rest, owner);
    } catch (error) {
      if (this.#closed) throw error;
      return [...rest.kept];
    }
  }

  /** All patterns that match a name in any of its forms, and those that could not be decided. */
  async explain(forms: readonly string[]): Promise<IndexExplanation> {
    const { matches, rest } = this.#index.look(forms);
    return joinedExplanation(matches, await this.#finish('explain', rest, ''));
  }

  /** Some of the patterns that match a name in any of its forms: at most `max`, within the budget of a check. */
  async survey(forms: readonly string[], onBehalfOf: string, max: number): Promise<IndexSurvey> {
    const { matches, rest } = this.#index.look(forms, max + 1);
    if (matches.size > max) return quickSurvey(matches, max);
    return this.#finish('survey', { ...rest, kept: Int32Array.from(matches) }, onBehalfOf, max);
  }

  /** Ends the worker. Waiting and later checks fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const error = new Error(CLOSED);
    this.#running?.reject(error);
    this.#running = undefined;
    for (let task = this.#queue.take(); task !== undefined; task = this.#queue.take()) task.reject(error);
    await this.#runners.close();
  }

  #newRunners(): RemoteRunners {
    const runners = new RemoteRunners(
      {
        answered: (answer) => {
          if (this.#runners === runners) this.#answered(answer);
        },
        failed: (error) => {
          if (this.#runners === runners) this.#done((task) => task.reject(error));
        },
      },
      this.#maxKept,
    );
    return runners;
  }

  #finish<K extends keyof Results>(kind: K, rest: LongCheck, owner: string, max = 0): Promise<Results[K]> {
    if (this.#closed) return Promise.reject(new Error(CLOSED));
    return new Promise((resolve, reject) => {
      // For each kind of task, the worker returns the matching kind of result.
      const settle = resolve as CheckTask['resolve'];
      this.#queue.add(owner, { kind, rest, max, fetched: new Map(), resolve: settle, reject });
      this.#next();
    });
  }

  /** Gives the worker its next task, unless it is busy. */
  #next(): void {
    while (this.#running === undefined) {
      const task = this.#queue.take();
      if (task === undefined) return;
      this.#running = task;
      this.#ask(task);
    }
  }

  #ask(task: CheckTask): void {
    try {
      const { kind, rest, max, fetched } = task;
      this.#runners.ask(kind === 'survey' ? { kind, rest, max, fetched } : { kind, rest, fetched });
    } catch (error) {
      this.#done(() => task.reject(error as Error));
    }
  }

  #done(settle: (task: CheckTask) => void): void {
    const task = this.#running;
    this.#running = undefined;
    if (task !== undefined) settle(task);
    this.#next();
  }

  #answered(answer: RunnerResponse): void {
    if (answer.kind === 'changed') return;
    if (answer.charged !== undefined && answer.kind === 'done') this.#charged(answer.charged);
    if (answer.kind !== 'missing') this.#done((task) => task.resolve(answer.result));
    else if (this.#running !== undefined) void this.#fetchFor(this.#running, answer.keys);
  }

  async #fetchFor(task: CheckTask, keys: readonly number[]): Promise<void> {
    const runners = this.#runners;
    // After `clear`, the task has started again without these sources. Sending it now would yield two results.
    const isAwaited = () => this.#running === task && this.#runners === runners;
    try {
      for (const key of keys) task.fetched.set(key, (await this.#fetch?.(key)) ?? NOTHING);
      if (isAwaited()) this.#ask(task);
    } catch (error) {
      if (isAwaited()) this.#done(() => task.reject(error as Error));
    }
  }
}
