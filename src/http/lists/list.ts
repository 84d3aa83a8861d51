import type { ScopedReach } from '../../domain/access/access-control.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { ListQuery, Page } from '../../model/lists.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { listLinks, pageLinks } from '../edge/links.ts';
import { withCapacity } from '../edge/pages-in-memory.ts';
import { type ResponseSchema, responseSchema } from '../edge/response-schema.ts';
import { JSON_LINES, linesOf, responsesWith } from '../edge/responses.ts';
import {
  type ApiReply,
  type ApiRequest,
  actingProject,
  type Params,
  type Route,
  route,
} from '../edge/route.ts';
import {
  type KnownList,
  LIST_REFUSALS,
  listParameters,
  type PageLimits,
  readListQuery,
} from './list-query.ts';

/** Describes the list of a resource. */
export interface ListSpec<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
> extends KnownList<K, F> {
  readonly path: string;
  readonly rule: RuleName;
  /** The rule for those whom the first one does not allow: they see a part of the list. */
  readonly orRule?: RuleName;
  readonly scopedReach?: ScopedReach;
  /** The key of the entries in the response. */
  readonly key: string;
  /** Converts the text of a filter to its stored form, where the two differ. */
  readonly canonical?: Readonly<Partial<Record<F, (text: string) => string>>>;
  /** The meaning of filters that do not compare a value. */
  readonly notes?: Readonly<Partial<Record<F, string>>>;
  /** The schema of an entry. */
  readonly sends: ResponseSchema<Wire>;
  toWire(item: Item, base: string): NoInfer<Wire>;
  list(context: RequestContext, query: ListQuery<K, F>, params: Params): Promise<Page<Item>>;
  /** Set if the response says how current its data is. */
  readonly isDated?: true;
  /** Set if the response has the number of matches on all pages. */
  readonly isCounted?: true;
  /** Streams all matches, for lists that return them all when the query has neither limit nor marker. */
  stream?(context: RequestContext, query: ListQuery<K, F>, params: Params): AsyncIterable<readonly Item[]>;
  readonly operationId?: string;
}

/** How to serialize the entries of a list. */
interface Writing<Item> {
  readonly key: string;
  toWire(item: Item, base: string): object;
}

interface ParsedListQuery<K extends string, F extends string> {
  readonly query: ListQuery<K, F>;
  /** True if the query has neither limit nor marker. */
  readonly isWhole: boolean;
}

function inCanonicalForm<K extends string, F extends string>(
  query: ListQuery<K, F>,
  { filters: known, canonical }: Pick<ListSpec<never, K, F, never>, 'filters' | 'canonical'>,
): ListQuery<K, F> {
  const filters: Partial<Record<F, string>> = { ...query.filters };
  for (const filter of known) {
    const text = filters[filter];
    if (text !== undefined) filters[filter] = canonical?.[filter]?.(text) ?? text;
  }
  return { ...query, filters };
}

/** Serializes a whole list as JSON, as it is read. */
async function* streamed<Item>(
  writing: Writing<Item>,
  batches: AsyncIterable<readonly Item[]>,
  { base, url }: { readonly base: string; readonly url: string },
): AsyncGenerator<string> {
  yield `{${JSON.stringify(writing.key)}:[`;
  let separator = '';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + elementsOf(writing, batch, base);
    separator = ',';
  }
  yield `],"links":${JSON.stringify(listLinks(base, url))}}`;
}

/** Number of entries that are serialized in one go. */
const SHORT_PAGE = 20;
/** In characters. */
const LARGE_PAGE = 65_536;

/** Serializes entries as JSON, separated by commas. */
function elementsOf<Item>(
  { toWire }: Pick<Writing<Item>, 'toWire'>,
  items: readonly Item[],
  base: string,
): string {
  // One call costs less than one for each entry.
  return JSON.stringify(items.map((item) => toWire(item, base))).slice(1, -1);
}

/** Serializes entries as JSON lines. */
function linesOfBatch<Item>(
  { toWire }: Pick<Writing<Item>, 'toWire'>,
  batch: readonly Item[],
  base: string,
): string {
  return batch.map((one) => `${JSON.stringify(toWire(one, base))}\n`).join('');
}

/**
 * Serializes the entries of a page, and yields to other requests every few milliseconds.
 * @param write serializes some entries
 * @returns the texts of the parts
 */
async function written<Item>(
  items: readonly Item[],
  projectId: string,
  write: (some: readonly Item[]) => string,
): Promise<string[]> {
  const turns = new TimeSlices(projectId);
  if (items.length > SHORT_PAGE) await turns.next();
  const texts: string[] = [];
  for (let start = 0; start < items.length; start += SHORT_PAGE) {
    texts.push(write(items.slice(start, start + SHORT_PAGE)));
    if (turns.isOver) await turns.next();
  }
  // A few entries can be large, and reading and sending them takes long, too.
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (items.length <= SHORT_PAGE && length > LARGE_PAGE) await turns.next();
  return texts;
}

/** Serializes a whole list as JSON lines, as it is read. */
async function* streamedLines<Item>(
  writing: Writing<Item>,
  batches: AsyncIterable<readonly Item[]>,
  base: string,
): AsyncGenerator<string> {
  for await (const batch of batches) if (batch.length > 0) yield linesOfBatch(writing, batch, base);
}

/** True if the client opts out of the number of entries. */
function hidesCounts({ headers }: Pick<ApiRequest<unknown, unknown>, 'headers'>): boolean {
  return /^true$/i.test(String(headers['openstack-dns-hide-counts']));
}

async function answer<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
>(
  spec: ListSpec<Item, K, F, Wire>,
  request: ApiRequest<ParsedListQuery<K, F>, unknown>,
): Promise<ApiReply<200>> {
  const { context, params, base, url } = request;
  const { query, isWhole } = request.query;
  const isLines = request.form === JSON_LINES;
  if (isWhole && spec.stream !== undefined) {
    const batches = spec.stream(context, query, params);
    return {
      status: 200,
      body: isLines ? streamedLines(spec, batches, base) : streamed(spec, batches, request),
    };
  }
  const isCounted = spec.isCounted === true && !hidesCounts(request);
  const write = (some: readonly Item[]) => (isLines ? linesOfBatch : elementsOf)(spec, some, base);
  const { texts, page } = await withCapacity(query, request, async () => {
    const page = await spec.list(context, { ...query, isCounted }, params);
    return { texts: await written(page.items, context.projectId, write), page };
  });
  const links = pageLinks({ base, url, query }, page);
  if (isLines) {
    // JSON lines cannot hold the link, so it becomes a header (RFC 8288).
    const headers = links.next === undefined ? {} : { link: `<${links.next}>; rel="next"` };
    return { status: 200, headers, body: texts.join('') };
  }
  const rest = JSON.stringify({
    links,
    ...(spec.isCounted === true ? { metadata: { total_count: page.total } } : {}),
    ...(page.asOf === undefined ? {} : { as_of: page.asOf }),
  });
  return { status: 200, body: `{${JSON.stringify(spec.key)}:[${texts.join(',')}],${rest.slice(1)}` };
}

/** The responses of a list, including JSON lines if it can be streamed. */
function answersOf<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
>({ key, sends, isCounted, isDated, stream }: ListSpec<Item, K, F, Wire>) {
  const links = responseSchema.object({ self: responseSchema.link }, { next: responseSchema.link });
  // Null or omitted if the client opts out.
  const metadata = responseSchema.object({}, { total_count: responseSchema.integer({ examples: [1] }) });
  const page = responseSchema.object({
    [key]: responseSchema.list(sends),
    links,
    ...(isCounted ? { metadata } : {}),
    ...(isDated ? { as_of: responseSchema.nullable(responseSchema.time) } : {}),
  });
  if (stream === undefined) return responsesWith(200, page as ResponseSchema<object>);
  return responsesWith(200, page as ResponseSchema<object>, { headers: ['Link'], forms: [linesOf(sends)] });
}

/** The list operation of all resources: filters, sorting, pages with links, and the count. */
export function listRoute<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
>(spec: ListSpec<Item, K, F, Wire>, limits: PageLimits): Route {
  const { path, rule, orRule, scopedReach, sortKeys, filters } = spec;
  const known = { ...spec, limits };
  return route({
    method: 'GET',
    path,
    guard: actingProject(rule, orRule),
    ...(scopedReach && { scopedReach }),
    list: { sortKeys, filters, isCounted: spec.isCounted === true, isStreamed: spec.stream !== undefined },
    query: {
      parameters: listParameters(spec, spec.notes ?? {}),
      read: (parameters): ParsedListQuery<K, F> => ({
        query: inCanonicalForm(readListQuery(parameters, known), spec),
        isWhole: !parameters.has('limit') && !parameters.has('marker'),
      }),
    },
    responses: answersOf(spec),
    ...(spec.isCounted ? { headers: ['OpenStack-DNS-Hide-Counts'] } : {}),
    refusals: LIST_REFUSALS,
    ...(spec.operationId === undefined ? {} : { operationId: spec.operationId }),
    handle: (request) => answer(spec, request),
  });
}
