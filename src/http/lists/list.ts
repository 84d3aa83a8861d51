import type { RuleName } from '../../model/access/rule-name.ts';
import type { Act } from '../../model/acts/act.ts';
import type { ListQuery, Page } from '../../model/lists.ts';
import { Turns } from '../../runtime/yield.ts';
import { answersWith, JSON_LINES, linesOf } from '../edge/answers.ts';
import { listLinks, pageLinks } from '../edge/links.ts';
import { withRoom } from '../edge/pages-in-memory.ts';
import {
  type ApiReply,
  type ApiRequest,
  actingProject,
  type Params,
  type Route,
  route,
} from '../edge/route.ts';
import { type Sent, sent } from '../edge/sent.ts';
import {
  type KnownList,
  LIST_REFUSALS,
  listParameters,
  type PageLimits,
  readListQuery,
} from './list-query.ts';

/** The description of the list of a resource. */
export interface ListSpec<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
> extends KnownList<K, F> {
  readonly path: string;
  readonly rule: RuleName;
  /** The key of the entries in the answer. */
  readonly key: string;
  /** Converts the text of a filter to its stored form, if they differ. */
  readonly canonical?: Readonly<Partial<Record<F, (text: string) => string>>>;
  /** What a filter means that does not compare a value. */
  readonly notes?: Readonly<Partial<Record<F, string>>>;
  /** What an entry is as clients see it. */
  readonly sends: Sent<Wire>;
  toWire(item: Item, base: string): NoInfer<Wire>;
  list(act: Act, query: ListQuery<K, F>, params: Params): Promise<Page<Item>>;
  /** Whether the answer says since when it has been so. */
  readonly isDated?: true;
  /** Whether the answer has the number of matches on all pages. */
  readonly isCounted?: true;
  /** Streams all matches, if a list without limit and marker returns them all. */
  stream?(act: Act, query: ListQuery<K, F>, params: Params): AsyncIterable<readonly Item[]>;
  readonly operationId?: string;
}

/** How the entries of a list are written. */
interface Writing<Item> {
  readonly key: string;
  toWire(item: Item, base: string): object;
}

interface Asked<K extends string, F extends string> {
  readonly query: ListQuery<K, F>;
  /** Whether the query has neither a limit nor a marker. */
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

/** A whole list as JSON text, written as it is read. */
async function* streamed<Item>(
  { key, toWire }: Writing<Item>,
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

/** Pages of at most so many entries are written in one piece. */
const SHORT_PAGE = 20;
/** In characters. */
const LARGE_PAGE = 65_536;

/** The entries of a page as JSON texts. Others have their turn after each few milliseconds. */
async function written<Item>(
  { toWire }: Pick<Writing<Item>, 'toWire'>,
  items: readonly Item[],
  base: string,
  projectId: string,
): Promise<string[]> {
  const turns = new Turns(projectId);
  if (items.length > SHORT_PAGE) await turns.next();
  const texts: string[] = [];
  for (const item of items) {
    texts.push(JSON.stringify(toWire(item, base)));
    if (turns.isOver) await turns.next();
  }
  // A few entries can be large: reading and sending them is long work, too.
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (items.length <= SHORT_PAGE && length > LARGE_PAGE) await turns.next();
  return texts;
}

/** Entries as lines of JSON. */
function linesOfBatch<Item>(
  { toWire }: Pick<Writing<Item>, 'toWire'>,
  batch: readonly Item[],
  base: string,
): string {
  return batch.map((one) => `${JSON.stringify(toWire(one, base))}\n`).join('');
}

/** A whole list as lines of JSON, written as it is read. */
async function* streamedLines<Item>(
  writing: Writing<Item>,
  batches: AsyncIterable<readonly Item[]>,
  base: string,
): AsyncGenerator<string> {
  for await (const batch of batches) if (batch.length > 0) yield linesOfBatch(writing, batch, base);
}

/** Whether the client opts out of the number of entries. */
function hidesCounts({ headers }: Pick<ApiRequest<unknown, unknown>, 'headers'>): boolean {
  return /^true$/i.test(String(headers['openstack-dns-hide-counts']));
}

async function answer<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
>(spec: ListSpec<Item, K, F, Wire>, request: ApiRequest<Asked<K, F>, unknown>): Promise<ApiReply<200>> {
  const { act, params, base, url } = request;
  const { query, isWhole } = request.query;
  const isLines = request.form === JSON_LINES;
  if (isWhole && spec.stream !== undefined) {
    const batches = spec.stream(act, query, params);
    return {
      status: 200,
      body: isLines ? streamedLines(spec, batches, base) : streamed(spec, batches, request),
    };
  }
  const isCounted = spec.isCounted === true && !hidesCounts(request);
  const { texts, page } = await withRoom(query, request, async () => {
    const page = await spec.list(act, { ...query, isCounted }, params);
    return { texts: await written(spec, page.items, base, act.projectId), page };
  });
  const links = pageLinks({ base, url, query }, page);
  if (isLines) {
    // The lines have no room for it (RFC 8288).
    const headers = links.next === undefined ? {} : { link: `<${links.next}>; rel="next"` };
    return { status: 200, headers, body: texts.map((text) => `${text}\n`).join('') };
  }
  const rest = JSON.stringify({
    links,
    ...(spec.isCounted === true ? { metadata: { total_count: page.total } } : {}),
    ...(page.asOf === undefined ? {} : { as_of: page.asOf }),
  });
  return { status: 200, body: `{${JSON.stringify(spec.key)}:[${texts.join(',')}],${rest.slice(1)}` };
}

/** What a list answers with: lines, too, where it can be streamed. */
function answersOf<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
>({ key, sends, isCounted, isDated, stream }: ListSpec<Item, K, F, Wire>) {
  const links = sent.object({ self: sent.link }, { next: sent.link });
  // Null, or left out, where the client hides it.
  const metadata = sent.object({}, { total_count: sent.integer({ examples: [1] }) });
  const page = sent.object({
    [key]: sent.list(sends),
    links,
    ...(isCounted ? { metadata } : {}),
    ...(isDated ? { as_of: sent.nullable(sent.time) } : {}),
  });
  if (stream === undefined) return answersWith(200, page as Sent<object>);
  return answersWith(200, page as Sent<object>, { headers: ['Link'], forms: [linesOf(sends)] });
}

/** The common list operation of every resource: filters, sorting, pages with links, and the count. */
export function listRoute<
  Item extends { readonly id: string },
  K extends string,
  F extends string,
  Wire extends object,
>(spec: ListSpec<Item, K, F, Wire>, limits: PageLimits): Route {
  const { path, rule, sortKeys, filters } = spec;
  return route({
    method: 'GET',
    path,
    guard: actingProject(rule),
    list: { sortKeys, filters, isCounted: spec.isCounted === true, isStreamed: spec.stream !== undefined },
    query: {
      parameters: listParameters(spec, spec.notes ?? {}),
      read: (parameters): Asked<K, F> => ({
        query: inCanonicalForm(readListQuery(parameters, { ...spec, limits }), spec),
        isWhole: !parameters.has('limit') && !parameters.has('marker'),
      }),
    },
    answers: answersOf(spec),
    ...(spec.isCounted ? { headers: ['OpenStack-DNS-Hide-Counts'] } : {}),
    refusals: LIST_REFUSALS,
    ...(spec.operationId === undefined ? {} : { operationId: spec.operationId }),
    handle: (request) => answer(spec, request),
  });
}
