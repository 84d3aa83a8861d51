import { api, dataOf } from '../../api/client.ts';
import type { ProjectUsage } from '../../api/types.ts';
import { markerIn } from '../../parts/table.tsx';
import { fullnessOf } from './fullness.ts';

/** Maximum number of projects per request, and of requests. */
const PER_REQUEST = 1000;
const MAX_REQUESTS = 5;

export interface ByFullness {
  /** Fullest first. */
  readonly rows: readonly ProjectUsage[];
  readonly asOf: string | null | undefined;
  /** True if the rows cover all projects. */
  readonly isWhole: boolean;
}

const fullness = (row: ProjectUsage): number => fullnessOf(row) ?? -1;

function sorted(rows: readonly ProjectUsage[]): readonly ProjectUsage[] {
  return [...rows].sort((one, other) => fullness(other) - fullness(one));
}

/**
 * True if no later project is fuller than `wanted` of these rows: they arrive by percentage, which no fullness exceeds.
 */
function hasFullest(rows: readonly ProjectUsage[], wanted: number): boolean {
  const least = rows.at(-1)?.percentage ?? -1;
  return rows.filter((row) => fullness(row) >= least).length >= wanted;
}

/**
 * The projects closest to a limit. The API itself sorts a limit of 0 first, even if nothing is used.
 * @param wanted number of projects needed
 */
export async function projectsByFullness(
  filter: { readonly project_id?: string | undefined },
  wanted: number,
  signal: AbortSignal,
): Promise<ByFullness> {
  const rows: ProjectUsage[] = [];
  let asOf: ByFullness['asOf'];
  let marker: string | undefined;
  for (let request = 0; request < MAX_REQUESTS; request += 1) {
    const query = {
      ...filter,
      limit: PER_REQUEST,
      marker,
      sort_key: 'percentage',
      sort_dir: 'desc',
    } as const;
    const page = await dataOf(api.GET('/v2/usage', { params: { query }, signal }));
    asOf ??= page.as_of;
    rows.push(...page.usage);
    marker = markerIn(page.links);
    if (marker === undefined) return { rows: sorted(rows), asOf, isWhole: true };
    if (hasFullest(rows, wanted)) break;
  }
  return { rows: sorted(rows), asOf, isWhole: false };
}
