/** What an event of a resource stores of it. */
import { change } from './field-changes.ts';
import type { EventContents, EventFields } from './stored-event.ts';

/** What one type of event stores, and for whom. */
export interface EventSerializer<Data> {
  /** Who may see the event: only administrators, the owner of the target as well, or all projects concerned. */
  readonly shownTo: 'administrators' | 'owner' | 'projects';
  readonly contents: (event: Data) => EventContents;
}

/** Fields that are never changes by themselves, or that are part of the target. */
const NO_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'version',
  // Counters, not changed by a user.
  'exhausted',
  'hits',
]);

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields of a resource without secrets. */
export function fieldsOf(thing: object): EventFields {
  const own = Object.entries(thing).filter(([name]) => !NO_FIELDS.has(name));
  return Object.fromEntries(own.map(([name, value]) => [snakeCase(name), value]));
}

/** Serializers for a resource that is created, changed and deleted as a whole. */
export function whole<Thing extends object>(
  shownTo: EventSerializer<never>['shownTo'],
  fields: (thing: Thing) => EventFields = fieldsOf,
) {
  return {
    created: {
      shownTo,
      contents: ({ after }: { readonly after: Thing }) => change(undefined, fields(after)),
    },
    changed: {
      shownTo,
      contents: ({ before, after }: { readonly before: Thing; readonly after: Thing }) =>
        change(fields(before), fields(after)),
    },
    deleted: {
      shownTo,
      contents: ({ before }: { readonly before: Thing }) => change(fields(before), undefined),
    },
  };
}
