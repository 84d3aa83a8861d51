import type { Event } from '../../api/types.ts';
import { DnsName, Text } from '../../parts/told.tsx';
import { hrefOf } from '../../place.ts';

/** What has a name in the DNS. */
const NAMED = ['zone', 'recordset'];

/** What an event is about; a zone that may still be there has a link. */
export function Target({ event: { type, outcome, target } }: { readonly event: Event }) {
  const { kind, id, name } = target;
  if (!name || !NAMED.includes(kind)) return <Text text={name ?? id} />;
  const isThere = kind === 'zone' && outcome === 'done' && type !== 'zone.deleted';
  return <DnsName name={name} href={isThere ? hrefOf(`zones/${id}`) : undefined} />;
}
