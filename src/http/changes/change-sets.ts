import type { ChangeSetUseCases } from '../../domain/changes/change-sets.ts';
import type { MadeChange } from '../../domain/changes/execution.ts';
import type { ChangeOptions } from '../../model/changes/change-set.ts';
import { type CreateOptions, optionsFor } from '../../model/context/options.ts';
import type { StoredResponse } from '../../model/idempotency/idempotency-key.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { OF_BLACKLISTS, responsesWith } from '../edge/responses.ts';
import { type ApiReply, actingProject, type Route, route, warningOf } from '../edge/route.ts';
import { asZone } from '../zones/zones.ts';
import { type AnsweredChange, outcomeText, outcomeToWire, shownOutcome } from './change-answers.ts';
import { changeSetBody } from './change-set-body.ts';

export interface ChangeSetSettings {
  /** Maximum number of changes in a set. */
  readonly maxChanges: number;
  /** Status for an authenticated caller without permission. */
  readonly accessDeniedStatus: number;
}

/** What can stand against changes of several recordsets. */
export const CHANGE_REFUSALS = [
  'secondary_zone',
  'zone_leaving',
  'precondition_failed',
  'invalid_recordset_location',
  'blacklisted_recordset',
  'protected',
  'too_many_deletions',
  'over_quota',
  'guardrail',
  'plan_outdated',
  'too_many_reads',
] as const;

type ChangeReply = ApiReply<200 | 202, ReturnType<typeof outcomeToWire>>;

function headOf(made: MadeChange): Pick<ChangeReply, 'status' | 'headers'> {
  const { changeId } = made.outcome;
  const warning = warningOf(made);
  const headers = {
    ...(changeId === null ? {} : { 'x-zonewarden-change': changeId }),
    ...(made.bypassed === undefined ? {} : { 'x-zonewarden-blacklist-bypassed': made.bypassed }),
    ...(warning === undefined ? {} : { warning }),
  };
  return { status: changeId === null ? 200 : 202, headers };
}

/** The reply to changes of several recordsets, written in turns. @param projectId the project that asked */
export async function replyTo(
  made: MadeChange & AnsweredChange,
  base: string,
  accessDeniedStatus: number,
  projectId: string,
): Promise<ChangeReply> {
  const turns = new TimeSlices(projectId);
  return { ...headOf(made), body: await outcomeText(made, base, accessDeniedStatus, turns) };
}

/** Stores the reply to a request with an idempotency key; a dry run has none. */
export function storedOnce(
  request: CreateOptions<StoredResponse> & { readonly base: string },
  { dryRun }: ChangeOptions,
  accessDeniedStatus: number,
): CreateOptions<MadeChange> {
  if (dryRun) return {};
  return optionsFor(request, (made: MadeChange): StoredResponse => {
    const { status, headers = {} } = headOf(made);
    const body = outcomeToWire(made, request.base, accessDeniedStatus);
    return { status, headers, body: JSON.stringify(body), resourceId: made.outcome.changeId ?? '' };
  });
}

/** Makes several changes of a zone together, or shows what they would do. */
export function changeSetRoutes(changeSets: ChangeSetUseCases, settings: ChangeSetSettings): Route[] {
  const { maxChanges, accessDeniedStatus } = settings;
  return [
    route({
      method: 'POST',
      path: '/v2/zones/{zone_id}/changes',
      guard: actingProject('change_recordsets'),
      scopedReach: 'by scope',
      hasDryRun: true,
      body: changeSetBody(maxChanges),
      condition: asZone,
      responses: responsesWith(202, shownOutcome, {
        headers: ['X-Zonewarden-Change', ...OF_BLACKLISTS],
        others: [200],
      }),
      refusals: [...CHANGE_REFUSALS, 'managed_recordset', 'recordset_not_found', 'duplicate_recordset'],
      async handle(request) {
        const { params, context, base, precondition } = request;
        const { changes, options } = await request.body.read(context.projectId);
        const made = await changeSets.make(context, params.zone_id!, changes, options, {
          ...storedOnce(request, options, accessDeniedStatus),
          precondition,
        });
        return replyTo(made, base, accessDeniedStatus, context.projectId);
      },
    }),
  ];
}
