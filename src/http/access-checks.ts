import { parseZoneName } from '../dns/names.ts';
import { parseOwnerName } from '../dns/owner-name.ts';
import type { Parsed } from '../dns/parsed.ts';
import { parseRecordType } from '../dns/record-types.ts';
import {
  type AccessCheckUseCases,
  type AccessRefusal,
  REFUSERS,
  type ZoneReference,
} from '../domain/access-checks/access-checks.ts';
import { choice, object, parsed } from '../domain/shapes/shape.ts';
import { SCOPED_ACTIONS } from '../model/scopes/credential-scope.ts';
import { jsonBody } from './edge/body.ts';
import { RequestRate } from './edge/request-rate.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { parseUuid } from './edge/uuid.ts';
import { NAME_EXAMPLE } from './zones/zone-name.ts';

const shown = responseSchema.titled(
  'AccessCheck',
  responseSchema.object(
    { allowed: responseSchema.flag },
    {
      refused_by: responseSchema.choice(REFUSERS),
      key: responseSchema.text({ description: 'The key of the scope that refuses.', examples: ['types'] }),
      message: responseSchema.text({ examples: ['The scope refuses it by "types".'] }),
    },
  ),
);

function parseZone(text: string): Parsed<ZoneReference> {
  const id = parseUuid(text);
  if (id.ok) return { ok: true, value: { id: id.value } };
  const name = parseZoneName(text);
  return name.ok ? { ok: true, value: { name: name.value } } : name;
}

const checkBody = jsonBody(
  object(
    {
      zone: parsed(parseZone, {
        description: 'ID or name of a zone; for create_zone the name of the new one.',
        examples: [NAME_EXAMPLE],
      }),
      action: choice(SCOPED_ACTIONS, `Must be one of: ${SCOPED_ACTIONS.join(', ')}.`),
    },
    {
      name: parsed(parseOwnerName, { description: 'Name of a recordset.', examples: ['www.example.org.'] }),
      type: parsed(parseRecordType, { examples: ['A'] }),
    },
  ),
);

function toWire(refusal: AccessRefusal | undefined): ResponseBody<typeof shown> {
  if (refusal === undefined) return { allowed: true };
  const { refusedBy, key, message } = refusal;
  return { allowed: false, refused_by: refusedBy, ...(key === undefined ? {} : { key }), message };
}

/** @param perSecond maximum rate of one project, as for checks of zones */
export function accessCheckRoute(checks: AccessCheckUseCases, perSecond: number): Route {
  const rate = new RequestRate(perSecond);
  return route({
    method: 'POST',
    path: '/v2/access/check',
    guard: actingProject('check_access'),
    scopedReach: 'by scope',
    operationId: 'checkAccess',
    body: checkBody,
    onlyReads: true,
    responses: responsesWith(200, shown),
    refusals: ['zone_not_found', 'project_needed'],
    async handle({ context, body }) {
      rate.require(context.caller.projectId);
      return { status: 200, body: toWire(await checks.run(context, body)) };
    },
  });
}
