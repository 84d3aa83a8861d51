import type { ScopedReach } from '../../domain/access/access-control.ts';
import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import {
  type CreateOptions,
  type Idempotency,
  optionsFor,
  type Precondition,
} from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { ErrorKind } from '../../model/errors.ts';
import type { StoredResponse } from '../../model/idempotency/idempotency-key.ts';
import { type HiddenRecords, hiddenSentence } from '../../model/zones/hidden-records.ts';
import type { BodyReaders } from './body.ts';
import type { ClientProtocol } from './client-protocol.ts';
import type { EdgeKind } from './errors.ts';
import type { RequestHeader } from './headers.ts';
import type { Responses } from './responses.ts';

/** Path parameters by name. */
export type Params = Readonly<Record<string, string>>;

/** A request whose access, headers, path, query and body have been checked, in that order. */
export interface ApiRequest<Query, Body> {
  /** The caller and the project it acts for. */
  readonly context: RequestContext;
  /** Stores the response to a create with an idempotency key. */
  readonly idempotency?: Idempotency<StoredResponse> | undefined;
  /** For a single resource: the conditions that its stored state must meet. */
  readonly precondition?: Precondition | undefined;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Base of all links, without a trailing slash. */
  readonly base: string;
  /** Path and query as sent. */
  readonly url: string;
  /** The media type, among those of the route, that the client prefers. */
  readonly form: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Address of the client. */
  readonly address: string;
  /** True if the client has disconnected and will not read a response. */
  isGone(): boolean;
}

/**
 * @typeParam Status status that the route declares
 * @typeParam Body value sent as JSON
 */
export interface ApiReply<Status extends number = number, Body = object> {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, text and chunks of text unchanged. */
  readonly body?: Body | string | AsyncIterable<string>;
  /** Set if it is more specific than the negotiated media type. */
  readonly contentType?: string;
}

interface CreatedBody {
  readonly id: string;
  readonly links: { readonly self: string };
}

/** The response to a create. */
interface CreatedReply<Status extends number, Body extends CreatedBody> extends ApiReply<Status, Body> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Blacklist matches of a created name, and the recordsets it hides. */
interface AuthorizedRequest {
  /** The blacklist that the name was allowed to match. */
  readonly bypassed?: string | undefined;
  /** True if the name matches a rule that will be enforced later. */
  readonly isWarned: boolean;
  /** Recordsets of the parent zone that a new zone hides. */
  readonly hides?: HiddenRecords | undefined;
}

/** RFC 7234, section 5.5. */
const WARNING = '299 - "This name matches a rule that will be enforced"';

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The Warning header, if there is anything to warn about. */
export function warningHeader(sentences: readonly string[]): Readonly<Record<string, string>> {
  if (sentences.length === 0) return {};
  return { warning: sentences.map((sentence) => `299 - ${quoted(sentence)}`).join(', ') };
}

/** The value of the Warning header; undefined if there is nothing to warn about. */
export function warningOf({ isWarned, hides }: AuthorizedRequest): string | undefined {
  const warnings = [
    ...(isWarned ? [WARNING] : []),
    ...(hides === undefined ? [] : [`299 - ${quoted(hiddenSentence(hides))}`]),
  ];
  return warnings.length === 0 ? undefined : warnings.join(', ');
}

/** The response to a create: the resource and its location. */
export function created<Status extends 201 | 202, Body extends CreatedBody>(
  status: Status,
  wire: Body,
  { bypassed, ...passed }: AuthorizedRequest = { isWarned: false },
): CreatedReply<Status, Body> {
  const warning = warningOf(passed);
  const headers = {
    location: wire.links.self,
    ...(bypassed === undefined ? {} : { 'x-zonewarden-blacklist-bypassed': bypassed }),
    ...(warning === undefined ? {} : { warning }),
  };
  return { status, headers, body: wire };
}

/**
 * Creates a resource and responds with it. With an idempotency key, the creating transaction also stores the response,
 * so `toReply` must only convert.
 */
export async function replyCreated<T, Status extends number, Body extends CreatedBody>(
  request: CreateOptions<StoredResponse>,
  create: (options: CreateOptions<T>) => Promise<T>,
  toReply: (created: T) => CreatedReply<Status, Body>,
): Promise<ApiReply<Status, Body>> {
  const toKeep = (created: T): StoredResponse => {
    const { status, headers, body } = toReply(created);
    return { status, headers, body: JSON.stringify(body), resourceId: body.id };
  };
  return toReply(await create(optionsFor(request, toKeep)));
}

/** True if a path parameter is a project ID. */
export function namesProject(parameter: string): boolean {
  return parameter === 'project_id' || parameter === 'tenant_id';
}

/** The requirement on the caller, checked before anything else. */
export type Guard =
  | 'public'
  /** The rule is checked for the project that the request acts for; if it does not allow the request, the other rule is. */
  | { readonly rule: RuleName; readonly about: 'acting project'; readonly or?: RuleName }
  /** The rule is checked for the project in the path; the cross-project headers are ignored. */
  | { readonly rule: RuleName; readonly about: 'project in path' }
  /** The rule is checked for the caller's project; the cross-project headers are ignored. */
  | { readonly rule: RuleName; readonly about: 'own project' };

/**
 * The guard of most operations.
 * @param or a rule for those whom the first one does not allow: the operation then does less for them
 */
export function actingProject(rule: RuleName, or?: RuleName): Guard {
  return { rule, about: 'acting project', ...(or === undefined ? {} : { or }) };
}

/** The rules of a guard, the stronger one first. */
export function rulesOf(guard: Guard): readonly RuleName[] {
  if (guard === 'public') return [];
  return guard.about === 'acting project' && guard.or !== undefined ? [guard.rule, guard.or] : [guard.rule];
}

/** Defines what an ETag is computed from. */
export interface Tagged {
  /** The resource as clients see it. Its links are not part of the ETag. */
  represent(resource: object): object;
}

/** Marks the routes of one kind of single resource. */
export function tagged<Resource extends object>(represent: (resource: Resource) => object): Tagged {
  return { represent: (resource) => represent(resource as Resource) };
}

/** The query parameters of a list. */
export interface ListParameters {
  readonly sortKeys: readonly string[];
  readonly filters: readonly string[];
  /** True if the response has the number of matches on all pages. */
  readonly isCounted: boolean;
  /** True if a query with neither limit nor marker returns all matches. */
  readonly isStreamed: boolean;
}

/** Reads a query, and describes its parameters by name. */
export interface QueryReader<Query> {
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  /** @throws the refusal */
  read(parameters: URLSearchParams): Query;
}

export interface Route<Query = unknown, Body = unknown, Status extends number = number, Sends = object> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /**
   * In OpenAPI syntax. `{tenant_id}` and `{project_id}` are project IDs, `{token_id}` is a token ID and `{list_name}`
   * the name of a list; all other parameters are UUIDs.
   */
  readonly path: string;
  readonly guard: Guard;
  /** What tokens with a scope can reach of the operation; undefined for nothing. */
  readonly scopedReach?: ScopedReach;
  /** Operation name in the API document, if it is not derived from the rule. */
  readonly operationId?: string;
  readonly query?: QueryReader<Query>;
  /** Query parameters, for the list of a resource. */
  readonly list?: ListParameters;
  /** Chosen by the Content-Type of the request. */
  readonly body?: BodyReaders<Body>;
  /** Maximum body size in bytes, if not the default. */
  readonly maxBodySize?: number;
  /** Chosen by what the client accepts. Refusals are JSON, unless the protocol has its own. */
  readonly responses: Responses<Status, Sends>;
  /** Headers that it reads beyond the common ones. */
  readonly headers?: readonly RequestHeader[];
  /** Refusals that do not follow from its guard, path, query and body. */
  readonly refusals?: readonly (ErrorKind | EdgeKind)[];
  /** Set if the response can be as large as a zone. It then holds a slot until it has been sent. */
  readonly isLarge?: true;
  /** Set if a method other than GET changes nothing, so that it works while the store is not writable. */
  readonly onlyReads?: true;
  /** Set if GET changes something: then HEAD, which must not, is no method of the path. */
  readonly changesByGet?: true;
  /** Set if the clients speak a protocol other than that of the API. */
  readonly protocol?: ClientProtocol;
  /** Set if a request can ask to change nothing: the operation then decides whether it counts as a write. */
  readonly hasDryRun?: true;
  /**
   * For a single resource: responses have an ETag, and preconditions are evaluated (RFC 9110, section 13). `handle`
   * passes them on, to be checked against the stored resource.
   */
  readonly tagged?: Tagged;
  /** The resource that If-Match and If-None-Match name, where it is not the one in the response. */
  readonly condition?: Tagged;
  handle(request: ApiRequest<Query, Body>): Promise<ApiReply<NoInfer<Status>, NoInfer<Sends>>>;
  /**
   * For a create with a potentially large response: rebuilds its body from the created resource in its current state.
   * @throws DomainError `…_not_found` if the resource no longer exists
   */
  repeat?(request: Pick<ApiRequest<Query, Body>, 'context' | 'params' | 'base'>, id: string): Promise<object>;
}

/** Lets the compiler infer the query, body and response types of a route. */
export function route<Query, Body, Status extends number, Sends>(
  spec: Route<Query, Body, Status, Sends>,
): Route {
  return spec as unknown as Route;
}
