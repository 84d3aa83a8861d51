import type { Parsed } from '../../dns/parsed.ts';
import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import type { ListQuery } from '../../model/lists.ts';
import { withoutLiteralStars } from '../../model/name-filter.ts';
import { isStorable } from '../../model/text.ts';
import { EdgeError } from '../edge/errors.ts';
import { ALL_PROJECTS, EDIT_MANAGED } from '../edge/headers.ts';
import { parseUuid } from '../edge/uuid.ts';

export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** Limits for filters with a `*`: their number of wildcards, and their length in characters. */
const MAX_WILDCARDS = 8;
const MAX_WILDCARD_FILTER_LENGTH = 255;

/** Parameters that are not filters. */
const NON_FILTER_PARAMETERS = ['limit', 'marker', 'sort_key', 'sort_dir', ...ALL_PROJECTS, ...EDIT_MANAGED];

function readLimit(text: string | null, limits: PageLimits): number {
  if (text === null) return limits.default;
  if (text === 'max') return limits.max;
  if (!/^\d{1,400}$/.test(text) || /^0+$/.test(text)) throw new EdgeError('invalid_limit');
  return Math.min(Number(text), limits.max);
}

/** Sort keys and filters of a list. */
export interface KnownList<K extends string, F extends string> {
  /** The first is the default. */
  readonly sortKeys: readonly K[];
  /** Sort keys that default to descending. */
  readonly descendingFirst?: readonly K[];
  readonly filters: readonly F[];
  /** Parses an ID; UUIDs by default. */
  readonly parseId?: (text: string) => Parsed<string>;
}

function readMarker(text: string | null, parseId: (text: string) => Parsed<string>): { marker?: string } {
  if (text === null) return {};
  const marker = parseId(text);
  if (!marker.ok) throw new EdgeError('invalid_marker');
  return { marker: marker.value };
}

function readSortKey<K extends string>(text: string | null, keys: readonly K[]): K {
  if (text === null) return keys[0]!;
  const key = keys.find((one) => one === text);
  if (key !== undefined) return key;
  throw new EdgeError('invalid_sort_key', `Sort by one of: ${keys.join(', ')}.`);
}

function readSortDir(text: string | null, defaultDir: 'asc' | 'desc'): 'asc' | 'desc' {
  if (text === null) return defaultDir;
  if (text === 'asc') return 'asc';
  if (text === 'desc') return 'desc';
  throw new EdgeError('invalid_sort_dir');
}

/**
 * Each wildcard multiplies the positions that the store may have to try.
 * @param starred the text, with no stars except wildcards
 * @throws EdgeError `bad_request`
 */
function requireCheapWildcards(text: string, starred: string): void {
  const wildcards = starred.replace(/[^*]+|\*(?=\*)/g, '').length;
  if (wildcards === 0) return;
  if (wildcards <= MAX_WILDCARDS && text.length <= MAX_WILDCARD_FILTER_LENGTH) return;
  throw new EdgeError(
    'bad_request',
    `A filter with wildcards may have at most ${MAX_WILDCARD_FILTER_LENGTH} characters and ${MAX_WILDCARDS} "*".`,
  );
}

function readFilters<F extends string>(parameters: URLSearchParams, known: readonly F[]) {
  const filters: Partial<Record<F, string>> = {};
  for (const [name, text] of parameters) {
    if (NON_FILTER_PARAMETERS.includes(name)) continue;
    const filter = known.find((one) => one === name);
    if (filter === undefined) {
      throw new EdgeError(
        'bad_request',
        `Unknown filter ${JSON.stringify(name.slice(0, 64))}. Use one of: ${known.join(', ')}.`,
      );
    }
    if (!isStorable(text)) throw new EdgeError('bad_request', 'A filter must not contain U+0000.');
    requireCheapWildcards(text, name === 'name' ? withoutLiteralStars(text) : text);
    filters[filter] = text;
  }
  return filters;
}

/** Errors of lists, beyond the common ones. */
export const LIST_REFUSALS = [
  'invalid_limit',
  'invalid_marker',
  'invalid_sort_key',
  'invalid_sort_dir',
  'marker_not_found',
  'slow_read',
  'slow_sort_key',
  'too_many_reads',
] as const;

/**
 * The query parameters of a list, by name.
 * @param notes descriptions of filters that are not comparisons
 */
export function listParameters(
  { sortKeys, descendingFirst = [], filters, parseId }: KnownList<string, string>,
  notes: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, JsonSchema>> {
  const exceptions = descendingFirst.length === 0 ? '' : `, or \`desc\` for ${descendingFirst.join(', ')}`;
  const others: Readonly<Record<string, JsonSchema>> = {
    limit: {
      type: ['integer', 'string'],
      pattern: '^(0*[1-9][0-9]*|max)$',
      minimum: 1,
      description: 'Page size: a number or `max`.',
    },
    marker: {
      type: 'string',
      ...(parseId === undefined ? { format: 'uuid' } : {}),
      description: 'ID of the last entry of the previous page.',
    },
    sort_key: { type: 'string', enum: sortKeys, description: `Default: \`${sortKeys[0]}\`.` },
    sort_dir: { type: 'string', enum: ['asc', 'desc'], description: `Default: \`asc\`${exceptions}.` },
  };
  const about = 'Only entries with this value; `*` matches any text.';
  const aboutNames = `${about} \`\\\\*\` is a literal star.`;
  return {
    ...others,
    ...Object.fromEntries(
      filters.map((name) => [
        name,
        { type: 'string', description: notes[name] ?? (name === 'name' ? aboutNames : about) } as const,
      ]),
    ),
  };
}

/** Parses the parameters of a list. */
export function readListQuery<K extends string, F extends string>(
  parameters: URLSearchParams,
  known: KnownList<K, F> & { readonly limits: PageLimits },
): ListQuery<K, F> {
  const isRepeated = new Set(parameters.keys()).size !== parameters.size;
  const limit = readLimit(parameters.get('limit'), known.limits);
  const marker = readMarker(parameters.get('marker'), known.parseId ?? parseUuid);
  const sortKey = readSortKey(parameters.get('sort_key'), known.sortKeys);
  const defaultDir = known.descendingFirst?.includes(sortKey) ? 'desc' : 'asc';
  const sortDir = readSortDir(parameters.get('sort_dir'), defaultDir);
  const query = { limit, ...marker, sortKey, sortDir, filters: readFilters(parameters, known.filters) };
  if (isRepeated) throw new EdgeError('bad_request', 'Give each query parameter only once.');
  return query;
}
