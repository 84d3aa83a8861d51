/** Applies transfers, in full or not at all. */
import { isDeepStrictEqual } from 'node:util';
import { isLaterSerial } from '../../dns/serial.ts';
import type { Contents } from '../../model/changes/contents.ts';
import { serviceContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { type Limits, limitsOf, UNLIMITED } from '../../model/quotas/quota.ts';
import {
  type DueSecondary,
  type IncomingSoa,
  type IncomingTransfer,
  type Secondaries,
  TransferFault,
} from '../../model/secondaries/secondary.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import type { ZoneFileLimits } from '../zone-files/running-counts.ts';
import { changedBy } from '../zones/change-source.ts';
import { lockOwners, type ZoneChanges } from '../zones/zone-changes.ts';
import type { MasterContacts } from './contacts.ts';
import { readSteps, stepContents } from './difference-steps.ts';
import { collectRecords, requireSoa } from './incoming-records.ts';
import { wholeContents } from './whole-zone.ts';

export interface ApplyTransferDeps extends Omit<UseCaseDeps, 'access'> {
  readonly changes: ZoneChanges;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  /** In bytes. */
  readonly maxZoneSize: number;
  readonly contacts: MasterContacts;
}

/** The contents that a transfer gives a locked zone; undefined if it does not match. */
type ContentsFor = (tx: Transaction, zone: Zone) => Promise<Contents | undefined>;

/** The limit, raised to what already exists. */
const atLeast = (limit: number, present: number): number =>
  limit === UNLIMITED ? limit : Math.max(limit, present);

/** Turns quota refusals into transfer faults. */
async function asFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'over_quota') throw error;
    throw new TransferFault(error.message, { cause: error });
  }
}

/**
 * The zone, if it has not changed since it was claimed.
 * @throws TransferFault
 */
function requireUnmoved(zone: Zone | undefined, { serial, masters }: DueSecondary): Zone {
  if (zone === undefined || zone.action === 'DELETE') throw new TransferFault('The zone is deleted.');
  const isUnmoved = (zone.isAwaited ? null : zone.serial) === serial;
  const knows = masters.every((one) => zone.masters.some((other) => isDeepStrictEqual(one, other)));
  if (!isUnmoved || !knows) throw new TransferFault('The zone changed during the transfer.');
  return zone;
}

/**
 * Rejects a serial that is not later, unless a full transfer was requested.
 * @throws TransferFault
 */
function requireLater(serial: number, zone: Zone, { wantsWhole }: DueSecondary): void {
  if (wantsWhole || zone.isAwaited || isLaterSerial(serial, zone.serial)) return;
  throw new TransferFault(
    `A master sent the serial ${serial}, which is not later than ${zone.serial}. If its serials were reset, request the whole zone: POST to its tasks/xfr.`,
  );
}

/** True if name servers would refuse the new version, because they have a later serial, or this one with other data. */
function goesBack({ serial }: IncomingSoa, zone: Zone, { steps }: Contents): boolean {
  if (zone.isAwaited || isLaterSerial(serial, zone.serial)) return false;
  return serial !== zone.serial || steps;
}

export function applyTransfer(deps: ApplyTransferDeps): Secondaries['take'] {
  const { store, clock, unitOfWork, changes, quotas, maxZoneSize, contacts } = deps;

  async function limitsFor(zone: Zone): Promise<ZoneFileLimits> {
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    return {
      zone_recordsets: atLeast(limits.zone_recordsets, zone.recordsets),
      zone_records: atLeast(limits.zone_records, zone.records),
      // The size of the largest existing recordset is not known here.
      recordset_records: atLeast(limits.recordset_records, zone.records),
      max_zone_size: atLeast(maxZoneSize, zone.bytes),
    };
  }

  /** Reads what can be read before the zone is locked. */
  async function read(zone: Zone, transfer: IncomingTransfer): Promise<ContentsFor> {
    if (transfer.kind === 'differences') {
      const steps = await readSteps(zone, transfer.steps);
      const isComplete = steps.at(-1)?.to === transfer.soa.serial;
      return async (tx, held) => (isComplete ? stepContents(tx, held, steps, clock) : undefined);
    }
    const table = await collectRecords(transfer.records, zone, await limitsFor(zone));
    return (tx, held) => wholeContents(tx, held, table, clock);
  }

  async function take(due: DueSecondary, transfer: IncomingTransfer): Promise<'taken' | 'misfit'> {
    const soa = requireSoa(transfer.soa);
    const found = requireUnmoved(await store.zones.find(due.id, 'all projects'), due);
    requireLater(soa.serial, found, due);
    const contentsFor = await read(found, transfer);
    const context = serviceContext(found.projectId);
    const by = changedBy(context, 'transfer');
    return unitOfWork.commit<'taken' | 'misfit'>(context, async (tx, emit) => {
      const zone = requireUnmoved(await tx.zones.lock(due.id, 'all projects'), due);
      const owners = await lockOwners(tx, zone.projectId);
      const contents = await contentsFor(tx, zone);
      if (contents === undefined) return 'misfit';
      const applied = await changes.apply(tx, { kind: 'transfer', zone, soa, contents, by }, owners);
      await contacts.keep(tx, due.id, soa, true);
      const target = zoneTarget(zone);
      emit({ type: 'zone.received', target, ...applied });
      if (goesBack(soa, zone, contents) && (await tx.publications.relabel(zone.id, clock.now())))
        emit({ type: 'zone.relabelled', target });
      return 'taken';
    });
  }

  return (due, transfer) => asFaults(() => take(due, transfer));
}
