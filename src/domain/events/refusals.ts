import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, type ErrorKind } from '../../model/errors.ts';
import type { EventData, Target } from '../../model/event-types/event.ts';
import type { Events } from './events.ts';

type RefusalType = Extract<keyof EventData, `refused.${string}`>;

/** Errors that are refusals by a rule. All others are caller mistakes or service failures. */
const BY_RULE: Partial<Readonly<Record<ErrorKind, RefusalType>>> = {
  blacklisted_name: 'refused.blacklist',
  unchecked_name: 'refused.undecided',
  blacklisted_recordset: 'refused.blacklist',
  unchecked_recordset: 'refused.undecided',
  invalid_tld: 'refused.tld',
  over_quota: 'refused.quota',
  illegal_child: 'refused.ownership',
  illegal_parent: 'refused.ownership',
  guardrail: 'refused.guardrail',
  wrong_transfer_key: 'refused.transfer_key',
  access_denied: 'refused.policy',
};

/** Publishes refusals by a rule as events. */
export function refusalsTo(events: Events) {
  const reported = new WeakSet<DomainError>();
  return {
    /** Publishes each error once, even if it is rethrown. */
    report(context: RequestContext, target: Target, error: unknown): void {
      if (!(error instanceof DomainError) || reported.has(error)) return;
      const type = BY_RULE[error.kind];
      if (type === undefined) return;
      reported.add(error);
      events.publish(events.make(context, { type, target, error }));
    },
  };
}

export type RefusalReporter = ReturnType<typeof refusalsTo>;
