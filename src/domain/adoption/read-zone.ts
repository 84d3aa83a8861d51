import type { Outcome } from './outcome.ts';
import { type Given, GoneFromSource, type Source, type SourceZone } from './source.ts';
import { readWantedZone, type WantedZone } from './wanted-zone.ts';

const SECONDARY = 'It is a secondary zone. Create it here with its masters.';
const LEAVING = 'it is being deleted at the source';
const GONE = 'it was deleted at the source meanwhile';

type About = Pick<Outcome, 'id' | 'name'>;

function outcomeOf({ id, name }: About, outcome: 'refused' | 'left out', reason: string): Outcome {
  return { thing: 'zone', id, name, outcome, reason };
}

async function readWanted(
  source: Source,
  zone: SourceZone,
  maxZoneSize: number,
): Promise<WantedZone | Outcome> {
  try {
    const wanted = await readWantedZone(source, zone, maxZoneSize);
    return typeof wanted === 'string' ? outcomeOf(zone, 'refused', wanted) : wanted;
  } catch (error) {
    if (error instanceof GoneFromSource) return outcomeOf(zone, 'left out', GONE);
    throw error;
  }
}

/**
 * A zone with its recordsets, or why it is not taken.
 * @param maxZoneSize bytes
 * @throws SourceTrouble
 */
export async function readZone(
  source: Source,
  given: Given<SourceZone>,
  maxZoneSize: number,
): Promise<WantedZone | Outcome> {
  if (!given.ok) return outcomeOf(given, 'refused', given.reason);
  if (given.value.isLeaving) return outcomeOf(given.value, 'left out', LEAVING);
  if (given.value.type === 'SECONDARY') return outcomeOf(given.value, 'refused', SECONDARY);
  return readWanted(source, given.value, maxZoneSize);
}
