import type { RuleName } from '../domain/access/rule-name.ts';
import type { Act } from '../domain/acts/act.ts';
import type { KeptAnswer } from '../domain/idempotency/idempotency-key.ts';
import { onceFor } from '../domain/idempotency/once.ts';
import type { BodyReader } from './body.ts';

/** The parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** A request whose access, headers, path, query and body have been checked, in this order. */
export interface ApiRequest<Query, Body> {
  /** Who asks, and for whom; where the request has an idempotency key, with what keeps its answer. */
  readonly act: Act<KeptAnswer>;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The base of every link, without a final slash. */
  readonly base: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ApiReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and pieces of text as they come. */
  readonly body?: object | string | AsyncIterable<string>;
  /** Where it is not JSON. */
  readonly contentType?: string;
}

/** The answer to a create. */
interface CreatedReply extends ApiReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/**
 * The answer to a create: what was created, and where it is.
 * @param bypassed the blacklist that its name was allowed to match
 */
export function created(
  status: 201 | 202,
  wire: { readonly links: { readonly self: string } },
  bypassed?: string,
): CreatedReply {
  const passed = bypassed === undefined ? {} : { 'x-zonewarden-blacklist-bypassed': bypassed };
  return { status, headers: { location: wire.links.self, ...passed }, body: wire };
}

/**
 * Creates, and answers with what was created. Where the request has an idempotency key the answer is kept in the
 * creating transaction, so `toReply` does nothing but convert.
 */
export async function replyCreated<T>(
  { act }: { readonly act: Act<KeptAnswer> },
  create: (act: Act<T>) => Promise<T>,
  toReply: (created: T) => CreatedReply,
): Promise<ApiReply> {
  const toKeep = (created: T): KeptAnswer => {
    const { status, headers, body } = toReply(created);
    return { status, headers, body: JSON.stringify(body) };
  };
  return toReply(await create({ ...act, once: onceFor(act.once, toKeep) }));
}

/** Whether a parameter of a path is a project id. */
export function namesProject(parameter: string): boolean {
  return parameter === 'project_id' || parameter === 'tenant_id';
}

/** What must be true of the caller before anything else of a request is looked at. */
export type Guard =
  | 'public'
  /** The rule is asked about the project that the request acts for. */
  | { readonly rule: RuleName; readonly about: 'acting project' }
  /** The rule is asked about the project in the path; the headers that act for others are ignored. */
  | { readonly rule: RuleName; readonly about: 'project in path' };

/** The guard of most operations. */
export function actingProject(rule: RuleName): Guard {
  return { rule, about: 'acting project' };
}

/** What a list can be asked for. */
export interface ListParameters {
  readonly sortKeys: readonly string[];
  readonly filters: readonly string[];
  /** Whether the answer tells how many entries match on all pages. */
  readonly isCounted: boolean;
  /** Whether it holds all that match where neither a limit nor a marker is given. */
  readonly isStreamed: boolean;
}

export interface Route<Query = unknown, Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** In the syntax of OpenAPI: `{tenant_id}` and `{project_id}` are project ids, every other parameter is a UUID. */
  readonly path: string;
  readonly guard: Guard;
  readonly query?: (parameters: URLSearchParams) => Query;
  /** Where it is the list of a resource: what it can be asked for. */
  readonly list?: ListParameters;
  readonly body?: BodyReader<Body>;
  /** What it answers with beside JSON; who accepts either is served. */
  readonly answers?: 'text/dns';
  handle(request: ApiRequest<Query, Body>): Promise<ApiReply>;
}

/** Lets the compiler infer what the query and the body of a route are. */
export function route<Query, Body>(spec: Route<Query, Body>): Route {
  return spec as unknown as Route;
}
