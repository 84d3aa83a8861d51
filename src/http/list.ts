import type { RuleName } from '../domain/access/rule-name.ts';
import type { Act } from '../domain/acts/act.ts';
import type { ListQuery, Page } from '../domain/lists.ts';
import { nextTurn } from '../domain/yield.ts';
import { listLinks, pageLinks } from './links.ts';
import { type KnownList, type PageLimits, readListQuery } from './list-query.ts';
import { type ApiReply, type ApiRequest, actingProject, type Params, type Route, route } from './route.ts';

/** The description of the list of a resource. */
export interface ListSpec<Item extends { readonly id: string }, K extends string, F extends string>
  extends KnownList<K, F> {
  readonly path: string;
  readonly rule: RuleName;
  /** The key of the entries in the answer. */
  readonly key: string;
  /** Converts the text of a filter to its stored form, if they differ. */
  readonly canonical?: Readonly<Partial<Record<F, (text: string) => string>>>;
  toWire(item: Item, base: string): object;
  list(act: Act, query: ListQuery<K, F>, params: Params): Promise<Page<Item>>;
  /** Whether the answer has the number of matches on all pages. */
  readonly isCounted?: true;
  /** Streams all matches, if a list without limit and marker returns them all. */
  stream?(act: Act, query: ListQuery<K, F>, params: Params): AsyncIterable<readonly Item[]>;
}

interface Asked<K extends string, F extends string> {
  readonly query: ListQuery<K, F>;
  /** Whether the query has neither a limit nor a marker. */
  readonly isWhole: boolean;
}

function inCanonicalForm<K extends string, F extends string>(
  query: ListQuery<K, F>,
  { filters: known, canonical }: Pick<ListSpec<never, K, F>, 'filters' | 'canonical'>,
): ListQuery<K, F> {
  const filters: Partial<Record<F, string>> = { ...query.filters };
  for (const filter of known) {
    const text = filters[filter];
    if (text !== undefined) filters[filter] = canonical?.[filter]?.(text) ?? text;
  }
  return { ...query, filters };
}

/** A whole list as JSON text, written as it is read. */
async function* streamed<Item>(
  { key, toWire }: { readonly key: string; toWire(item: Item, base: string): object },
  batches: AsyncIterable<readonly Item[]>,
  { base, url }: { readonly base: string; readonly url: string },
): AsyncGenerator<string> {
  yield `{${JSON.stringify(key)}:[`;
  let separator = '';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map((one) => JSON.stringify(toWire(one, base))).join(',');
    separator = ',';
  }
  yield `],"links":${JSON.stringify(listLinks(base, url))}}`;
}

/** Whether the client opts out of the number of entries. */
function hidesCounts({ headers }: Pick<ApiRequest<unknown, unknown>, 'headers'>): boolean {
  return /^true$/i.test(String(headers['openstack-dns-hide-counts']));
}

async function answer<Item extends { readonly id: string }, K extends string, F extends string>(
  spec: ListSpec<Item, K, F>,
  request: ApiRequest<Asked<K, F>, unknown>,
): Promise<ApiReply> {
  const { act, params, base, url } = request;
  const { query, isWhole } = request.query;
  if (isWhole && spec.stream !== undefined) {
    return { status: 200, body: streamed(spec, spec.stream(act, query, params), request) };
  }
  const isCounted = spec.isCounted === true && !hidesCounts(request);
  const page = await spec.list(act, { ...query, isCounted }, params);
  // A page may take milliseconds to write: however many clients ask, others have their turn after each.
  await nextTurn();
  return {
    status: 200,
    body: {
      [spec.key]: page.items.map((item) => spec.toWire(item, base)),
      links: pageLinks({ base, url, query }, page),
      ...(spec.isCounted === true ? { metadata: { total_count: page.total } } : {}),
      ...(page.asOf === undefined ? {} : { as_of: page.asOf }),
    },
  };
}

/** The common list operation of every resource: filters, sorting, pages with links, and the count. */
export function listRoute<Item extends { readonly id: string }, K extends string, F extends string>(
  spec: ListSpec<Item, K, F>,
  limits: PageLimits,
): Route {
  const { path, rule, sortKeys, filters } = spec;
  return route({
    method: 'GET',
    path,
    guard: actingProject(rule),
    list: { sortKeys, filters, isCounted: spec.isCounted === true, isStreamed: spec.stream !== undefined },
    query: (parameters): Asked<K, F> => ({
      query: inCanonicalForm(readListQuery(parameters, { ...spec, limits }), spec),
      isWhole: !parameters.has('limit') && !parameters.has('marker'),
    }),
    handle: (request) => answer(spec, request),
  });
}
