import type { DomainError } from '../domain/errors.ts';
import { object } from '../domain/shapes/shape.ts';
import type { ZoneCheckUseCases } from '../domain/zones/zone-checks.ts';
import { answersWith } from './answers.ts';
import { jsonBody } from './body.ts';
import { answerTo } from './errors.ts';
import { RequestRate } from './request-rate.ts';
import { actingProject, type Route, route, WARNING } from './route.ts';
import { sent } from './sent.ts';
import { NAME_EXAMPLE, zoneName } from './zone-name.ts';

const shown = sent.titled(
  'ZoneCheck',
  sent.object({
    name: sent.text({ examples: [NAME_EXAMPLE] }),
    project_id: sent.projectId,
    allowed: sent.flag,
    refusal: sent.nullable(
      sent.object(
        {
          code: sent.integer({ examples: [400] }),
          type: sent.text({ examples: ['invalid_zone_name'] }),
          message: sent.text({ examples: ['Blacklisted domain name'] }),
        },
        { hint: sent.text() },
      ),
    ),
    warning: sent.nullable(sent.text()),
    room: sent.object({ zones: sent.nullable(sent.integer({ description: 'Null if unlimited.' })) }),
  }),
);

/** The refusal as the create would answer with it. */
function refusalToWire({ kind, message, hint }: DomainError) {
  const { status, type = kind } = answerTo(kind);
  return { code: status, type, message, ...(hint === undefined ? {} : { hint }) };
}

/** Asks whether a zone could be created. @param perSecond how often one project may ask */
export function zoneCheckRoute(checks: ZoneCheckUseCases, perSecond: number): Route {
  const rate = new RequestRate(perSecond);
  return route({
    method: 'POST',
    path: '/v2/zones/check',
    guard: actingProject('create_zone'),
    body: jsonBody(object({ name: zoneName }, {})),
    operationId: 'checkZone',
    answers: answersWith(200, shown),
    refusals: ['project_needed'],
    async handle({ act, body }) {
      rate.require(act.caller.projectId);
      const { refusal, isWarned, room = null, name } = await checks.run(act, body.name);
      return {
        status: 200,
        body: {
          name,
          project_id: act.projectId,
          allowed: refusal === undefined,
          refusal: refusal === undefined ? null : refusalToWire(refusal),
          warning: isWarned ? WARNING : null,
          room: { zones: room },
        },
      };
    },
  });
}
