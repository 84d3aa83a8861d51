import { DomainError } from '../errors.ts';
import type { Happening, Target } from '../events/event.ts';
import type { Events } from '../events/events.ts';
import type { Refusals } from '../events/refusals.ts';
import type { Store, Transaction } from '../store.ts';
import type { Act } from './act.ts';
import { type Contacts, withContact } from './contacts.ts';

/** Reports an event; it is published once the transaction is committed. */
export type Tell = (happening: Happening) => void;

type Work<R> = (tx: Transaction, tell: Tell) => Promise<R>;
/** The result of work that returns no refusal. */
type Done<R> = Exclude<R, DomainError>;

/** How use cases change the store: each change is one transaction, its events, and one answer to an idempotency key. */
export function actsOn(deps: {
  readonly store: Pick<Store, 'transaction'>;
  readonly events: Events;
  readonly refusals: Refusals;
  readonly contacts: Contacts;
}) {
  const { store, events, refusals, contacts } = deps;

  async function inTransaction<R>(act: Act<Done<R>>, tx: Transaction, work: () => Promise<R>): Promise<R> {
    await act.once?.begin(tx);
    const outcome = await work();
    act.once?.end(tx, outcome instanceof DomainError ? undefined : (outcome as Done<R>));
    return outcome;
  }

  /**
   * Runs the work as one transaction, and publishes its events after the commit. The work may run more than once. A
   * refusal that it returns is thrown after the commit; one that it throws rolls everything back.
   */
  async function commit<R>(act: Act<Done<R>>, work: Work<R>): Promise<Done<R>> {
    let told: Happening[] = [];
    const outcome = await store.transaction((tx) => {
      told = [];
      return inTransaction(act, tx, () => work(tx, (happening) => void told.push(happening)));
    });
    for (const happening of told) events.publish(act, happening);
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
