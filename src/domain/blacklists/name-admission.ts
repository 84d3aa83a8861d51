import type { Fqdn } from '../../dns/names.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { Act } from '../acts/act.ts';
import type { Clock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';
import type { BlacklistGuard } from './blacklist-guard.ts';
import type { HitCounter } from './hit-counter.ts';
import { NOTHING_NOTED, type Noted } from './judging.ts';
import type { Span } from './rule.ts';
import type { Revision } from './store.ts';

/** A name that may be created at these instants while the blacklists have this revision. */
export interface Admission {
  readonly revision: Revision;
  readonly span: Span;
  /** The blacklist that the name matches, if the act may use a blacklisted name. */
  readonly bypassed?: string;
  /** The blacklists that it matches and that do not refuse it. */
  readonly noted: Noted;
}

/** The maximum number of patterns that one refused name marks. */
const MOST_MARKED = 100;

export interface NameAdmissionDeps {
  readonly guard: BlacklistGuard;
  readonly hits: HitCounter;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: AccessControl;
}

/** The check of a new name against the blacklists. Throws `blacklisted_name` or `unchecked_name`. */
export function nameAdmission({ guard, hits, store, clock, log, access }: NameAdmissionDeps) {
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
    const { kind, revision, span } = judgement;
    if (kind === 'free') return { revision, span, noted: judgement.noted };
    if (kind === 'undecided') {
      await mark(judgement.numbers);
      throw new DomainError('unchecked_name', undefined, { details: { patterns: judgement.numbers } });
    }
    const { rules } = judgement;
    const { id } = rules[0]!;
    if (access.allows(act, 'use_blacklisted_zone', { projectId: act.projectId })) {
      return { revision, span, bypassed: id, noted: NOTHING_NOTED };
    }
    for (const rule of rules) hits.count(rule.id, 'refused');
    throw new DomainError('blacklisted_name', undefined, { details: { blacklist: id } });
  };
}
