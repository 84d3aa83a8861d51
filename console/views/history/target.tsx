import type { Event } from '../../api/types.ts';
import { DnsName, Text } from '../../parts/text.tsx';
import { hrefOf } from '../../place.ts';

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

/** Events after which a zone is not there. */
const GONE = ['zone.deleted', 'zone.forgotten'];
/** Kinds of targets that have a DNS name. */
const NAMED = ['zone', 'recordset'];

/** The target of an event, with a link if it is a zone that may still exist. */
export function Target({ event: { type, outcome, target } }: { readonly event: Event }) {
  const { kind, id, name } = target;
  if (!name || !NAMED.includes(kind)) return <Text text={name ?? id} />;
  const isThere = kind === 'zone' && outcome === 'done' && !GONE.includes(type);
  return <DnsName name={name} href={isThere ? hrefOf(`zones/${id}`) : undefined} />;
}
