import { SourceError } from '../domain/adoption/source.ts';
import { isObject } from '../domain/shapes/shape.ts';
import type { DesignateConnection, DesignateReply, Json } from './connection.ts';

/** Number of ids at the end of a page to try as its marker, in case the last ones have been deleted since. */
const MAX_MARKERS = 20;

/** Maximum number of entries in a list: guards against a source whose list never ends. */
const MAX_ENTRIES = 10_000_000;

interface DesignatePage {
  readonly items: readonly unknown[];
  /** True if the source announces another page. */
  readonly more: boolean;
}

function pageOf(path: string, key: string, body: Json): DesignatePage {
  const items = body[key];
  if (!Array.isArray(items)) {
    throw new SourceError(`The response to ${path} has no list "${key}". Is this Designate?`);
  }
  const { links } = body;
  const more = isObject(links) && typeof links.next === 'string';
  if (more && items.length > 0 && idsOf(items).length === 0) {
    throw new SourceError(`The response to ${path} announces another page, but its entries have no ids.`);
  }
  return { items, more };
}

function idsOf(items: readonly unknown[]): string[] {
  return items.flatMap((item) => (isObject(item) && typeof item.id === 'string' ? [item.id] : []));
}

/** The page in an answer; undefined if its marker is gone. */
function foundIn(
  path: string,
  key: string,
  asked: DesignateReply,
  connection: DesignateConnection,
): DesignatePage | undefined {
  if (asked.ok) return pageOf(path, key, asked.body);
  if (asked.type === 'marker_not_found') return undefined;
  throw connection.unexpected(path, asked);
}

/**
 * Every entry of a list, page by page. Only the presence of `links.next` counts: its address may be unreachable from
 * here.
 * @param path path of the list, after `/v2`
 * @throws SourceTrouble
 */
export async function* listed(
  connection: DesignateConnection,
  path: string,
  key: string,
  pageSize: number,
): AsyncGenerator<unknown, void> {
  const query = `${path}?limit=${pageSize}`;
  const find = async (at: string) => foundIn(at, key, await connection.ask(at), connection);
  /** The page after the first of these ids that still exists. */
  async function pageAfter(markers: readonly string[]): Promise<DesignatePage> {
    for (const marker of markers) {
      const page = await find(`${query}&marker=${encodeURIComponent(marker)}`);
      if (page !== undefined) return page;
    }
    throw new SourceError(
      `The last entries of a page of ${path} were deleted at the source. Run the command again.`,
    );
  }

  /** The last id of every page. */
  const ends = new Set<string>();
  let entries = 0;
  let page = await find(query);
  if (page === undefined) throw new SourceError(`The source does not return the first page of ${path}.`);
  for (;;) {
    yield* page.items;
    const markers = idsOf(page.items).slice(-MAX_MARKERS).reverse();
    const [end] = markers;
    if (!page.more || end === undefined) return;
    entries += page.items.length;
    if (ends.has(end)) throw new SourceError(`The source keeps returning the same page of ${path}.`);
    if (entries > MAX_ENTRIES)
      throw new SourceError(`The source returns more than ${MAX_ENTRIES} entries of ${path}.`);
    ends.add(end);
    page = await pageAfter(markers);
  }
}
