import { parseOwnerName } from '../../dns/owner-name.ts';
import type { MadeChange } from '../../domain/changes/execution.ts';
import type { Restore, UndoUseCases } from '../../domain/history/undo.ts';
import { integer, list, object, parsed, refined, type Shape } from '../../domain/shapes/shape.ts';
import type { ChangeOptions } from '../../model/changes/change-set.ts';
import { parseTimestamp } from '../../model/clock.ts';
import { shownOutcome } from '../changes/change-answers.ts';
import { changeOptions, optionsOf } from '../changes/change-set-body.ts';
import { CHANGE_REFUSALS, type ChangeSetSettings, replyTo, storedOnce } from '../changes/change-sets.ts';
import { jsonBody, optionalBody } from '../edge/body.ts';
import { CHANGE_HEADER, OF_BLACKLISTS, responsesWith } from '../edge/responses.ts';
import { actingProject, type Route, route } from '../edge/route.ts';
import { asZone } from '../zones/zones.ts';

const MAX_SERIAL = 4_294_967_295;
/** Names are read at once. */
const MAX_NAMES = 1000;

interface RestoreBody {
  readonly restore: Restore;
  readonly options: ChangeOptions;
}

const at = parsed(parseTimestamp, {
  description: 'A time in UTC, or with an offset.',
  examples: ['2026-11-21T09:30:00.000000'],
});
const name = parsed(parseOwnerName, { examples: ['www.example.org.'] });

const members = object(
  {},
  {
    serial: integer({ minimum: 0, maximum: MAX_SERIAL }),
    at,
    names: list(name, MAX_NAMES),
    ...changeOptions,
  },
);
const EXAMPLE = { serial: 1795576345, names: ['www.example.org.'] };
const given = { ...members, schema: { ...members.schema, examples: [EXAMPLE] } };

const restoreBody: Shape<RestoreBody> = refined(given, (value, faults) => {
  const { serial, at: time, names } = value;
  if ((serial === undefined) === (time === undefined))
    return faults.add('Give either "serial" or "at": the state to restore.');
  const moment = serial === undefined ? { at: time! } : { serial };
  return { restore: { moment, names }, options: optionsOf(value) };
});

const responses = responsesWith(202, shownOutcome, {
  headers: [CHANGE_HEADER, ...OF_BLACKLISTS],
  others: [200],
});
const REFUSALS = [...CHANGE_REFUSALS, 'change_not_found', 'slow_read'] as const;

/** The operations that undo changes of a zone. */
export function undoRoutes(undo: UndoUseCases, { accessDeniedStatus }: ChangeSetSettings): Route[] {
  const reply = (made: MadeChange, base: string, projectId: string) =>
    replyTo(made, base, accessDeniedStatus, projectId);
  return [
    route({
      method: 'POST',
      path: '/v2/zones/{zone_id}/restore',
      operationId: 'restoreZone',
      guard: actingProject('restore_zone'),
      scopedReach: 'whole zones',
      hasDryRun: true,
      body: jsonBody(restoreBody),
      condition: asZone,
      responses,
      refusals: REFUSALS,
      async handle(request) {
        const { params, context, base, precondition } = request;
        const { restore, options } = request.body;
        const once = storedOnce(request, options, accessDeniedStatus);
        const made = await undo.restore(context, params.zone_id!, restore, options, {
          ...once,
          precondition,
        });
        return reply(made, base, context.projectId);
      },
    }),
    route({
      method: 'POST',
      path: '/v2/zones/{zone_id}/changes/{change_id}/revert',
      operationId: 'revertZoneChange',
      guard: actingProject('restore_zone'),
      scopedReach: 'whole zones',
      hasDryRun: true,
      body: optionalBody(object({}, changeOptions)),
      condition: asZone,
      responses,
      refusals: [...REFUSALS, 'changed_since'],
      async handle(request) {
        const { params, context, base, precondition } = request;
        const options = optionsOf(request.body);
        const { zone_id: zoneId, change_id: changeId } = params;
        const once = storedOnce(request, options, accessDeniedStatus);
        const made = await undo.revert(context, zoneId!, changeId!, options, { ...once, precondition });
        return reply(made, base, context.projectId);
      },
    }),
  ];
}
