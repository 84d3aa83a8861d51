import { later } from '../../model/clock.ts';
import { type RequestContext, serviceContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { refusedMasters } from '../../model/secondaries/master-address.ts';
import { noticePause, ownerPause } from '../../model/secondaries/pauses.ts';
import type { DueSecondary, Secondaries } from '../../model/secondaries/secondary.ts';
import type { ClaimedSecondary } from '../../model/secondaries/store.ts';
import { maySeeAll, opensZone, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { AccessControl } from '../access/access-control.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { lockZone } from '../zones/visible-zone.ts';
import { type ApplyTransferDeps, applyTransfer } from './apply-transfer.ts';
import { type ContactDeps, contactsOver } from './contacts.ts';
import { earlierMastersFault } from './earlier-masters.ts';

/** Time for which a claimed zone is left to the process that claimed it, in milliseconds. */
const LEASE = 300_000;
/** Maximum number of zones that expire in one transaction. */
const MAX_EXPIRING = 100;

export interface SecondaryUseCaseDeps
  extends Omit<ApplyTransferDeps, 'contacts'>,
    Pick<ContactDeps, 'settings'> {
  readonly access: AccessControl;
}

/** The use cases of secondary zones, for the transferring side and for owners. */
export function secondaryUseCases(deps: SecondaryUseCaseDeps) {
  const { store, clock, access, unitOfWork, settings } = deps;
  const contacts = contactsOver({ store, clock, settings });

  /** The masters that may be queried: the operator may have changed the rule since they were set. */
  const allowed = (masters: DueSecondary['masters']) =>
    masters.filter(({ host }) => settings.maySendTo(host) === undefined);

  const keyOf = (keys: readonly TsigKey[], zoneId: string) =>
    keys.find((key) => opensZone(key, zoneId) && maySeeAll(key));

  async function dueOf(claimed: readonly ClaimedSecondary[]): Promise<readonly DueSecondary[]> {
    const due: DueSecondary[] = [];
    const keys = await store.tsigKeys.ofZones(claimed.map(({ zoneId }) => zoneId));
    for (const { zoneId: id, masters, ...zone } of claimed) {
      const asked = allowed(masters);
      const reason = refusedMasters(masters, settings.maySendTo) ?? 'The zone has no masters.';
      if (asked.length === 0) await contacts.fail(id, { reason, isOfMasters: true, isCostly: false });
      else due.push({ ...zone, id, masters: asked, key: keyOf(keys, id) ?? null });
    }
    return due;
  }

  /** Expires zones whose masters have not responded in time: they are no longer served. */
  const expire = (): Promise<void> =>
    unitOfWork.commit(serviceContext(''), async (tx, emit) => {
      for (const zone of await tx.secondaries.expire(clock.now(), MAX_EXPIRING))
        emit({ type: 'zone.expired', target: zoneTarget(zone) });
    });

  const port: Secondaries = {
    async claim(limit, places) {
      if (!(await store.secondaries.hasWork(clock.now()))) return [];
      await expire();
      const claimed = await store.transaction((tx) => {
        const now = clock.now();
        return tx.secondaries.claim(now, later(now, LEASE), limit, places);
      });
      return claimed.length === 0 ? [] : dueOf(claimed);
    },

    async notified(name, address, keyName) {
      const state = await store.secondaries.findByName(name);
      if (state === undefined || !allowed(state.masters).some(({ host }) => host === address)) return false;
      if ((await store.tsigKeys.findOfZone(state.zoneId))?.name !== keyName) return false;
      const when = noticePause(clock.now(), state.attempts);
      // Write nothing if the zone is already due by then.
      if (state.dueAt > when.afterPause)
        await store.transaction(async (tx) => tx.secondaries.order(state.zoneId, when, false));
      return true;
    },

    take: applyTransfer({ ...deps, contacts }),

    current: (zone, soa) =>
      store.transaction((tx) => contacts.keep(tx, zone.id, soa, false, earlierMastersFault(zone, soa))),

    failed: (zone, failure) => contacts.fail(zone.id, failure),

    released: ({ id }) => store.transaction(async (tx) => tx.secondaries.release(id, clock.now())),
  };

  return {
    ...port,

    /** Streams the zones with masters that the operator does not allow, each with the reason. */
    async *withRefusedMasters(): AsyncGenerator<{ readonly name: string; readonly reason: string }, void> {
      let zones = await store.secondaries.page('');
      while (zones.length > 0) {
        for (const { name, masters } of zones) {
          const reason = refusedMasters(masters, settings.maySendTo);
          if (reason !== undefined) yield { name, reason };
        }
        zones = await store.secondaries.page(zones.at(-1)!.zoneId);
      }
    },

    /**
     * Queries the masters of a zone at once, for a full transfer.
     * @throws DomainError `not_secondary`
     */
    transferAnew(context: RequestContext, id: string): Promise<void> {
      return unitOfWork.change(context, { kind: 'zone', id }, async (tx) => {
        const zone = await lockZone(tx, access, context, 'xfr_zone', id);
        if (zone.type !== 'SECONDARY') throw new DomainError('not_secondary');
        const state = await tx.secondaries.retryOf(id);
        tx.secondaries.order(id, ownerPause(clock.now(), state?.attempts), true);
      });
    },
  };
}

export type SecondaryUseCases = ReturnType<typeof secondaryUseCases>;
