/** Adopts a secondary zone without its contents, which its masters send. */

import { NO_CONTENTS } from '../../model/changes/contents.ts';
import { epochSeconds } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { changedBy } from '../zones/change-source.ts';
import { lockZone } from '../zones/visible-zone.ts';
import type { InitialContents } from '../zones/zone-create-request.ts';
import { insertShares, readShares, shareChanges } from './adopted-shares.ts';
import type { AdoptionOutcome } from './outcome.ts';
import type { WantedSecondary } from './wanted-secondary.ts';
import { adoptionBy, leftBy, outcomeOf, updatedTo, type ZoneAdoptionDeps } from './zone-adoption.ts';
import { describeDifferences, isAnother, isEqual, secondaryDifferences } from './zone-differences.ts';

const AWAITED = 'its first transfer has not come yet';

export function secondaryAdoption({
  store,
  clock,
  access,
  unitOfWork,
  changes,
  createZone,
}: ZoneAdoptionDeps) {
  async function add(context: RequestContext, wanted: WantedSecondary): Promise<readonly AdoptionOutcome[]> {
    const { id, projectId, version, createdAt, updatedAt, poolId, name, description, attributes } =
      wanted.zone;
    // Applies until the first transfer, as for any new zone.
    const serial = epochSeconds(clock.now());
    const filling: InitialContents = {
      serial,
      kept: { id, serial, version, createdAt, updatedAt, transferredAt: null, poolId },
      contents: () => NO_CONTENTS,
      require: (tx, zone) => insertShares(tx, zone, wanted.shares),
      also() {},
    };
    const draft = { name, masters: wanted.masters, description, attributes };
    const { bypassed } = await createZone({ ...context, projectId }, draft, filling);
    const reason = bypassed === undefined ? undefined : `its name matches the blacklist ${bypassed}`;
    return [outcomeOf(wanted, 'added', reason), ...wanted.refused];
  }

  async function differencesTo(wanted: WantedSecondary, zone: Zone) {
    const present = await readShares(store.shares, zone.id);
    const guests = present.map(({ targetProjectId }) => targetProjectId);
    const differences = secondaryDifferences(wanted, { zone, guests });
    return { differences, shares: shareChanges(wanted, present, []) };
  }

  async function update(
    context: RequestContext,
    wanted: WantedSecondary,
  ): Promise<readonly AdoptionOutcome[]> {
    const { id, description } = wanted.zone;
    const fields = await unitOfWork.change(context, { kind: 'zone', id }, async (tx, emit) => {
      const zone = await lockZone(tx, access, context, 'update_zone', id);
      const { differences, shares } = await differencesTo(wanted, zone);
      await insertShares(tx, zone, shares.missing);
      for (const share of shares.over) tx.shares.remove(share.id);
      const properties = {
        description,
        ...(differences.fields.includes('masters') ? { masters: wanted.masters } : {}),
      };
      const by = changedBy(context, 'import');
      const change = { kind: 'update', zone, properties, contents: NO_CONTENTS, by } as const;
      const applied = await changes.apply(tx, change);
      emit({ type: 'zone.changed', target: zoneTarget(zone), ...applied });
      return leftBy(differences, false);
    });
    return [updatedTo(wanted, { fields, recordsets: [] }), ...wanted.refused];
  }

  /** The outcome for a zone without differences. */
  function present(wanted: WantedSecondary, zone: Zone): AdoptionOutcome {
    return outcomeOf(wanted, 'present', zone.isAwaited ? AWAITED : undefined);
  }

  return adoptionBy<WantedSecondary>(store, {
    add,
    async takePresent(context, wanted, zone, mode) {
      const { differences } = await differencesTo(wanted, zone);
      if (isEqual(differences)) return [present(wanted, zone), ...wanted.refused];
      if (mode === 'update' && !isAnother(differences)) return update(context, wanted);
      return [outcomeOf(wanted, 'different', describeDifferences(differences)), ...wanted.refused];
    },
  });
}
