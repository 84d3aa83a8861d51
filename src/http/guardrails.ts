import type { GuardrailUseCases } from '../domain/guardrails/zone-guardrails.ts';
import { choice, nullable, object } from '../domain/shapes/shape.ts';
import {
  GUARDRAIL_DESCRIPTIONS,
  GUARDRAIL_MODES,
  GUARDRAIL_NAMES,
  type GuardrailModes,
  type GuardrailName,
  isGuardrailName,
} from '../model/guardrails/guardrail.ts';
import { jsonBody } from './edge/body.ts';
import { EdgeError } from './edge/errors.ts';
import type { RequestHeaders } from './edge/headers.ts';
import { responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route, tagged } from './edge/route.ts';

const PATH = '/v2/zones/{zone_id}/guardrails';

const name = responseSchema.choice(GUARDRAIL_NAMES);
const mode = responseSchema.choice(GUARDRAIL_MODES);
const shownModes = responseSchema.titled(
  'GuardrailModes',
  responseSchema.object({
    in_use: mode,
    dangling_target: mode,
    lame_delegation: mode,
    mass_deletion: mode,
    mail_policy: mode,
  }),
);
const shownList = responseSchema.object({
  guardrails: responseSchema.list(
    responseSchema.titled(
      'Guardrail',
      responseSchema.object({
        name,
        description: responseSchema.text({ examples: [GUARDRAIL_DESCRIPTIONS.in_use] }),
        mode,
      }),
    ),
  ),
});
/** What guardrails say of a write that goes ahead. */
export const shownWarnings = responseSchema.list(
  responseSchema.titled(
    'GuardrailWarning',
    responseSchema.object({
      guardrail: name,
      message: responseSchema.text({
        examples: [
          'Guardrail in_use: "host.example.org." would have no address, but it is needed by the CNAME at "www.example.org.".',
        ],
      }),
    }),
  ),
);

const newMode = nullable(choice(GUARDRAIL_MODES, 'Must be off, warn or refuse, or null for the default.'));
const updateBody = jsonBody(
  object(
    {},
    {
      in_use: newMode,
      dangling_target: newMode,
      lame_delegation: newMode,
      mass_deletion: newMode,
      mail_policy: newMode,
    },
  ),
);

const asModes = tagged((modes: GuardrailModes) => modes);

/**
 * The guardrails that a request overrides.
 * @throws EdgeError `bad_request` for an unknown name
 */
export function overridesIn(headers: RequestHeaders): readonly GuardrailName[] {
  const given = [headers['x-zonewarden-override'] ?? []].flat().join(',');
  const names = given.split(',').map((text) => text.trim());
  return names
    .filter((text) => text !== '')
    .map((text) => {
      if (isGuardrailName(text)) return text;
      const known = GUARDRAIL_NAMES.join(', ');
      throw new EdgeError('bad_request', `X-Zonewarden-Override: use names of guardrails: ${known}.`);
    });
}

/** The operations on guardrails. */
export function guardrailRoutes(guardrails: GuardrailUseCases): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/guardrails',
      guard: actingProject('find_guardrails'),
      responses: responsesWith(200, shownList),
      async handle() {
        const listed = GUARDRAIL_NAMES.map((one) => ({
          name: one,
          description: GUARDRAIL_DESCRIPTIONS[one],
          mode: guardrails.defaults[one],
        }));
        return { status: 200, body: { guardrails: listed } };
      },
    }),
    route({
      method: 'GET',
      path: PATH,
      guard: actingProject('get_zone'),
      operationId: 'getZoneGuardrails',
      tagged: asModes,
      responses: responsesWith(200, shownModes),
      handle: async ({ context, params, precondition }) => ({
        status: 200,
        body: await guardrails.get(context, params.zone_id!, { precondition }),
      }),
    }),
    route({
      method: 'PATCH',
      path: PATH,
      guard: actingProject('update_guardrails'),
      operationId: 'updateZoneGuardrails',
      body: updateBody,
      tagged: asModes,
      responses: responsesWith(200, shownModes),
      handle: async ({ context, params, body, precondition }) => ({
        status: 200,
        body: await guardrails.update(context, params.zone_id!, body, { precondition }),
      }),
    }),
  ];
}
