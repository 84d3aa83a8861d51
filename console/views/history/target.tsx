import type { Event } from '../../api/types.ts';
import { Text } from '../../parts/told.tsx';
import { hrefOf } from '../../place.ts';

/** What an event is about; a zone that may still be there has a link. */
export function Target({ event: { type, outcome, target } }: { readonly event: Event }) {
  const shown = <Text text={target.name ?? target.id} />;
  const isZone = target.kind === 'zone' && outcome === 'done' && type !== 'zone.deleted';
  return isZone ? <a href={hrefOf(`zones/${target.id}`)}>{shown}</a> : shown;
}
