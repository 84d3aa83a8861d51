/** What each type of event stores: the only place that decides which fields of a resource an event contains. */
import type { Blacklist } from '../blacklists/blacklist.ts';
import { RESOURCE_EVENTS } from '../combined-resources.ts';
import { type EventSerializer, fieldsOf, whole } from '../events/event-serializer.ts';
import { difference } from '../events/field-changes.ts';
import type { EventContents } from '../events/stored-event.ts';
import type { Pool } from '../pools/pool.ts';
import { ofRecordset, ofZone } from './applied-contents.ts';
import type { EventData, EventDraft, EventType } from './event.ts';
import {
  blacklistFields,
  deletedZoneFields,
  poolFields,
  requestFields,
  shareFields,
  tokenFields,
  tsigKeyFields,
} from './event-fields.ts';
import { withAllowed, withNoted } from './noted-contents.ts';

type EventSerializers = { readonly [T in EventType]: EventSerializer<EventData[T]> };

const NOTHING_MORE = { shownTo: 'projects', contents: () => ({}) } as const;
const OF_ZONE = { shownTo: 'projects', contents: ofZone } as const;
const OF_RECORDSET = { shownTo: 'projects', contents: ofRecordset } as const;

const APPROACH = {
  shownTo: 'projects',
  contents: ({
    approach: { measure, limit, usage, percentage },
  }: EventData['quota.near']): EventContents => ({
    details: { quota: measure, limit, usage, percentage },
  }),
} as const;

/** Only administrators see the reason for a refusal: it may be a pattern. */
const REFUSED = {
  shownTo: 'projects',
  contents: ({ error: { message, details } }: EventData['refused.quota']): EventContents => {
    const { blacklist, ...others } = details;
    const restricted = { ...others, ...(blacklist === undefined ? {} : { blacklist_id: blacklist }) };
    return { details: { message }, ...(Object.keys(restricted).length === 0 ? {} : { restricted }) };
  },
} as const;

const BLACKLIST = whole<Blacklist>('administrators', blacklistFields);
const POOL = whole<Pool>('administrators', poolFields);
const TSIG_KEY = whole('owner', tsigKeyFields);
const REQUEST = whole('projects', requestFields);
const TASK = whole<object>('projects');
const SHARE = whole('projects', shareFields);

const SERIALIZERS: EventSerializers = {
  'blacklist.created': BLACKLIST.created,
  'blacklist.changed': BLACKLIST.changed,
  'blacklist.deleted': BLACKLIST.deleted,
  'blacklist.expired': BLACKLIST.created,
  'blacklists.imported': {
    shownTo: 'administrators',
    contents: ({ added, present, list, sha256, revision }) => ({
      details: { added, present, list, sha256, revision },
    }),
  },
  'blacklists.synced': {
    shownTo: 'administrators',
    contents: ({ added, present, removed, released, list, sha256, revision }) => ({
      details: { added, present, removed, released, list, sha256, revision },
    }),
  },
  'blacklists.list_changed': {
    shownTo: 'administrators',
    contents: ({ list, terms, changed, revision }) => ({
      after: fieldsOf(terms),
      details: { list, changed, revision },
    }),
  },
  'blacklists.list_removed': {
    shownTo: 'administrators',
    contents: ({ list, removed, released, revision }) => ({ details: { list, removed, released, revision } }),
  },
  'blacklists.list_repaired': {
    shownTo: 'administrators',
    contents: ({ list }) => ({ details: { list } }),
  },
  ...RESOURCE_EVENTS,
  'pool.created': POOL.created,
  'pool.changed': POOL.changed,
  'pool.deleted': POOL.deleted,
  'tsigkey.created': TSIG_KEY.created,
  'tsigkey.changed': TSIG_KEY.changed,
  'tsigkey.deleted': TSIG_KEY.deleted,
  'quotas.changed': {
    shownTo: 'projects',
    contents: ({ changes, before, after }) => ({ ...difference(before, after), details: { changes } }),
  },
  'quotas.reset': { shownTo: 'projects', contents: ({ before, after }) => difference(before, after) },
  'quota.near': APPROACH,
  'quota.reached': APPROACH,
  'share.created': SHARE.created,
  'share.deleted': SHARE.deleted,
  'share.repaired': NOTHING_MORE,
  'project.repaired': NOTHING_MORE,
  'token.created': {
    shownTo: 'administrators',
    contents: ({ after }) => ({ after: tokenFields(after) }),
  },
  'token.revoked': { shownTo: 'administrators', contents: () => ({}) },
  'import.deleted': TASK.deleted,
  'export.created': TASK.created,
  'export.deleted': TASK.deleted,
  'transfer_request.created': REQUEST.created,
  'transfer_request.changed': REQUEST.changed,
  'transfer_request.deleted': REQUEST.deleted,
  'webhook.stopped': {
    shownTo: 'administrators',
    contents: ({ position, reason }) => ({ details: { position, reason } }),
  },
  'webhook.resumed': { shownTo: 'administrators', contents: () => ({}) },
  'webhook.skipped': {
    shownTo: 'administrators',
    contents: ({ from, to, hasGapNotice }) => ({ details: { from, to, told: hasGapNotice } }),
  },
  'webhook.forgotten': {
    shownTo: 'administrators',
    contents: ({ position }) => ({ details: { position } }),
  },
  'zone.created': OF_ZONE,
  'zone.created_blacklisted': {
    shownTo: 'projects',
    contents: (event) => ({ ...ofZone(event), restricted: { blacklist_id: event.blacklistId } }),
  },
  'zone.created_noted': {
    shownTo: 'projects',
    contents: (event) => withNoted(ofZone(event), event.noted),
  },
  'zone.changed': OF_ZONE,
  'zone.guardrails_changed': {
    shownTo: 'projects',
    contents: ({ before, after }) => difference(before, after),
  },
  'zone.deleted': OF_ZONE,
  'zone.restored': {
    shownTo: 'projects',
    contents: (event) => withAllowed(ofZone(event), event.allowed),
  },
  'zone.forgotten': whole('projects', deletedZoneFields).deleted,
  'zone.abandoned': OF_ZONE,
  'zone.pool_move_started': {
    shownTo: 'projects',
    contents: ({ from, to }) => ({ before: { pool_id: from }, after: { pool_id: to } }),
  },
  'zone.transferred': {
    shownTo: 'projects',
    contents: (event) => ({ ...ofZone(event), details: { transfer_request_id: event.request.id } }),
  },
  'zone.received': OF_ZONE,
  'zone.relabelled': NOTHING_MORE,
  'zone.expired': NOTHING_MORE,
  'zone.repaired': OF_ZONE,
  'recordset.created': OF_RECORDSET,
  'recordset.created_blacklisted': {
    shownTo: 'projects',
    contents: (event) => ({ ...ofRecordset(event), restricted: { blacklist_id: event.blacklistId } }),
  },
  'recordset.created_noted': {
    shownTo: 'projects',
    contents: (event) => withNoted(ofRecordset(event), event.noted),
  },
  'recordset.changed': OF_RECORDSET,
  'recordset.deleted': OF_RECORDSET,
  'recordsets.changed': {
    shownTo: 'projects',
    contents: (event) => {
      const { change: made, allowed, warnings, overrides } = event;
      const { id, ...about } = made;
      const contents = { ...ofZone(event), details: { change_id: id, ...about, warnings, overrides } };
      return withAllowed(contents, allowed);
    },
  },
  'refused.blacklist': REFUSED,
  'refused.undecided': REFUSED,
  'refused.tld': REFUSED,
  'refused.quota': REFUSED,
  'refused.ownership': REFUSED,
  'refused.guardrail': REFUSED,
  'refused.transfer_key': REFUSED,
  'refused.policy': REFUSED,
};

/** Every type of event, and who may see it. */
export const EVENT_TYPES = Object.entries(SERIALIZERS).map(([type, { shownTo }]) => ({ type, shownTo }));

/** What is stored of an event, and whether the projects concerned may see it. */
export function contentsOf(event: EventDraft): {
  readonly contents: EventContents;
  readonly isShown: boolean;
} {
  const { shownTo, contents } = SERIALIZERS[event.type];
  const isShown = shownTo === 'owner' ? event.target.projectId !== undefined : shownTo === 'projects';
  return { contents: contents(event as never), isShown };
}
