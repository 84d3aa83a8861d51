import type { EventType } from './event.ts';

/** Event types that reveal matching blacklists, with the types that projects see instead. */
export const VISIBLE_AS = {
  'zone.created_blacklisted': 'zone.created',
  'zone.created_noted': 'zone.created',
  'recordset.created_blacklisted': 'recordset.created',
  'recordset.created_noted': 'recordset.created',
} as const satisfies Partial<Record<EventType, EventType>>;

/** The type of an event as shown to those who may not see everything. */
export function visibleType(type: string): string {
  return (VISIBLE_AS as Readonly<Record<string, string>>)[type] ?? type;
}
