import type { Event } from '../../api/types.ts';

/** Event types that are bad news although nothing was rejected. */
const TONES: Readonly<Record<string, string>> = {
  'quota.near': 'warn',
  'quota.reached': 'refused',
  'webhook.stopped': 'refused',
};

/** The CSS class of an event's tag. */
export function tagOf({ type, outcome }: Event): string {
  return `tag ${TONES[type] ?? outcome}`;
}
