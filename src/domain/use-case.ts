import type { AccessControl } from './access/access-control.ts';
import type { Acts } from './acts/acts.ts';
import type { Clock } from './clock.ts';
import type { Store } from './store.ts';

/** The dependencies of every use case. */
export interface UseCaseDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly access: AccessControl;
  readonly acts: Acts;
}
