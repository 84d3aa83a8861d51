import type { Fqdn } from '../dns/names.ts';
import type { BlacklistGuard } from './blacklist-guard.ts';
import { DomainError } from './errors.ts';
import type { Log, Revision } from './ports.ts';
import type { Zone } from './zone.ts';

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

/** The check of a new name against the blacklists. Throws `blacklisted_name` or `unchecked_name`. */
export function nameAdmission(deps: { guard: BlacklistGuard; log: Log }) {
  const { guard, log } = deps;

  return async (name: Fqdn, creator: ZoneCreator): Promise<Admission> => {
    const judgement = await guard.judge(name);
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
