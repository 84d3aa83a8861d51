import type { ListQuery } from '../domain/lists.ts';
import { isStorable } from '../domain/text.ts';
import { EdgeError } from './errors.ts';
import { parseUuid } from './uuid.ts';

export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** The maximum length of a filter with a `*`. */
const MOST_WILDCARDS = 8;
const LONGEST_WITH_WILDCARDS = 255;

/** Parameters that say what the header X-Auth-All-Projects says. */
export const ALL_PROJECTS = ['all_projects', 'all_tenants'];
/** What says the same as the header X-Designate-Edit-Managed-Records. */
export const EDIT_MANAGED = ['edit_managed_records'];
/** What is no filter. */
const OTHERS = ['limit', 'marker', 'sort_key', 'sort_dir', ...ALL_PROJECTS, ...EDIT_MANAGED];

function readLimit(text: string | null, limits: PageLimits): number {
  if (text === null) return limits.default;
  if (text === 'max') return limits.max;
  if (!/^\d{1,400}$/.test(text) || /^0+$/.test(text)) throw new EdgeError('invalid_limit');
  return Math.min(Number(text), limits.max);
}

function readMarker(text: string | null): { marker?: string } {
  if (text === null) return {};
  const marker = parseUuid(text);
  if (!marker.ok) throw new EdgeError('invalid_marker');
  return { marker: marker.value };
}

function readSortKey<K extends string>(text: string | null, keys: readonly K[]): K {
  if (text === null) return keys[0]!;
  const key = keys.find((one) => one === text);
  if (key !== undefined) return key;
  throw new EdgeError('invalid_sort_key', `The list can be sorted by one of: ${keys.join(', ')}.`);
}

type SortDir = 'asc' | 'desc';

function readSortDir(text: string | null, byDefault: SortDir): SortDir {
  if (text === null) return byDefault;
  if (text === 'asc' || text === 'desc') return text;
  throw new EdgeError('invalid_sort_dir');
}

/** Each wildcard multiplies the positions that the store may have to try in a text. */
function requireCheapWildcards(text: string): void {
  const wildcards = text.replace(/[^*]+|\*(?=\*)/g, '').length;
  if (wildcards === 0) return;
  if (wildcards <= MOST_WILDCARDS && text.length <= LONGEST_WITH_WILDCARDS) return;
  throw new EdgeError(
    'bad_request',
    `A filter with wildcards may have at most ${LONGEST_WITH_WILDCARDS} characters and ${MOST_WILDCARDS} "*".`,
  );
}

function readFilters<F extends string>(parameters: URLSearchParams, known: readonly F[]) {
  const filters: Partial<Record<F, string>> = {};
  for (const [name, text] of parameters) {
    if (OTHERS.includes(name)) continue;
    const filter = known.find((one) => one === name);
    if (filter === undefined) {
      throw new EdgeError('bad_request', `The list can be filtered by one of: ${known.join(', ')}.`);
    }
    if (!isStorable(text)) throw new EdgeError('bad_request', 'A filter must not contain U+0000.');
    requireCheapWildcards(text);
    filters[filter] = text;
  }
  return filters;
}

/** Parses the parameters of a list; the first sort key is the default. */
export function readListQuery<K extends string, F extends string>(
  parameters: URLSearchParams,
  known: { sortKeys: readonly K[]; filters: readonly F[]; limits: PageLimits; sortDir: SortDir },
): ListQuery<K, F> {
  const isRepeated = new Set(parameters.keys()).size !== parameters.size;
  const query = {
    limit: readLimit(parameters.get('limit'), known.limits),
    ...readMarker(parameters.get('marker')),
    sortKey: readSortKey(parameters.get('sort_key'), known.sortKeys),
    sortDir: readSortDir(parameters.get('sort_dir'), known.sortDir),
    filters: readFilters(parameters, known.filters),
  };
  if (isRepeated) throw new EdgeError('bad_request', 'Give each query parameter only once.');
  return query;
}
