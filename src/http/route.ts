import type { RuleName } from '../domain/access/rule-name.ts';
import type { Act } from '../domain/acts/act.ts';
import type { KeptAnswer } from '../domain/idempotency/idempotency-key.ts';
import { onceFor } from '../domain/idempotency/once.ts';
import type { BodyReader } from './body.ts';

/** The parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** A request whose access, headers, path, query and body have been checked, in this order. */
export interface ApiRequest<Query, Body> {
  /** Who acts and for whom; if the request has an idempotency key, it also stores the answer. */
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
  /** An object is sent as JSON, text and chunks of text as they are. */
  readonly body?: object | string | AsyncIterable<string>;
  /** If it is not JSON. */
  readonly contentType?: string;
}

/** The answer to a create. */
interface CreatedReply extends ApiReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly id: string; readonly links: { readonly self: string } };
}

/** What a create says of the blacklists that its name matches. */
interface Passed {
  /** The blacklist that its name was allowed to match. */
  readonly bypassed?: string | undefined;
  /** Whether such a name is going to be refused. */
  readonly isWarned: boolean;
}

/** RFC 7234, section 5.5. */
const WARNING = '299 - "This name matches a rule that will be enforced"';

/** The answer to a create: the resource and its location. */
export function created(
  status: 201 | 202,
  wire: CreatedReply['body'],
  { bypassed, isWarned }: Passed = { isWarned: false },
): CreatedReply {
  const passed = bypassed === undefined ? {} : { 'x-zonewarden-blacklist-bypassed': bypassed };
  const warned = isWarned ? { warning: WARNING } : {};
  return { status, headers: { location: wire.links.self, ...passed, ...warned }, body: wire };
}

/**
 * Creates a resource and answers with it. If the request has an idempotency key, the creating transaction stores the
 * answer, so `toReply` must only convert.
 */
export async function replyCreated<T>(
  { act }: { readonly act: Act<KeptAnswer> },
  create: (act: Act<T>) => Promise<T>,
  toReply: (created: T) => CreatedReply,
): Promise<ApiReply> {
  const toKeep = (created: T): KeptAnswer => {
    const { status, headers, body } = toReply(created);
    return { status, headers, body: JSON.stringify(body), resourceId: body.id };
  };
  return toReply(await create({ ...act, once: onceFor(act.once, toKeep) }));
}

/** Whether a parameter of a path is a project id. */
export function namesProject(parameter: string): boolean {
  return parameter === 'project_id' || parameter === 'tenant_id';
}

/** What must be true of the caller before any other check of a request. */
export type Guard =
  | 'public'
  /** The rule is checked for the project that the request acts for. */
  | { readonly rule: RuleName; readonly about: 'acting project' }
  /** The rule is checked for the project in the path; the cross-project headers are ignored. */
  | { readonly rule: RuleName; readonly about: 'project in path' };

/** The guard of most operations. */
export function actingProject(rule: RuleName): Guard {
  return { rule, about: 'acting project' };
}

/** What an ETag is made of. */
export interface Tagged {
  /** A resource as clients see it; where its links lead is left out of the ETag. */
  represent(resource: object): object;
}

/** The mark of the routes of one kind of single resource. */
export function tagged<Resource extends object>(represent: (resource: Resource) => object): Tagged {
  return { represent: (resource) => represent(resource as Resource) };
}

/** The query parameters of a list. */
export interface ListParameters {
  readonly sortKeys: readonly string[];
  readonly filters: readonly string[];
  /** Whether the answer has the number of matches on all pages. */
  readonly isCounted: boolean;
  /** Whether it returns all matches if the query has neither a limit nor a marker. */
  readonly isStreamed: boolean;
}

export interface Route<Query = unknown, Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** In the syntax of OpenAPI: `{tenant_id}` and `{project_id}` are project ids, `{token_id}` is that of a token, every other parameter is a UUID. */
  readonly path: string;
  readonly guard: Guard;
  readonly query?: (parameters: URLSearchParams) => Query;
  /** For the list of a resource: its query parameters. */
  readonly list?: ListParameters;
  readonly body?: BodyReader<Body>;
  /** A media type besides JSON; a client may accept either. */
  readonly answers?: 'text/dns' | 'text/plain';
  /** Whether the answer can be as large as a zone. It takes a slot until it is sent. */
  readonly isLarge?: true;
  /**
   * Of a single resource: its answers have an ETag, and the conditions of its requests are asked (RFC 9110, section 13).
   * The act carries those that are to be asked of the resource itself.
   */
  readonly tagged?: Tagged;
  handle(request: ApiRequest<Query, Body>): Promise<ApiReply>;
  /**
   * For a create whose answer may be large: the body of that answer, made again from what was created, as it is now.
   * Throws `…_not_found` if it does not exist any more.
   */
  repeat?(request: Pick<ApiRequest<Query, Body>, 'act' | 'params' | 'base'>, id: string): Promise<object>;
}

/** Lets the compiler infer what the query and the body of a route are. */
export function route<Query, Body>(spec: Route<Query, Body>): Route {
  return spec as unknown as Route;
}
