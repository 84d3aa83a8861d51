/** Delivers events to one receiver, in order, each until it is accepted. */

import { cloudEvent, gapEvent, type Message } from '../domain/webhooks/cloud-event.ts';
import type { DeliveryUseCases, Gap } from '../domain/webhooks/deliveries.ts';
import { epochSeconds } from '../model/clock.ts';
import type { SealedEvent } from '../model/events/stored-event.ts';
import { delayAfter } from '../runtime/backoff.ts';
import type { Log } from '../runtime/log.ts';
import { Loop } from '../runtime/loop.ts';
import { pause } from '../runtime/pause.ts';
import type { ReceiverPositions } from './progress.ts';
import { type DeliveryOutcome, Sender } from './sender.ts';
import type { DeliverySettings, Receiver } from './settings.ts';

export interface DeliveryDeps {
  readonly deliveries: DeliveryUseCases;
  readonly log: Log;
  readonly settings: DeliverySettings;
  readonly positions: ReceiverPositions;
  /** The last known position. */
  head(): number;
  /** True while no other process can be sending. */
  isHeld(): boolean;
}

type Failed = Exclude<DeliveryOutcome, { kind: 'taken' }>;

export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #receiver: Receiver;
  readonly #sender: Sender;
  readonly #loop: Loop;
  readonly #signal: AbortSignal;
  readonly #requests: AbortSignal;
  #position = 0;
  #skipTo = 0;
  #failingSince = '';
  #failures = 0;
  /** Once sent, a gap keeps its id until it is accepted. */
  #gap: Gap | undefined;

  /**
   * @param signal ends the delivery after the request in flight
   * @param requests aborts that request, too
   */
  constructor(deps: DeliveryDeps, receiver: Receiver, signal: AbortSignal, requests: AbortSignal) {
    const { log, settings } = deps;
    const { name } = receiver;
    this.#deps = deps;
    this.#receiver = receiver;
    this.#sender = new Sender(receiver);
    this.#signal = signal;
    this.#requests = requests;
    this.#loop = new Loop(
      {
        turn: () => this.#turn(),
        gapMs: () => 0,
        failed: (err) => log.error({ err, webhook: name }, 'a webhook is waiting: the store is unavailable'),
        recovered: () => log.info({ webhook: name }, 'a webhook continues: the store is available again'),
      },
      { intervalMs: settings.idlePoll, retry: settings.retry },
      signal,
    );
  }

  async run(): Promise<void> {
    await this.#loop.run();
    this.#sender.close();
  }

  /** Reports the position of the newest event. */
  wake(head: number): void {
    if (head > this.#position) this.#loop.wake();
  }

  /** Returns true if there may be more to do now. */
  async #turn(): Promise<boolean> {
    const { deliveries, head } = this.#deps;
    const state = await deliveries.find(this.#receiver.name);
    if (state === undefined || state.isStopped) return false;
    this.#position = Math.max(this.#position, state.position);
    if (this.#failures === 0) this.#failingSince = state.failingSince;
    this.#skipTo = state.skipTo;
    // An operator may have skipped the gap, too.
    if (this.#gap !== undefined && this.#gap.to <= this.#position) this.#gap = undefined;
    if (this.#gap !== undefined) return this.#tellGap(this.#gap);
    if (head() <= this.#position) return false;
    const place = { after: this.#position, skipTo: this.#skipTo, head: head() };
    const part = await deliveries.next(this.#receiver, place);
    if (part.gap !== undefined) return this.#tellGap(part.gap);
    if (!(await this.#sendAll(part.events))) return false;
    this.#move(part.upTo, '');
    return head() > this.#position;
  }

  async #sendAll(events: readonly SealedEvent[]): Promise<boolean> {
    for (const event of events) {
      if (!(await this.#deliver(cloudEvent(event, this.#receiver.source)))) return false;
      this.#move(event.position, this.#deps.deliveries.now());
    }
    return true;
  }

  async #tellGap(gap: Gap): Promise<boolean> {
    const { deliveries, log } = this.#deps;
    const { name, source } = this.#receiver;
    if (this.#gap === undefined)
      log.warn(
        { webhook: name, ...gap },
        'sending a gap notice to a webhook: events were removed or skipped',
      );
    this.#gap = gap;
    if (!(await this.#deliver(gapEvent(gap, source, deliveries.now())))) return false;
    this.#gap = undefined;
    this.#move(gap.to, deliveries.now());
    return true;
  }

  #move(position: number, deliveredAt: string): void {
    if (position <= this.#position) return;
    this.#position = position;
    this.#deps.positions.note({ name: this.#receiver.name, position, deliveredAt });
  }

  /** Sends a message until it is accepted. Returns false if the delivery ends first. */
  async #deliver(message: Message): Promise<boolean> {
    while (!this.#signal.aborted && this.#deps.isHeld()) {
      const outcome = await this.#sender.send(message, this.#requests);
      if (outcome.kind === 'taken') {
        this.#recover();
        return true;
      }
      if (this.#requests.aborted) return false;
      const wait = await this.#fail(outcome);
      if (wait === undefined) return false;
      await pause(wait, this.#signal);
      if (await this.#isPassedOver()) return false;
    }
    return false;
  }

  /** True if an operator has skipped the event being sent. The state is then read again. */
  async #isPassedOver(): Promise<boolean> {
    const state = await this.#deps.deliveries.find(this.#receiver.name);
    return state === undefined || state.position > this.#position || state.skipTo > this.#skipTo;
  }

  #recover(): void {
    if (this.#failures > 0) {
      const { name } = this.#receiver;
      this.#deps.log.info({ webhook: name, failures: this.#failures }, 'a webhook works again');
    }
    this.#failures = 0;
    this.#failingSince = '';
  }

  /** Returns the wait in milliseconds, or undefined if the receiver was stopped. */
  async #fail(outcome: Failed): Promise<number | undefined> {
    const { deliveries, log, positions } = this.#deps;
    const { name, giveUpAfterMs } = this.#receiver;
    const { reason } = outcome;
    if (this.#failures === 0) log.warn({ webhook: name, reason }, 'a webhook delivery failed');
    if (this.#failingSince === '') this.#failingSince = deliveries.now();
    this.#failures += 1;
    // Store the progress before the failure that follows it.
    await positions.flush();
    const failure = { name, position: this.#position, error: reason };
    if (outcome.kind === 'gone' || deliveries.hasFailedFor(this.#failingSince, giveUpAfterMs)) {
      await deliveries.stop(failure);
      this.#failures = 0;
      return undefined;
    }
    await deliveries.fail(failure);
    return this.#waitAfter(outcome);
  }

  #waitAfter({ retryAfterMs }: Extract<DeliveryOutcome, { kind: 'failed' }>): number {
    const { deliveries, settings } = this.#deps;
    const { attempt, longestRetryAfter } = settings;
    // 50 % jitter, so that receivers that failed together are not retried together.
    const own = delayAfter(attempt, this.#failures - 1) * (0.5 + Math.random() / 2);
    const asked = Math.max(own, Math.min(retryAfterMs, longestRetryAfter));
    const failing = 1000 * (epochSeconds(deliveries.now()) - epochSeconds(this.#failingSince));
    // Retries once more when the time is up.
    const left = Math.max(this.#receiver.giveUpAfterMs - failing, attempt.firstMs);
    return Math.min(asked, left);
  }
}
