import type { Fqdn } from '../../dns/names.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { Act } from '../acts/act.ts';
import type { Clock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';
import type { BlacklistGuard } from './blacklist-guard.ts';
import type { Revision } from './store.ts';

/** A name that may be created while the blacklists have this revision. */
export interface Admission {
  readonly revision: Revision;
  /** The blacklist that the name matches, if the act may use a blacklisted name. */
  readonly bypassed?: string;
}

/** The maximum number of patterns that one refused name marks. */
const MOST_MARKED = 100;

export interface NameAdmissionDeps {
  readonly guard: BlacklistGuard;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: AccessControl;
}

/** The check of a new name against the blacklists. Throws `blacklisted_name` or `unchecked_name`. */
export function nameAdmission({ guard, store, clock, log, access }: NameAdmissionDeps) {
  /** Marks the patterns that used up the budget, for administrators to see; the refusal does not depend on it. */
  async function mark(numbers: readonly number[]): Promise<void> {
    try {
      await store.transaction(async (tx) =>
        tx.blacklists.markExhausted(numbers.slice(0, MOST_MARKED), clock.now()),
      );
    } catch (error) {
      log.error({ err: error }, 'patterns could not be marked');
    }
  }

  return async (act: Act, name: Fqdn): Promise<Admission> => {
    const judgement = await guard.judge(name, act.projectId);
    const { kind, revision } = judgement;
    if (kind === 'free') return { revision };
    if (kind === 'undecided') {
      await mark(judgement.numbers);
      throw new DomainError('unchecked_name', undefined, { details: { patterns: judgement.numbers } });
    }
    const { id } = judgement.blacklist;
    if (access.allows(act, 'use_blacklisted_zone', { projectId: act.projectId })) {
      return { revision, bypassed: id };
    }
    throw new DomainError('blacklisted_name', undefined, { details: { blacklist: id } });
  };
}
