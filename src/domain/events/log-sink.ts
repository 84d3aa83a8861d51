import type { NonEnforcingMatches } from '../../model/blacklists/noted.ts';
import type { Event, EventData, EventType, Sink, Target } from '../../model/event-types/event.ts';
import type { QuotaAlert } from '../../model/quotas/quota-thresholds.ts';
import type { Share } from '../../model/shares/share.ts';
import type { Log } from '../../runtime/log.ts';

interface EventLine {
  readonly level: 'debug' | 'info' | 'warn';
  /** Marks events that an operator must account for. */
  readonly audit?: true;
  readonly message: string;
}

/** Events whose log message follows from their type, such as "created a zone". */
type LoggedByName = Extract<EventType, `${string}.${'created' | 'changed' | 'deleted'}`>;

/** How each event is logged. Types that are not listed use their type as the message, at level info. */
const LINES: Readonly<
  Record<Exclude<EventType, LoggedByName>, EventLine> & Partial<Record<LoggedByName, EventLine>>
> = {
  'blacklist.expired': { level: 'info', message: 'a blacklist has expired' },
  'blacklists.imported': { level: 'info', message: 'imported blacklists' },
  'blacklists.synced': { level: 'info', message: 'synced a list of blacklists' },
  'blacklists.list_changed': { level: 'info', message: 'changed the blacklists of a list' },
  'blacklists.list_removed': { level: 'info', message: 'removed a list of blacklists' },
  'tlds.imported': { level: 'info', message: 'imported TLDs' },
  'quotas.changed': { level: 'info', message: 'changed the quotas of a project' },
  'quotas.reset': { level: 'info', message: 'reset the quotas of a project' },
  'quota.near': { level: 'info', message: 'a project is near a limit' },
  'quota.reached': { level: 'info', message: 'a project has reached a limit' },
  'token.revoked': { level: 'info', message: 'revoked a token' },
  'webhook.stopped': {
    level: 'warn',
    message: 'stopped a webhook: resume it with zonewarden webhook resume',
  },
  'webhook.resumed': { level: 'info', message: 'resumed a webhook' },
  'webhook.skipped': { level: 'warn', message: 'resumed a webhook after events that it skipped' },
  'webhook.forgotten': { level: 'info', message: 'forgot the position of a webhook' },
  'zone.created': { level: 'debug', message: 'created a zone' },
  'zone.created_blacklisted': {
    level: 'warn',
    audit: true,
    message: 'created a zone with a blacklisted name',
  },
  'zone.created_noted': {
    level: 'info',
    audit: true,
    message: 'created a zone whose name matches blacklists that do not block it',
  },
  'zone.changed': { level: 'debug', message: 'changed a zone' },
  'zone.guardrails_changed': { level: 'info', message: 'changed the guardrails of a zone' },
  'zone.deleted': { level: 'debug', message: 'deleted a zone' },
  'zone.restored': { level: 'info', audit: true, message: 'restored a deleted zone' },
  'zone.forgotten': { level: 'info', audit: true, message: 'forgot a deleted zone' },
  'zone.abandoned': { level: 'info', audit: true, message: 'abandoned a zone to its name servers' },
  'zone.pool_move_started': { level: 'info', audit: true, message: 'began to move a zone to another pool' },
  'zone.transferred': { level: 'info', audit: true, message: 'transferred a zone' },
  'zone.received': { level: 'debug', message: 'received a zone from a master' },
  'zone.relabelled': {
    level: 'warn',
    audit: true,
    message:
      'the catalog name servers refetch a zone: those that sign it generate new keys, so check the DS records in the parent zone',
  },
  'zone.expired': {
    level: 'warn',
    message: 'a secondary zone has expired: no master answered within its expire time',
  },
  'zone.repaired': { level: 'info', message: 'corrected the counters, or the form of names, of a zone' },
  'recordset.created': { level: 'debug', message: 'created a recordset' },
  'recordset.created_blacklisted': {
    level: 'warn',
    audit: true,
    message: 'created a recordset with a blacklisted name',
  },
  'recordset.created_noted': {
    level: 'info',
    audit: true,
    message: 'created a recordset whose name matches blacklists that do not block it',
  },
  'recordset.changed': { level: 'debug', message: 'changed a recordset' },
  'recordset.deleted': { level: 'debug', message: 'deleted a recordset' },
  'recordsets.changed': { level: 'debug', message: 'changed several recordsets' },
  'share.created': { level: 'info', audit: true, message: 'shared a zone' },
  'share.deleted': { level: 'info', audit: true, message: 'ended the share of a zone' },
  'blacklists.list_repaired': { level: 'info', message: 'corrected the counter of a list of blacklists' },
  'share.repaired': { level: 'info', message: 'corrected the counter of a share' },
  'project.repaired': { level: 'info', message: 'corrected the counters of a project' },
  'import.deleted': { level: 'debug', message: 'deleted the record of an import' },
  'export.created': { level: 'debug', message: 'created an export' },
  'export.deleted': { level: 'debug', message: 'deleted an export' },
  'transfer_request.created': { level: 'info', message: 'offered a zone to another project' },
  'transfer_request.changed': { level: 'info', message: 'changed the offer of a zone' },
  'transfer_request.deleted': { level: 'info', message: 'withdrew the offer of a zone' },
  'refused.blacklist': { level: 'info', message: 'refused a blacklisted name' },
  'refused.undecided': { level: 'warn', message: 'refused a name that could not be checked' },
  'refused.tld': { level: 'info', message: 'refused a name that is not below a TLD, or is a TLD itself' },
  'refused.quota': { level: 'info', message: 'refused growth beyond a quota' },
  'refused.ownership': { level: 'info', message: 'refused a name above or below a zone of another project' },
  'refused.guardrail': { level: 'info', message: 'refused a change that a guardrail catches' },
  'refused.transfer_key': {
    level: 'warn',
    audit: true,
    message: 'refused a zone transfer with a wrong key',
  },
  'refused.policy': { level: 'info', message: 'refused an operation that the policy does not allow' },
};

function lineOf(type: EventType): EventLine {
  const [noun, verb] = type.split('.');
  return LINES[type] ?? { level: 'info', message: `${verb} a ${noun}` };
}

/** The owner has its own field: `project` is the project that the actor acts for. */
function targetFields({ kind, id, name, projectId }: Target): object {
  if (kind === 'project') return { owner: id };
  const key = kind.replace(' ', '_');
  return {
    [key]: name ?? id,
    ...(name === undefined || id === undefined ? {} : { [`${key}_id`]: id }),
    ...(projectId === undefined ? {} : { owner: projectId }),
  };
}

function actorFields({ projectId, caller, origin }: Event['context']): object {
  const from =
    origin.kind === 'request'
      ? { request_id: origin.requestId, address: origin.address }
      : { [origin.kind]: true };
  const { userName, userDomain, auditIds } = caller.details ?? {};
  const known =
    userName === undefined ? {} : { user_name: userName, user_domain: userDomain, token_audit_ids: auditIds };
  return { project: projectId, user: caller.userId, ...known, ...from };
}

function shareFields({ zoneId, targetProjectId }: Share): object {
  return { zone_id: zoneId, shared_with: targetProjectId };
}

function notedFields({ rules, found }: NonEnforcingMatches): object {
  return { blacklists: rules.map(({ id, mode }) => ({ id, mode })), found };
}

function quotaFields({ measure, limit, usage, percentage }: Omit<QuotaAlert, 'type'>): object {
  return { quota: measure, limit, usage, percentage };
}

function listFields(event: Event): object {
  if (event.type === 'blacklists.imported') return importFields(event);
  if (event.type === 'blacklists.synced') return { ...importFields(event), removed: event.removed };
  if (event.type === 'blacklists.list_changed') return { list: event.list, changed: event.changed };
  if (event.type === 'blacklists.list_repaired') return { list: event.list };
  if (event.type === 'blacklists.list_removed') return { list: event.list, removed: event.removed };
  return {};
}

function importFields({ added, present, list }: EventData['blacklists.imported']): object {
  return { added, present, ...(list === null ? {} : { list }) };
}

function webhookFields(event: Event): object {
  if (event.type === 'webhook.stopped') return { position: event.position, reason: event.reason };
  if (event.type === 'webhook.skipped') return { from: event.from, to: event.to, told: event.hasGapNotice };
  return event.type === 'webhook.forgotten' ? { position: event.position } : {};
}

function moreFields(event: Event): object {
  if ('error' in event) return { ...event.error.details, reason: event.error.message };
  if ('blacklistId' in event) return { blacklist: event.blacklistId };
  if ('noted' in event) return notedFields(event.noted);
  if (event.type === 'zone.transferred') return { transfer_request: event.request.id };
  if (event.type === 'share.created') return shareFields(event.after);
  if (event.type === 'share.deleted') return shareFields(event.before);
  if ('approach' in event) return quotaFields(event.approach);
  if (event.type === 'quotas.changed') return { changes: event.changes };
  if (event.type === 'tlds.imported') return { added: event.added, present: event.present };
  if (event.type.startsWith('webhook.')) return webhookFields(event);
  return listFields(event);
}

/** Writes events to the log. Only this sink writes lines with `audit: true`. */
export function logSink(log: Log): Sink {
  return (event) => {
    const { level, audit, message } = lineOf(event.type);
    const fields = {
      event: event.type,
      ...(audit ? { audit } : {}),
      ...actorFields(event.context),
      ...targetFields(event.target),
      ...moreFields(event),
    };
    log[level](fields, message);
  };
}
