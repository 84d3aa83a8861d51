/** Query parameters that name serials. */
import { EdgeError } from '../edge/errors.ts';
import { ALL_PROJECTS } from '../edge/headers.ts';

const MAX_SERIAL = 4_294_967_295;

/** @throws EdgeError `bad_request` */
export function readSerial(text: string, name: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_SERIAL) return Number(text);
  throw new EdgeError('bad_request', `The parameter ${name} must be a serial, 0 to ${MAX_SERIAL}.`);
}

/** The parameters, each given once, without those that every request may have. @throws EdgeError `bad_request` for any other */
export function readOnce<N extends string>(
  given: URLSearchParams,
  names: readonly N[],
): Partial<Record<N, string>> {
  const parameters = new URLSearchParams([...given].filter(([name]) => !ALL_PROJECTS.includes(name)));
  const unknown = [...parameters.keys()].find((name) => !names.includes(name as N));
  if (unknown !== undefined)
    throw new EdgeError('bad_request', `Unknown parameter ${JSON.stringify(unknown.slice(0, 64))}.`);
  if (new Set(parameters.keys()).size !== parameters.size)
    throw new EdgeError('bad_request', 'Give each query parameter only once.');
  return Object.fromEntries(parameters) as Partial<Record<N, string>>;
}

export const SERIAL = { type: 'integer', minimum: 0, maximum: MAX_SERIAL } as const;
