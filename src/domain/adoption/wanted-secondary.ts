/** A secondary zone of the source, after every check that needs no store. */
import type { AddressRule } from '../../addresses/address-rule.ts';
import type { ServerAddress } from '../../model/pools/pool.ts';
import { formatMaster, MAX_MASTERS, parseMaster } from '../../model/secondaries/master-address.ts';
import type { AdoptionSource, SourceSecondary } from './source.ts';
import { readWantedShares, type WantedShares } from './wanted-shares.ts';

/** Its contents come from its masters. */
export interface WantedSecondary extends WantedShares {
  readonly zone: SourceSecondary;
  readonly masters: readonly ServerAddress[];
}

/** The distinct masters, or why one of them cannot be adopted. */
function readMasters(texts: readonly string[], maySendTo: AddressRule): readonly ServerAddress[] | string {
  const masters = new Map<string, ServerAddress>();
  for (const text of texts) {
    const parsed = parseMaster(text);
    if (!parsed.ok) return `The master ${text.slice(0, 300)} is not an IP address. Correct it at the source.`;
    const fault = maySendTo(parsed.value.host);
    if (fault !== undefined) return `${fault} See the option allowed_masters in [secondary].`;
    masters.set(formatMaster(parsed.value), parsed.value);
  }
  if (masters.size === 0) return 'The zone has no masters. Give it one at the source, or delete it there.';
  if (masters.size > MAX_MASTERS)
    return `The zone has ${masters.size} masters. Remove some at the source: at most ${MAX_MASTERS} are taken.`;
  return [...masters.values()];
}

/**
 * Reads what belongs to a secondary zone.
 * @returns the zone, or why it cannot be adopted
 * @throws SourceTrouble
 */
export async function readWantedSecondary(
  source: Pick<AdoptionSource, 'shares'>,
  zone: SourceSecondary,
  maySendTo: AddressRule,
): Promise<WantedSecondary | string> {
  const masters = readMasters(zone.masters, maySendTo);
  if (typeof masters === 'string') return masters;
  const { shares, refused } = await readWantedShares(source, zone);
  return { zone, masters, shares, refused };
}
