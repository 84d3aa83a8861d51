/** The query of new contents: what a set of changes has in its body, and the types to keep. */
import { parseRecordType, type StoredType } from '../../dns/record-types.ts';
import type { ContentsOptions } from '../../domain/contents/contents.ts';
import { Faults } from '../../domain/shapes/faults.ts';
import { object } from '../../domain/shapes/shape.ts';
import { changeOptions, optionsOf } from '../changes/change-set-body.ts';
import { EdgeError } from '../edge/errors.ts';
import { ALL_PROJECTS, EDIT_MANAGED } from '../edge/headers.ts';
import type { QueryReader } from '../edge/route.ts';

/** Parameters that say for whom the request acts. */
const OF_ANY_REQUEST: readonly string[] = [...ALL_PROJECTS, ...EDIT_MANAGED];

const WHOLE_NUMBER = /^\d{1,10}$/;

const OPTIONS = object({}, changeOptions);

/** The value that a text stands for in JSON. */
const VALUES: Readonly<Record<string, (text: string) => unknown>> = {
  dry_run: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
  if_serial: (text) => (WHOLE_NUMBER.test(text) ? Number(text) : text),
  max_deletions: (text) => (WHOLE_NUMBER.test(text) ? Number(text) : text),
  override: (text) => text.split(','),
};

/** @throws EdgeError `bad_request` */
function readKeep(text: string): ReadonlySet<StoredType> {
  const types = text.split(',').map((one) => {
    const type = parseRecordType(one);
    if (type.ok) return type.value;
    throw new EdgeError('bad_request', 'The parameter keep must list record types, such as NS,CAA.');
  });
  return new Set(types);
}

/** @throws EdgeError `bad_request` if a parameter is unknown, malformed or repeated */
function read(parameters: URLSearchParams): Omit<ContentsOptions, 'precondition'> {
  const values: Record<string, unknown> = {};
  let keep: ReadonlySet<StoredType> = new Set();
  for (const [name, text] of parameters) {
    if (OF_ANY_REQUEST.includes(name)) continue;
    if (parameters.getAll(name).length > 1)
      throw new EdgeError('bad_request', `Give the parameter ${name} only once.`);
    if (name === 'keep') keep = readKeep(text);
    else values[name] = VALUES[name]?.(text) ?? text;
  }
  const faults = new Faults();
  const options = OPTIONS.read(values, faults);
  if (options === undefined) throw new EdgeError('bad_request', `Query: ${faults.refusal().message}`);
  return { ...optionsOf(options), keep };
}

export const CONTENTS_QUERY: QueryReader<Omit<ContentsOptions, 'precondition'>> = {
  parameters: {
    dry_run: { ...changeOptions.dry_run.schema, description: 'Show what would happen, and change nothing.' },
    plan: { ...changeOptions.plan.schema, description: 'Make exactly the effects of this dry run.' },
    if_serial: { ...changeOptions.if_serial.schema, description: 'The serial that the zone must have.' },
    max_deletions: {
      ...changeOptions.max_deletions.schema,
      description: 'Maximum number of recordsets that may be deleted.',
    },
    override: {
      type: 'string',
      description: 'Guardrails whose refusal passes, if the caller may override them.',
      examples: ['in_use,mass_deletion'],
    },
    description: { type: 'string', maxLength: 1024, description: 'Why the zone is changed, for its events.' },
    keep: { type: 'string', description: 'Record types that are left alone.', examples: ['NS,CAA'] },
  },
  read,
};
