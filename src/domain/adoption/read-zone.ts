import type { AddressRule } from '../../addresses/address-rule.ts';
import { type AdoptionOutcome, thingOf } from './outcome.ts';
import { type AdoptionSource, type Given, GoneFromSource, type SourceZone } from './source.ts';
import { readWantedZone, type SourceZoneState } from './source-zone-state.ts';
import { readWantedSecondary, type WantedSecondary } from './wanted-secondary.ts';

const LEAVING = 'it is being deleted at the source';
const GONE = 'it was deleted at the source meanwhile';

/** Limits on zones that are read. */
export interface ZoneBounds {
  /** In bytes. */
  readonly maxZoneSize: number;
  readonly maySendTo: AddressRule;
}

function outcomeOf(zone: SourceZone, outcome: 'refused' | 'left out', reason: string): AdoptionOutcome {
  return { thing: thingOf(zone), id: zone.id, name: zone.name, outcome, reason };
}

async function readWanted(
  source: AdoptionSource,
  zone: SourceZone,
  { maxZoneSize, maySendTo }: ZoneBounds,
): Promise<SourceZoneState | WantedSecondary | AdoptionOutcome> {
  try {
    const wanted =
      zone.type === 'PRIMARY'
        ? await readWantedZone(source, zone, maxZoneSize)
        : await readWantedSecondary(source, zone, maySendTo);
    return typeof wanted === 'string' ? outcomeOf(zone, 'refused', wanted) : wanted;
  } catch (error) {
    if (error instanceof GoneFromSource) return outcomeOf(zone, 'left out', GONE);
    throw error;
  }
}

/**
 * Reads a zone with its recordsets or masters and its shares.
 * @returns the zone, or why it is not adopted
 * @throws SourceTrouble
 */
export async function readZone(
  source: AdoptionSource,
  given: Given<SourceZone>,
  bounds: ZoneBounds,
): Promise<SourceZoneState | WantedSecondary | AdoptionOutcome> {
  if (!given.ok) {
    const { id, name, reason } = given;
    return { thing: 'zone', id, name, outcome: 'refused', reason };
  }
  if (given.value.isLeaving) return outcomeOf(given.value, 'left out', LEAVING);
  return readWanted(source, given.value, bounds);
}
