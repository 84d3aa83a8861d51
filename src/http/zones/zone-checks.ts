import { object } from '../../domain/shapes/shape.ts';
import type { ZoneCheckUseCases } from '../../domain/zones/zone-checks.ts';
import type { DomainError } from '../../model/errors.ts';
import { hiddenFields, MAX_COUNTED } from '../../model/zones/hidden-records.ts';
import { jsonBody } from '../edge/body.ts';
import { answerTo } from '../edge/errors.ts';
import { RequestRate } from '../edge/request-rate.ts';
import { responseSchema } from '../edge/response-schema.ts';
import { responsesWith } from '../edge/responses.ts';
import { actingProject, type Route, route, warningOf } from '../edge/route.ts';
import { NAME_EXAMPLE, zoneName } from './zone-name.ts';

const shown = responseSchema.titled(
  'ZoneCheck',
  responseSchema.object(
    {
      name: responseSchema.text({ examples: [NAME_EXAMPLE] }),
      project_id: responseSchema.projectId,
      allowed: responseSchema.flag,
      refusal: responseSchema.nullable(
        responseSchema.object(
          {
            code: responseSchema.integer({ examples: [400] }),
            type: responseSchema.text({ examples: ['invalid_zone_name'] }),
            message: responseSchema.text({ examples: ['Blacklisted domain name'] }),
          },
          { hint: responseSchema.text() },
        ),
      ),
      warning: responseSchema.nullable(responseSchema.text()),
      room: responseSchema.object({
        zones: responseSchema.nullable(responseSchema.integer({ description: 'Null if unlimited.' })),
      }),
    },
    {
      hides: responseSchema.object({
        zone_name: responseSchema.text({ examples: ['example.org.'], description: 'The zone above.' }),
        recordsets: responseSchema.integer({
          minimum: 1,
          description: `Number of its recordsets that the zone would hide; ${MAX_COUNTED} means that many or more.`,
        }),
        names: responseSchema.list(responseSchema.text({ examples: ['www.shop.example.org.'] })),
      }),
    },
  ),
);

/** The refusal that the create would return. */
function refusalToWire({ kind, message, hint }: DomainError) {
  const { status, type = kind } = answerTo(kind);
  return { code: status, type, message, ...(hint === undefined ? {} : { hint }) };
}

/** Checks if a zone could be created. @param perSecond maximum rate of one project, in checks per second */
export function zoneCheckRoute(checks: ZoneCheckUseCases, perSecond: number): Route {
  const rate = new RequestRate(perSecond);
  return route({
    method: 'POST',
    path: '/v2/zones/check',
    guard: actingProject('create_zone'),
    body: jsonBody(object({ name: zoneName }, {})),
    operationId: 'checkZone',
    onlyReads: true,
    responses: responsesWith(200, shown),
    refusals: ['project_needed'],
    async handle({ context, body }) {
      rate.require(context.caller.projectId);
      const check = await checks.run(context, body.name);
      const { refusal, hides, zonesLeft = null, name } = check;
      return {
        status: 200,
        body: {
          name,
          project_id: context.projectId,
          allowed: refusal === undefined,
          refusal: refusal === undefined ? null : refusalToWire(refusal),
          warning: warningOf(check) ?? null,
          room: { zones: zonesLeft },
          ...(hides && { hides: hiddenFields(hides) }),
        },
      };
    },
  });
}
