import type { Caller, Outcome } from './caller.ts';
import type { Ledger } from './ledger.ts';
import type { Tenant, Zone } from './model.ts';
import type { Patterns } from './patterns.ts';

/** All that the load knows. */
export interface World {
  readonly ledger: Ledger;
  readonly admin: string;
  readonly tenants: readonly Tenant[];
  readonly zones: Set<Zone>;
  readonly patterns: Patterns;
  /** Whether there are name servers, so that a deletion waits for them. */
  readonly publishes: boolean;
  /** Names of zones that are gone, to be taken again. */
  readonly freed: { readonly name: string; readonly group: number | undefined }[];
  /** Ids of zones that are gone for good. */
  readonly goneIds: { readonly id: string; readonly name: string; readonly tenant: Tenant }[];
  counter: number;
}

/** One client at work. */
export interface Client {
  readonly world: World;
  readonly caller: Caller;
  /** For what is done in parallel with the caller, elsewhere. */
  readonly other: Caller;
}

/** Whether it was done; undefined: nobody knows. */
export type Done = boolean | undefined;

const describe = ({ answer }: Outcome) => `${answer?.status} ${JSON.stringify(answer?.json)}`;

/** Counts an operation. */
export function count(world: World, kind: string, done: Done): Done {
  world.ledger.operation(kind, done === undefined ? 'unknown' : done ? 'done' : 'refused');
  return done;
}

/** Whether something was made: 409 to a second attempt says that the first one did it. */
export function isMade({ answer, unknown }: Outcome): Done {
  if (answer === undefined) return undefined;
  if (answer.status < 300) return true;
  if (unknown === 0) return false;
  return answer.status === 409 ? true : undefined;
}

/** Whether something that was there is gone, or leaves: 404 to a second attempt says that the first one did it. */
export function isRemoved(world: World, what: string, outcome: Outcome): Done {
  const { answer, unknown } = outcome;
  if (answer === undefined) return undefined;
  if (answer.status < 300) return true;
  if (answer.status !== 404) {
    world.ledger.fault('unexpected answer', `removal of ${what}: ${describe(outcome)}`);
    return false;
  }
  world.ledger.require('acknowledged and lost', unknown > 0, () => `${what} is to be removed and is 404`);
  return true;
}

/** Whether something that is there was changed. */
export function isChanged(world: World, what: string, outcome: Outcome): Done {
  const { answer } = outcome;
  if (answer === undefined) return undefined;
  if (answer.status < 300) return true;
  const check = answer.status === 404 ? 'acknowledged and lost' : 'unexpected answer';
  world.ledger.fault(check, `change of ${what}: ${describe(outcome)}`);
  return undefined;
}

/** Says so where the refusal is none of those that may come. */
export function requireRefusal(
  world: World,
  what: string,
  outcome: Outcome,
  allowed: readonly string[],
): void {
  const { answer } = outcome;
  if (answer === undefined || answer.status < 300) return;
  world.ledger.require('unexpected answer', allowed.includes(answer.json.type), () => {
    return `${what}: ${describe(outcome)}`;
  });
}
