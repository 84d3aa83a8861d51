import {
  type FoundEntry,
  MAX_CHECKED,
  type NameCheck,
  type NameCheckUseCases,
} from '../../domain/blacklists/name-checks.ts';
import type { PredictedResult } from '../../domain/blacklists/name-tests.ts';
import { list, nullable, object, type Shape, text } from '../../domain/shapes/shape.ts';
import { type BlacklistException, MODES } from '../../model/blacklists/blacklist.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { jsonBody } from '../edge/body.ts';
import { EdgeError } from '../edge/errors.ts';
import { responseSchema } from '../edge/response-schema.ts';
import { responsesWith } from '../edge/responses.ts';
import { actingProject, type Route, route } from '../edge/route.ts';

/** Limits on concurrent requests, each of which may take seconds and return megabytes. */
const AT_ONCE = { permits: 8, perOwner: 4 };

const anyText = text(() => undefined, { examples: ['shop.example.'] });

/** A bounded list of strings, each with its own result. */
const names: Shape<readonly string[]> = {
  schema: { ...list(anyText).schema, minItems: 1, maxItems: MAX_CHECKED },
  read(given, faults) {
    if (!Array.isArray(given)) return list(anyText).read(given, faults);
    if (given.length > MAX_CHECKED) return faults.add(`List at most ${MAX_CHECKED}.`);
    return given.length === 0 ? faults.add('List at least 1.') : list(anyText).read(given, faults);
  },
};
const projectId = nullable(
  text((given) => (isProjectId(given) ? undefined : PROJECT_ID_RULE), {
    description: 'Project that would create the names. Default: the acting project.',
  }),
);

const name = responseSchema.text({ examples: ['shop.example.'] });
const shownEntry = responseSchema.object({
  id: responseSchema.id,
  pattern: responseSchema.text(),
  mode: responseSchema.choice(MODES),
  exception: responseSchema.nullable(
    responseSchema.object({
      project_id: responseSchema.nullable(responseSchema.projectId),
      name: responseSchema.nullable(name),
      description: responseSchema.nullable(responseSchema.text()),
      expires_at: responseSchema.nullable(responseSchema.time),
    }),
  ),
  expired: responseSchema.flag,
  match: responseSchema.nullable(
    responseSchema.object({
      form: responseSchema.text(),
      start: responseSchema.integer({ minimum: 0 }),
      end: responseSchema.integer({ minimum: 0 }),
    }),
  ),
});
const shown = responseSchema.titled(
  'NameChecks',
  responseSchema.object({
    project_id: responseSchema.projectId,
    results: responseSchema.list(
      responseSchema.object(
        {
          name,
          checked: responseSchema.flag,
          verdict: responseSchema.nullable(responseSchema.text({ examples: ['refused'] })),
        },
        {
          canonical: name,
          unicode: name,
          matches: responseSchema.list(shownEntry),
          more: responseSchema.flag,
          undecided: responseSchema.list(
            responseSchema.object({ id: responseSchema.id, pattern: responseSchema.text() }),
          ),
          errors: responseSchema.list(
            responseSchema.object({
              path: responseSchema.list(responseSchema.text()),
              message: responseSchema.text(),
            }),
          ),
        },
      ),
    ),
  }),
);

/** Verdicts as the API spells them. */
const VERDICTS: Readonly<Record<PredictedResult, string>> = {
  refused: 'refused',
  undecided: 'undecided',
  warned: 'warned',
  noted: 'audited',
  free: 'allowed',
};

const FORMS = ['canonical', 'unicode'] as const;

function exceptionToWire({ projectId, name, description, expiresAt }: BlacklistException) {
  return { project_id: projectId, name, description, expires_at: expiresAt };
}

function entryToWire({ blacklist, passedOver, place }: FoundEntry) {
  const exception = typeof passedOver === 'object' ? exceptionToWire(passedOver) : null;
  return {
    id: blacklist.id,
    pattern: blacklist.pattern,
    mode: blacklist.mode,
    exception,
    expired: passedOver === 'expired',
    match: place === null ? null : { form: FORMS[place.form]!, start: place.start, end: place.end },
  };
}

function toWire(check: NameCheck, name: string) {
  if (check.kind === 'invalid') {
    return { name, checked: false, verdict: 'invalid', errors: [{ path: ['name'], message: check.fault }] };
  }
  if (check.kind === 'not reached') return { name, checked: false, canonical: check.name, verdict: null };
  return {
    name,
    checked: true,
    canonical: check.name,
    unicode: check.unicode,
    verdict: VERDICTS[check.prospect],
    matches: check.matches.map(entryToWire),
    more: check.more,
    undecided: check.undecided.map(({ id, pattern }) => ({ id, pattern })),
  };
}

/** The operation that checks many names against the blacklists. */
export function nameCheckRoute(checks: NameCheckUseCases): Route {
  const slots = new Semaphore(AT_ONCE);
  return route({
    method: 'POST',
    path: '/v2/blacklists/check',
    guard: actingProject('check_blacklists'),
    onlyReads: true,
    body: jsonBody(
      object<{ names: readonly string[] }, { project_id: string | null }>(
        { names },
        { project_id: projectId },
      ),
    ),
    responses: responsesWith(200, shown),
    refusals: ['too_many_name_checks'],
    async handle({ context, body }) {
      const project = body.project_id ?? context.projectId;
      const release = slots.tryTake(context.caller.projectId);
      if (release === undefined) throw new EdgeError('too_many_name_checks');
      const results = await checks.run(context, body.names, project).finally(release);
      return {
        status: 200,
        body: {
          project_id: project,
          results: results.map((check, place) => toWire(check, body.names[place]!)),
        },
      };
    },
  });
}
