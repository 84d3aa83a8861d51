import { api, told } from '../../api/client.ts';
import type { ProjectUsage } from '../../api/types.ts';
import { markerIn } from '../../parts/table.tsx';
import { fullnessOf } from './fullness.ts';

/** Projects of a request, and how many requests are made at most. */
const PER_REQUEST = 1000;
const MOST_REQUESTS = 5;

export interface ByFullness {
  /** The fullest first. */
  readonly rows: readonly ProjectUsage[];
  readonly asOf: string | null | undefined;
  /** Whether these are all projects. */
  readonly isWhole: boolean;
}

const fullness = (row: ProjectUsage): number => fullnessOf(row) ?? -1;

function sorted(rows: readonly ProjectUsage[]): readonly ProjectUsage[] {
  return [...rows].sort((one, other) => fullness(other) - fullness(one));
}

/** Whether no project that is still to come is fuller than so many of these: none is fuller than its percentage, by which they come. */
function hasFullest(rows: readonly ProjectUsage[], wanted: number): boolean {
  const least = rows.at(-1)?.percentage ?? -1;
  return rows.filter((row) => fullness(row) >= least).length >= wanted;
}

/**
 * The projects that are nearest to a limit. The API puts a limit of 0 first, even if nothing is used.
 * @param wanted how many are needed
 */
export async function projectsByFullness(
  filter: { readonly project_id?: string | undefined },
  wanted: number,
  signal: AbortSignal,
): Promise<ByFullness> {
  const rows: ProjectUsage[] = [];
  let asOf: ByFullness['asOf'];
  let marker: string | undefined;
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    const query = {
      ...filter,
      limit: PER_REQUEST,
      marker,
      sort_key: 'percentage',
      sort_dir: 'desc',
    } as const;
    const page = await told(api.GET('/v2/usage', { params: { query }, signal }));
    asOf ??= page.as_of;
    rows.push(...page.usage);
    marker = markerIn(page.links);
    if (marker === undefined) return { rows: sorted(rows), asOf, isWhole: true };
    if (hasFullest(rows, wanted)) break;
  }
  return { rows: sorted(rows), asOf, isWhole: false };
}
