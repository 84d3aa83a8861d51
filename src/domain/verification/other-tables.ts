/** Rules for stored shares, transfer requests and accepts, task records, API tokens and idempotency answers. */

import { isProjectId } from '../../model/project-id.ts';
import type { ZoneTask } from '../../model/tasks/zone-task.ts';
import type { TransferAccept } from '../../model/transfers/transfer.ts';
import type {
  Finding,
  StoredAnswer,
  StoredCheck,
  StoredShare,
  StoredToken,
  StoredTransferRequest,
  VerificationReads,
} from '../../model/verification/stored.ts';
import { faultsOf } from '../../model/verification/stored.ts';
import { description, updatedLater, wellFormedId, wellFormedTimes } from './rules.ts';

const REQUEST_STATUSES: readonly string[] = ['ACTIVE', 'COMPLETE', 'ERROR'];
const SHA_256 = /^[0-9a-f]{64}$/;
const TOKEN_ID = /^[0-9a-f]{16}$/;

const ofProject: StoredCheck<{ readonly projectId: string }> = ({ projectId }) =>
  isProjectId(projectId) ? undefined : 'The project id is not valid.';

const keyFault = (key: string) => (key === '' ? 'The key is missing.' : undefined);

const REQUEST_CHECKS: readonly StoredCheck<StoredTransferRequest>[] = [
  ...[wellFormedId, wellFormedTimes, updatedLater, description, ofProject].map(
    (check) =>
      ({ request }: StoredTransferRequest) =>
        check(request),
  ),
  ({ request: { targetProjectId: target } }) =>
    target === null || isProjectId(target) ? undefined : 'The target project id is not valid.',
  ({ request: { status } }) =>
    REQUEST_STATUSES.includes(status) ? undefined : `The status ${status} is unknown.`,
  ({ request: { key } }) => keyFault(key),
  ({ request: { status }, owner }) =>
    status === 'ACTIVE' && owner === undefined ? 'It is open, but its zone does not exist.' : undefined,
  ({ request: { status, projectId }, owner }) =>
    status === 'ACTIVE' && owner !== undefined && owner !== projectId
      ? `It is open, but the zone belongs to the project ${owner}.`
      : undefined,
];

const ACCEPT_CHECKS: readonly StoredCheck<TransferAccept>[] = [
  wellFormedId,
  ofProject,
  ({ createdAt }) => wellFormedTimes({ createdAt, updatedAt: null }),
  ({ key }) => keyFault(key),
  ({ zoneId }) => wellFormedId({ id: zoneId }) && 'The zone id is not valid.',
];

const SHARE_CHECKS: readonly StoredCheck<StoredShare>[] = [
  ...[wellFormedId, wellFormedTimes, updatedLater, ofProject].map(
    (check) =>
      ({ share }: StoredShare) =>
        check(share),
  ),
  ({ share: { targetProjectId: target } }) =>
    isProjectId(target) ? undefined : 'The target project id is not valid.',
  ({ readable }) => (readable ? undefined : 'The scope cannot be read.'),
  ({ owner }) => (owner === undefined ? 'Its zone does not exist.' : undefined),
  ({ share: { projectId }, owner }) =>
    owner === undefined || owner === projectId ? undefined : `The zone belongs to the project ${owner}.`,
  ({ share: { targetProjectId }, owner }) =>
    owner === targetProjectId ? 'The zone is shared with its owner.' : undefined,
];

const shareCounter: StoredCheck<StoredShare> = ({ share: { recordsets }, counted }) =>
  recordsets === counted
    ? undefined
    : `The counter says ${recordsets} recordsets of the other project; there are ${counted}.`;

const TASK_CHECKS: readonly StoredCheck<ZoneTask>[] = [
  wellFormedId,
  wellFormedTimes,
  updatedLater,
  ofProject,
  ({ kind }) => (kind === 'import' || kind === 'export' ? undefined : `The kind ${kind} is unknown.`),
  ({ status }) => (status === 'COMPLETE' ? undefined : `The status ${status} is unknown.`),
  ({ zoneId }) => wellFormedId({ id: zoneId }) && 'The zone id is not valid.',
];

const TOKEN_CHECKS: readonly StoredCheck<StoredToken>[] = [
  ({ token: { id } }) => (TOKEN_ID.test(id) ? undefined : 'The id is not valid.'),
  ({ token: { hash } }) => (SHA_256.test(hash) ? undefined : 'The hash is not valid.'),
  ({ token }) => ofProject(token),
  ({ token }) => description(token),
  ({ token: { createdAt, expiresAt } }) => wellFormedTimes({ createdAt, updatedAt: expiresAt }),
  ({ readable }) => (readable ? undefined : 'The roles or the scope cannot be read.'),
];

const RESPONSE_CHECKS: readonly StoredCheck<StoredAnswer>[] = [
  ({ key, bodyHash }) => (SHA_256.test(key) && SHA_256.test(bodyHash) ? undefined : 'A hash is not valid.'),
  ({ createdAt }) => wellFormedTimes({ createdAt, updatedAt: null }),
  ({ status }) =>
    status >= 200 && status < 300 ? undefined : `The status ${status} is not a success status.`,
  ({ readable }) => (readable ? undefined : 'The answer cannot be read.'),
];

interface VerifiedTable<T> {
  readonly about: Finding['about'];
  readonly checks: readonly StoredCheck<T>[];
  /** A counter that can be corrected. */
  readonly counter?: StoredCheck<T>;
  readonly idOf: (stored: T) => string;
  readonly pages: (reads: VerificationReads) => (after: T | undefined) => Promise<readonly T[]>;
}

const REQUESTS: VerifiedTable<StoredTransferRequest> = {
  about: 'transfer request',
  checks: REQUEST_CHECKS,
  idOf: ({ request }) => request.id,
  pages: (reads) => reads.transferRequests,
};
const ACCEPTS: VerifiedTable<TransferAccept> = {
  about: 'transfer accept',
  checks: ACCEPT_CHECKS,
  idOf: ({ id }) => id,
  pages: (reads) => reads.transferAccepts,
};
const SHARES: VerifiedTable<StoredShare> = {
  about: 'share',
  checks: SHARE_CHECKS,
  counter: shareCounter,
  idOf: ({ share }) => share.id,
  pages: (reads) => reads.shares,
};
const TASKS: VerifiedTable<ZoneTask> = {
  about: 'task',
  checks: TASK_CHECKS,
  idOf: ({ id }) => id,
  pages: (reads) => reads.zoneTasks,
};
const TOKENS: VerifiedTable<StoredToken> = {
  about: 'token',
  checks: TOKEN_CHECKS,
  idOf: ({ token }) => token.id,
  pages: (reads) => reads.tokens,
};

const RESPONSES: VerifiedTable<StoredAnswer> = {
  about: 'kept answer',
  checks: RESPONSE_CHECKS,
  idOf: ({ key }) => key,
  pages: (reads) => reads.answers,
};

/**
 * Verifies one table.
 * @returns the number of its entries
 */
async function verifyKind<T>(
  { about, checks, counter, idOf, pages }: VerifiedTable<T>,
  reads: VerificationReads,
  report: (finding: Finding) => Promise<void>,
): Promise<number> {
  let total = 0;
  for (let page = await pages(reads)(undefined); page.length > 0; page = await pages(reads)(page.at(-1))) {
    for (const stored of page) {
      const id = idOf(stored);
      for (const fault of faultsOf(stored, checks)) await report({ about, id, fault });
      const miscount = counter?.(stored);
      if (miscount !== undefined) await report({ about, id, fault: miscount, isCounter: true });
    }
    total += page.length;
  }
  return total;
}

/** An earlier version on PostgreSQL left such orders when it deleted a zone that was being moved to another pool. */
async function verifyOrders(
  reads: VerificationReads,
  report: (finding: Finding) => Promise<void>,
): Promise<void> {
  let after: string | undefined;
  do {
    const ids = await reads.strayOrders(after);
    for (const id of ids)
      await report({ about: 'order', id, fault: 'Its zone does not exist.', isCounter: true });
    after = ids.at(-1);
  } while (after !== undefined);
}

/** The number of entries other than zones. */
export interface OtherTableSources {
  /** Requests and accepts. */
  readonly transfers: number;
  readonly shares: number;
  readonly tasks: number;
  readonly tokens: number;
  /** Answers stored for idempotency keys. */
  readonly answers: number;
}

/**
 * Verifies everything other than zones.
 * @returns the number of entries of each kind
 */
export async function verifyOtherTables(
  reads: VerificationReads,
  report: (finding: Finding) => Promise<void>,
): Promise<OtherTableSources> {
  await verifyOrders(reads, report);
  const requests = await verifyKind(REQUESTS, reads, report);
  const accepts = await verifyKind(ACCEPTS, reads, report);
  const shares = await verifyKind(SHARES, reads, report);
  const tasks = await verifyKind(TASKS, reads, report);
  const tokens = await verifyKind(TOKENS, reads, report);
  const answers = await verifyKind(RESPONSES, reads, report);
  return { transfers: requests + accepts, shares, tasks, tokens, answers };
}
