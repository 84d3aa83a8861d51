import type { Fqdn } from '../../dns/names.ts';
import type { Clock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';
import type { Zone } from '../zones/zone.ts';
import type { BlacklistGuard } from './blacklist-guard.ts';
import type { Revision } from './store.ts';

export interface ZoneCreator {
  readonly projectId: string;
  readonly userId: string;
  readonly requestId: string;
  /** Policy rule `use_blacklisted_zone`. */
  readonly mayUseBlacklistedName: boolean;
}

/** A name that may be taken as long as the blacklists stand at this revision. */
export interface Admission {
  readonly revision: Revision;
  /** The blacklist that the name matches, where the creator may pass it by. */
  readonly bypassed?: string;
}

/** How many patterns one refused name marks at the most. */
const MOST_MARKED = 100;

/** The check of a new name against the blacklists. Throws `blacklisted_name` or `unchecked_name`. */
export function nameAdmission(deps: { guard: BlacklistGuard; store: Store; clock: Clock; log: Log }) {
  const { guard, store, clock, log } = deps;

  /** Marks the patterns that used up the budget, for administrators to see; the refusal does not hang on it. */
  async function mark(numbers: readonly number[]): Promise<void> {
    try {
      await store.transaction((tx) =>
        tx.blacklists.markExhausted(numbers.slice(0, MOST_MARKED), clock.now()),
      );
    } catch (error) {
      log.error({ err: error }, 'patterns could not be marked');
    }
  }

  return async (name: Fqdn, creator: ZoneCreator): Promise<Admission> => {
    const judgement = await guard.judge(name, creator.projectId);
    const { kind, revision } = judgement;
    if (kind === 'free') return { revision };
    const event = {
      zone: name,
      project: creator.projectId,
      user: creator.userId,
      request_id: creator.requestId,
    };
    if (kind === 'undecided') {
      log.warn(
        { ...event, patterns: judgement.numbers },
        'a name could not be checked within the step budget',
      );
      await mark(judgement.numbers);
      throw new DomainError('unchecked_name');
    }
    const { id } = judgement.blacklist;
    if (creator.mayUseBlacklistedName) return { revision, bypassed: id };
    log.info({ ...event, blacklist: id }, 'refused a blacklisted name');
    throw new DomainError('blacklisted_name');
  };
}

/** Records that a zone was created although its name is blacklisted. */
export function auditBypass(log: Log, zone: Zone, blacklist: string, creator: ZoneCreator): void {
  const { name, projectId } = zone;
  const { userId: user, requestId } = creator;
  const event = { audit: true, blacklist, zone: name, project: projectId, user, request_id: requestId };
  log.warn(event, 'created a zone with a blacklisted name');
}
