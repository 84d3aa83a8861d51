import { parentsOf } from '../../dns/names.ts';
import { isStorageFailure, waitedTooLong } from '../../model/errors.ts';
import { NothingWritten } from '../../model/store.ts';
import { Batcher, type BatchOutcome } from '../../runtime/batcher.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';
import type { creationDecisions, Decision } from './creation-decisions.ts';
import type { ZoneChanges } from './zone-changes.ts';
import { type CreatedZone, createdZone, emitFor, type ZoneCreateRequest } from './zone-create-request.ts';

/**
 * Batches are small, so that the next one does not wait long. While the database works on one, the service prepares
 * another.
 */
const BATCH = { batches: 2, items: 64, bytes: 262_144, patienceMs: 250, longestMs: 10_000 };

interface CreationLineDeps {
  readonly unitOfWork: Pick<UnitOfWork, 'commitTogether'>;
  readonly changes: Pick<ZoneChanges, 'writeTogether'>;
  readonly decisions: Pick<ReturnType<typeof creationDecisions>, 'together'>;
  alone(wanted: ZoneCreateRequest): Promise<CreatedZone>;
}

function outcomeOf(decision: Decision, { admission }: ZoneCreateRequest): BatchOutcome<CreatedZone> {
  if (decision.kind !== 'planned') return decision;
  return { kind: 'done', result: createdZone(decision.planned, admission) };
}

/** Approximate bytes that a create writes and queries, which include each name above its own. */
function sizeOf({ draft }: ZoneCreateRequest): number {
  const { name } = draft;
  return JSON.stringify(draft).length + name.length * parentsOf(name).length;
}

/** Batches creates in this process: those that wait together are decided and written together. */
export function creationBatcher({ unitOfWork, changes, decisions, alone }: CreationLineDeps) {
  /** Decides all creates in one transaction. If none is accepted, nothing is committed. */
  async function decide(wanted: readonly ZoneCreateRequest[], waits: boolean): Promise<readonly Decision[]> {
    let decided: readonly Decision[] = [];
    await unitOfWork.commitTogether(async (tx, emit) => {
      decided = await decisions.together(tx, wanted, waits);
      const accepted = decided.flatMap((one, place) =>
        one.kind === 'planned' ? [{ planned: one.planned, ...wanted[place]! }] : [],
      );
      if (accepted.length === 0) throw new NothingWritten();
      changes.writeTogether(
        tx,
        accepted.map(({ planned }) => planned),
      );
      for (const { context, planned, admission } of accepted)
        emitFor((eventDraft) => emit(context, eventDraft), planned, admission);
    });
    return decided;
  }

  const batcher = new Batcher<ZoneCreateRequest, CreatedZone>(BATCH, {
    alone,
    isForAll: isStorageFailure,
    overdue: waitedTooLong,
    async together(wanted, waits) {
      const decided = await decide(wanted, waits);
      return decided.map((one, place) => outcomeOf(one, wanted[place]!));
    },
  });

  return {
    /** @throws DomainError for a refusal, `storage_unavailable`; StaleRevision */
    add: (wanted: ZoneCreateRequest): Promise<CreatedZone> =>
      batcher.add(wanted.context.projectId, wanted, sizeOf(wanted)),
  };
}
