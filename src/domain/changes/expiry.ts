/** Deletes recordsets that have expired: those of a zone together, as one change by the service. */
import { serviceContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { GUARDRAIL_NAMES } from '../../model/guardrails/guardrail.ts';
import type { ExpiredRecordset } from '../../model/recordsets/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease } from '../../runtime/lease.ts';
import type { Log } from '../../runtime/log.ts';
import type { ChangeRequest } from './change-request.ts';
import { type ChangeDeps, changeExecution } from './execution.ts';
import type { Intent } from './intents.ts';
import type { WantedChanges } from './wanted-changes.ts';

const LEASE_MS = 10_000;
const INTERVAL_MS = 5000;
const GAP_MS = 5;
/** Recordsets of one change. Those that are left wait for the next pass. */
const AT_ONCE = 2000;

export interface ExpiryJobDeps extends ChangeDeps {
  readonly log: Log;
}

function deletionOf({ name, type }: Pick<Intent, 'name' | 'type'>): Intent {
  return {
    name,
    type,
    positions: [],
    mayCreate: false,
    resolve: () => ({ kind: 'resolved', after: undefined }),
  };
}

/** Finds what has expired once the zone is locked: until then, an update may put the end off. */
function expiredBy(now: string): WantedChanges {
  return {
    bytes: 0,
    recordsets: AT_ONCE,
    rows: 0,
    names: () => [],
    async intentsIn(reads, { id }) {
      const expired = await reads.expiredIn(id, now, AT_ONCE);
      return { intents: expired.map(deletionOf), unchanged: 0 };
    },
  };
}

function requestFor(zoneId: string, now: string): ChangeRequest {
  return {
    zoneId,
    rule: 'delete_recordset',
    door: 'service',
    pathRoot: 'changes',
    // The caller chose this when setting the time, so guardrails only warn.
    options: { dryRun: false, overrides: GUARDRAIL_NAMES, description: 'Expired' },
    wantedOf: async () => expiredBy(now),
  };
}

/**
 * The job that deletes what has expired, in one process at a time. One pass goes through all that has expired, so that
 * a zone that cannot be changed now, such as one that is being deleted, keeps nobody waiting.
 */
export function expiryJob(deps: ExpiryJobDeps): Job {
  const { store, clock, log } = deps;
  const execute = changeExecution(deps);
  let last: ExpiredRecordset | undefined;

  async function deleteIn(zoneId: string, projectId: string): Promise<void> {
    try {
      await execute(serviceContext(projectId), requestFor(zoneId, clock.now()));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.warn({ err: error, zone: zoneId }, 'cannot delete the expired recordsets of a zone');
    }
  }

  return {
    name: 'expiry',
    intervalMs: INTERVAL_MS,
    gapMs: GAP_MS,
    retry: { firstMs: 1000, factor: 2, maxMs: INTERVAL_MS },
    yieldsToRequests: true,
    lease: { lease: new Lease('expiry', { store, clock, log }, LEASE_MS) },
    async isDue() {
      if (await store.recordsetIndexes.isBehind()) return false;
      return (await store.recordsets.expired(clock.now(), undefined)).length > 0;
    },
    async slice(signal) {
      const expired = await store.recordsets.expired(clock.now(), last);
      last = expired.at(-1);
      for (const zoneId of new Set(expired.map((one) => one.zoneId))) {
        if (signal.aborted) break;
        const zone = await store.zones.find(zoneId, 'all projects');
        if (zone !== undefined && zone.action !== 'DELETE') await deleteIn(zoneId, zone.projectId);
      }
      return last !== undefined;
    },
    async release() {
      last = undefined;
    },
  };
}
