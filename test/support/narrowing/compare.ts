/** Whether the answer to a credential is one that the credential which created it gets, too. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../service.ts';
import type { DrawnRequest } from './requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: looks into whatever came back
type Json = any;

export const hasSucceeded = ({ status, json }: Answer): boolean =>
  status < 400 && json?.status !== 'REFUSED' && json?.allowed !== false;

/** Refusals that a wider credential need not get: they come of the scope, of its rate, or of what it hides. */
const isOfScope = ({ status, json }: Answer): boolean =>
  [401, 403, 404, 429].includes(status) || json?.type === 'marker_not_found';

/** What a use of the token changes in the background. */
function settled(item: Json): Json {
  const { last_used_at: _, last_used_from: __, ...rest } = item;
  return rest;
}

function listFault(narrow: readonly Json[], wide: readonly Json[]): string | undefined {
  let from = 0;
  for (const item of narrow) {
    const place = wide.findIndex(({ id }, index) => index >= from && id === item.id);
    if (place < 0) return `lists ${JSON.stringify(item)}, or in another order`;
    if (!isDeepStrictEqual(settled(item), settled(wide[place])))
      return `lists ${JSON.stringify(item)} for ${JSON.stringify(wide[place])}`;
    from = place + 1;
  }
  return undefined;
}

/** The key of a page's entries. */
export const listKeyOf = (json: Json): string | undefined =>
  json?.links?.self === undefined || json.id !== undefined
    ? undefined
    : Object.keys(json).find((key) => Array.isArray(json[key]));

const targetOf = ({ name, type }: Json): string => `${name} ${type}`;

/** @param isDone true if nothing refuses the plan as a whole */
function effectFault(narrow: Json, wide: Json, isDone: boolean): string | undefined {
  if (narrow.before !== null && !isDeepStrictEqual(narrow.before, wide?.before))
    return `shows ${JSON.stringify(narrow)}`;
  // A lifetime of records makes an update of what stays as it is otherwise.
  if (!isDone || isDeepStrictEqual(narrow.before, narrow.after)) return undefined;
  const isSame = narrow.effect === wide?.effect && isDeepStrictEqual(narrow.after, wide.after);
  return isSame ? undefined : `plans ${JSON.stringify(narrow)}`;
}

/** The recordsets of a zone are counted for those who see all of them; what is refused does not count. */
function usageFault(narrow: Json, wide: Json, isDone: boolean): string | undefined {
  for (const [key, { before, after, limit }] of Object.entries<Json>(narrow ?? {})) {
    const other = wide?.[key];
    if (before !== other?.before || limit !== other.limit || (isDone && after !== other.after))
      return `counts ${JSON.stringify(narrow)}`;
  }
  return undefined;
}

/** A plan shows no more, and does nothing that the wider one does not. */
function planFault(narrow: Json, wide: Json): string | undefined {
  if (narrow.from_serial !== wide.from_serial) return 'has another serial';
  const isDone = narrow.status !== 'REFUSED';
  const wides = new Map<string, Json>(wide.changes.map((one: Json) => [targetOf(one), one]));
  const faults = narrow.changes.map((one: Json) => effectFault(one, wides.get(targetOf(one)), isDone));
  return faults.find(Boolean) ?? usageFault(narrow.usage, wide.usage, isDone);
}

function callerFault(
  { operations, ...rest }: Json,
  { operations: all, ...others }: Json,
): string | undefined {
  if (!isDeepStrictEqual(rest, others)) return 'is somebody else';
  return operations.every((one: string) => all.includes(one)) ? undefined : 'may do more';
}

/** @param narrow with the entries of all pages */
function pageFault(narrow: Json, wide: Json, { path }: DrawnRequest, key: string): string | undefined {
  const [count, counted] = [narrow, wide].map(({ metadata }) => metadata?.total_count ?? 0);
  const isFromStart = narrow.metadata !== undefined && !path.includes('marker=');
  if (count > counted || (isFromStart && count !== narrow[key].length))
    return `counts ${count} of ${counted}`;
  return listFault(narrow[key], wide[key]);
}

function bodyFault(request: DrawnRequest, narrow: Answer, wide: Answer): string | undefined {
  if (narrow.json === undefined) return narrow.text === wide.text ? undefined : 'has another text';
  const key = listKeyOf(narrow.json);
  if (key !== undefined) return pageFault(narrow.json, wide.json, request, key);
  if ('summary' in narrow.json && 'plan' in narrow.json) return planFault(narrow.json, wide.json);
  if (request.path === '/v2/caller') return callerFault(narrow.json, wide.json);
  return isDeepStrictEqual(settled(narrow.json), settled(wide.json)) ? undefined : 'has another body';
}

const HEADERS = ['etag', 'location'];

function sameKindFault(narrow: Answer, wide: Answer): string | undefined {
  if (narrow.status !== wide.status) return `has the status ${narrow.status}`;
  if (narrow.json?.type !== wide.json?.type) return `is refused as ${narrow.json.type}`;
  const header = HEADERS.find((name) => narrow.headers.get(name) !== wide.headers.get(name));
  return header && `has another ${header}`;
}

/** @returns what the narrower credential is told, and the wider one is not; undefined if there is nothing */
export function readFault(request: DrawnRequest, narrow: Answer, wide: Answer): string | undefined {
  if (narrow.json?.refused_by === 'scope' || isOfScope(narrow)) return undefined;
  if (hasSucceeded(narrow) && !hasSucceeded(wide)) return 'succeeds';
  return sameKindFault(narrow, wide) ?? (narrow.status < 300 ? bodyFault(request, narrow, wide) : undefined);
}
