import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The dependencies of every use case. */
export interface UseCaseDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly access: AccessControl;
  readonly unitOfWork: UnitOfWork;
}
