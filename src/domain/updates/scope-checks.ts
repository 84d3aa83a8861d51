/** Checks UPDATE messages against the scopes of their keys. */
import type { OwnerName } from '../../dns/names.ts';
import { DomainError } from '../../model/errors.ts';
import {
  type CredentialScope,
  refusingKey,
  type ScopedRequest,
} from '../../model/scopes/credential-scope.ts';
import type { SignedUpdate } from '../../model/updates/update.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { UpdatedSet, WorkingZone } from './working-zone.ts';

function actionOf({ before, after }: UpdatedSet): 'create' | 'update' | 'delete' {
  if (before === undefined) return 'create';
  return after === undefined ? 'delete' : 'update';
}

/** Checks an UPDATE against a scope. All of its methods throw DomainError `access_denied`. */
export class ScopeChecks {
  readonly #scope: CredentialScope;
  readonly #zone: Zone;

  constructor(scope: CredentialScope, zone: Zone) {
    this.#scope = scope;
    this.#zone = zone;
  }

  /** Checks what the message itself shows. */
  requireMessage({ prerequisites, steps, address }: SignedUpdate): void {
    this.#require({ address });
    for (const one of [...prerequisites, ...steps]) {
      this.#require({ name: one.name as OwnerName, type: 'type' in one ? one.type : undefined });
    }
  }

  /** The deletion of a name needs the types that are there. */
  requireDeletions({ steps }: SignedUpdate, working: WorkingZone): void {
    for (const { kind, name } of steps) {
      if (kind === 'delete name') for (const type of working.typesAt(name)) this.#require({ type });
    }
  }

  requireActions(sets: readonly UpdatedSet[]): void {
    for (const one of sets) this.#require({ action: actionOf(one) });
  }

  #require(request: Omit<ScopedRequest, 'zone'>): void {
    const key = refusingKey(this.#scope, { ...request, zone: this.#zone });
    if (key === undefined) return;
    const message = `The scope of the TSIG key does not allow this: "${key}" refuses it.`;
    throw new DomainError('access_denied', message, { details: { scope: key } });
  }
}
