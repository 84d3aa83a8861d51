import { isDeepStrictEqual } from 'node:util';
import type { EventContents, EventFields } from './stored-event.ts';

/** Only the fields that differ; null where one side lacks a field. */
export function difference(before: EventFields, after: EventFields): EventContents {
  const names = Object.keys({ ...before, ...after });
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const those = (fields: EventFields) =>
    Object.fromEntries(changed.map((name) => [name, name in fields ? fields[name] : null]));
  return { before: those(before), after: those(after) };
}

/** All fields of a resource that is created or deleted; those that differ if it is changed. */
export function change(before: EventFields | undefined, after: EventFields | undefined): EventContents {
  return before !== undefined && after !== undefined ? difference(before, after) : { before, after };
}
