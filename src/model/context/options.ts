/** Options of single operations, beside the context of their request. */
import { DomainError } from '../errors.ts';
import type { ImportedMetadata } from '../imported-metadata.ts';
import type { Transaction } from '../store.ts';

/** Makes a creating transaction take effect only once. */
export interface Idempotency<Created> {
  /** The first step: takes the key. Throws `idempotency_key_running` if another request holds it. */
  begin(tx: Transaction): Promise<void>;
  /** The last step: stores the response, or releases the key if nothing was created. */
  end(tx: Transaction, created: Created | undefined): void;
}

/** Options of a create. `Created` is the resource that it returns. */
export interface CreateOptions<Created> {
  readonly idempotency?: Idempotency<Created> | undefined;
}

/** Options of a create of a resource that can be imported. */
export interface ImportableOptions<Created> extends CreateOptions<Created> {
  /** Metadata imported from another service. */
  readonly kept?: ImportedMetadata | undefined;
}

/**
 * Adapts the options to a create that returns another type than the one stored; `toStored` converts it.
 */
export function optionsFor<Created, Stored>(
  { idempotency }: CreateOptions<Stored>,
  toStored: (created: Created) => Stored,
): CreateOptions<Created> {
  if (idempotency === undefined) return {};
  return {
    idempotency: {
      begin: idempotency.begin,
      end: (tx, created) => idempotency.end(tx, created === undefined ? undefined : toStored(created)),
    },
  };
}

/** A condition on the resource that an operation names, checked on the state that the operation reads or changes. */
export interface Precondition {
  /** @param resource the resource, in the form that the use case returns */
  holds(resource: object): boolean;
}

/** Options of an operation on one existing resource. */
export interface ConditionalOptions {
  readonly precondition?: Precondition | undefined;
}

/**
 * Checks the precondition, if any. A change checks it on the locked resource, before any other rule.
 * @throws DomainError `precondition_failed`
 */
export function requirePrecondition({ precondition }: ConditionalOptions, resource: object): void {
  if (precondition?.holds(resource) === false) throw new DomainError('precondition_failed');
}
