/** What events about changes of zones and recordsets store. */
import type { ContentChange } from '../changes/contents.ts';
import type { AppliedChange, AppliedUpdate } from '../changes/zone-change.ts';
import { change, difference } from '../events/field-changes.ts';
import type { EventContents, EventFields } from '../events/stored-event.ts';
import { shownOutcome } from '../guardrails/guardrail.ts';
import { protectionFields } from '../protection/protection.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import { hiddenFields } from '../zones/hidden-records.ts';
import type { EventData } from './event.ts';
import { zoneFields } from './event-fields.ts';

export function ofZone(applied: AppliedChange): EventContents {
  const { before, after } = applied;
  const { hides, restored } = applied.kind === 'creation' ? applied : {};
  const changed = change(before && zoneFields(before, after), after && zoneFields(after, before));
  const details = {
    ...(restored && { change_id: applied.changeId }),
    ...(hides && { hides: hiddenFields(hides) }),
  };
  return Object.keys(details).length === 0 ? changed : { ...changed, details };
}

/** The recordset that the request changed. The SOA, which changes with every serial, is managed. */
function meantBy({ contents: { parts } }: AppliedUpdate): ContentChange | undefined {
  const found = Array.isArray(parts) ? (parts as readonly ContentChange[]) : [];
  return found.find(({ recordset }) => !recordset.managed);
}

/** @param other the recordset on the other side of a change */
function recordsetFields(recordset: Recordset, other?: Recordset): EventFields {
  const { name, type, ttl, records, description, protection, expiresAt } = recordset;
  const mayExpire = expiresAt !== null || other?.expiresAt != null;
  return {
    name,
    type,
    ttl,
    records,
    description,
    ...protectionFields(protection, other?.protection ?? null),
    ...(mayExpire && { expires_at: expiresAt }),
  };
}

export function ofRecordset(applied: EventData['recordset.changed']): EventContents {
  const part = meantBy(applied);
  if (part === undefined) return ofZone(applied);
  const { id, name, type } = part.recordset;
  const now = recordsetFields(part.recordset, part.kind === 'replaced' ? part.before : undefined);
  const { warnings = [], overrides = [] } = applied;
  const details = {
    recordset: { id, name, type },
    serial: applied.after.serial,
    ...shownOutcome({ warnings, overrides }),
  };
  if (part.kind === 'added') return { after: now, details };
  if (part.kind === 'removed') return { before: now, details };
  return { ...difference(recordsetFields(part.before, part.recordset), now), details };
}
