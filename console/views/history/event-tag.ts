import type { Event } from '../../api/types.ts';

/** Types that are bad or doubtful news, although nothing was refused. */
const TONES: Readonly<Record<string, string>> = {
  'quota.near': 'warn',
  'quota.reached': 'refused',
  'webhook.stopped': 'refused',
};

/** The class of the tag of an event. */
export function tagOf({ type, outcome }: Event): string {
  return `tag ${TONES[type] ?? outcome}`;
}
