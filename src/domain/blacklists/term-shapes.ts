/** The terms of a blacklist in requests and files. */
import { parseZoneName } from '../../dns/names.ts';
import {
  type BlacklistException,
  DEFAULT_TERMS,
  MAX_EXCEPTIONS,
  MODES,
  type Mode,
  type Terms,
} from '../../model/blacklists/blacklist.ts';
import { type ExceptionOnWire, exceptionShown } from '../../model/blacklists/exception-json.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import { descriptionFault } from '../../model/text.ts';
import { choice, distinct, nullable, object, parsed, refined, type Shape, text } from '../shapes/shape.ts';
import { time } from '../shapes/time.ts';

/** Terms under their names in JSON. */
export interface TermsOnWire {
  readonly mode: Mode;
  readonly expires_at: string | null;
  readonly exceptions: readonly BlacklistException[] | null;
}

function described<T extends NonNullable<unknown>>(
  { schema, read }: Shape<T>,
  description: string,
): Shape<T> {
  return { schema: { ...schema, description }, read };
}

const mode = choice(MODES, 'Must be "enforce", "warn" or "audit".');
const projectId = nullable(
  text((given) => (isProjectId(given) ? undefined : PROJECT_ID_RULE), { maxLength: 64 }),
);
const name = nullable(
  parsed(parseZoneName, {
    description: 'The full name with a final dot; U-labels are converted to A-labels.',
  }),
);
const description = nullable(text(descriptionFault, { maxLength: 1024 }));

const exception: Shape<BlacklistException> = refined(
  object<object, ExceptionOnWire>({}, { project_id: projectId, name, description, expires_at: time }),
  (given, faults) => {
    const { project_id = null, name = null, description = null, expires_at = null } = given;
    if (project_id === null && name === null) return faults.add('Set "project_id", "name", or both.');
    return { projectId: project_id, name, description, expiresAt: expires_at };
  },
);

const exceptions = nullable(
  described(
    distinct(exception, ({ projectId, name }) => JSON.stringify([projectId, name]), {
      maxItems: MAX_EXCEPTIONS,
    }),
    'Who may still use a matching name: `project_id`, `name`, or both, with `description` and `expires_at`; at most 100.',
  ),
);

/** The members of an object that set terms; null sets the default. */
export const TERM_MEMBERS: { readonly [K in keyof TermsOnWire]: Shape<TermsOnWire[K]> } = {
  mode,
  expires_at: time,
  exceptions,
};

/** The terms that such an object sets. */
export function termsGiven(given: Partial<TermsOnWire>): Partial<Terms> {
  return {
    ...(given.mode === undefined ? {} : { mode: given.mode }),
    ...(given.expires_at === undefined ? {} : { expiresAt: given.expires_at }),
    ...(given.exceptions === undefined ? {} : { exceptions: given.exceptions ?? [] }),
  };
}

/** The terms to show: those that differ from their defaults. */
export function termsShown({ mode, expiresAt, exceptions }: Terms): object {
  return {
    ...(mode === DEFAULT_TERMS.mode ? {} : { mode }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    ...(exceptions.length === 0 ? {} : { exceptions: exceptions.map(exceptionShown) }),
  };
}
