import { DomainError } from '../errors.ts';
import type { Event, Happening, Target } from '../events/event.ts';
import type { EventKeys } from '../events/event-key.ts';
import { recordOf } from '../events/event-record.ts';
import type { Events } from '../events/events.ts';
import type { Refusals } from '../events/refusals.ts';
import { withApproaches } from '../quotas/approaches.ts';
import type { Store, Transaction } from '../store.ts';
import type { Act } from './act.ts';
import { type Contacts, withContact } from './contacts.ts';

/** Reports an event; it is stored in the transaction, and published once that is committed. */
export type Tell = (happening: Happening) => void;

type Work<R> = (tx: Transaction, tell: Tell) => Promise<R>;
/** The result of work that returns no refusal. */
type Done<R> = Exclude<R, DomainError>;

/** How use cases change the store: each change is one transaction, its events, and one answer to an idempotency key. */
export function actsOn(deps: {
  readonly store: Pick<Store, 'transaction'>;
  readonly events: Events;
  readonly refusals: Refusals;
  readonly keys: EventKeys;
  readonly contacts: Contacts;
}) {
  const { store, events, refusals, keys, contacts } = deps;

  async function inTransaction<R>(act: Act<Done<R>>, tx: Transaction, work: Work<R>) {
    const told: Happening[] = [];
    await act.once?.begin(tx);
    const outcome = await work(tx, (happening) => void told.push(happening));
    act.once?.end(tx, outcome instanceof DomainError ? undefined : (outcome as Done<R>));
    const made: readonly Event[] = told
      .flatMap(withApproaches)
      .map((happening) => events.make(act, happening));
    for (const event of made) tx.events.append(recordOf(event, keys.current()));
    return { outcome, made };
  }

  /**
   * Runs the work as one transaction with its events, and publishes these after the commit. The work may run more than
   * once. A refusal that it returns is thrown after the commit; one that it throws rolls everything back.
   */
  async function commit<R>(act: Act<Done<R>>, work: Work<R>): Promise<Done<R>> {
    const { outcome, made } = await store.transaction((tx) => inTransaction(act, tx, work));
    for (const event of made) events.publish(event);
    if (outcome instanceof DomainError) throw outcome;
    return outcome as Done<R>;
  }

  /** Runs the work, and publishes its refusal by a rule. */
  async function attempt<R>(act: Act, target: Target, work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (refusal) {
      const error = withContact(refusal, contacts);
      refusals.report(act, target, error);
      throw error;
    }
  }

  return {
    commit,
    attempt,
    /** Both at once. */
    change: <R>(act: Act<Done<R>>, target: Target, work: Work<R>): Promise<Done<R>> =>
      attempt(act, target, () => commit(act, work)),
  };
}

export type Acts = ReturnType<typeof actsOn>;
