import type { JsonSchema } from '../../domain/shapes/json-schema.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { Act } from '../../model/acts/act.ts';
import { onceFor } from '../../model/acts/once.ts';
import type { ErrorKind } from '../../model/errors.ts';
import type { KeptAnswer } from '../../model/idempotency/idempotency-key.ts';
import { type HiddenRecords, hiddenSentence } from '../../model/zones/hidden-records.ts';
import type { Answers } from './answers.ts';
import type { BodyReaders } from './body.ts';
import type { EdgeKind } from './errors.ts';
import type { RequestHeader } from './headers.ts';

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
  /** The media type that the client prefers of those that the route answers with. */
  readonly form: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of the client. */
  readonly address: string;
  /** Whether the client has gone away and reads no answer. */
  isGone(): boolean;
}

/**
 * @typeParam Status what the route declares
 * @typeParam Body what it sends as JSON
 */
export interface ApiReply<Status extends number = number, Body = object> {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and chunks of text as they are. */
  readonly body?: Body | string | AsyncIterable<string>;
  /** If it says more than the media type that was asked for. */
  readonly contentType?: string;
}

interface CreatedBody {
  readonly id: string;
  readonly links: { readonly self: string };
}

/** The answer to a create. */
interface CreatedReply<Status extends number, Body extends CreatedBody> extends ApiReply<Status, Body> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** What a create says of the blacklists that its name matches, and of what it hides. */
interface Passed {
  /** The blacklist that its name was allowed to match. */
  readonly bypassed?: string | undefined;
  /** Whether such a name is going to be refused. */
  readonly isWarned: boolean;
  /** What a new zone hides of the zone above it. */
  readonly hides?: HiddenRecords | undefined;
}

/** RFC 7234, section 5.5. */
const WARNING = '299 - "This name matches a rule that will be enforced"';

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The value of the header Warning; undefined if there is nothing to warn of. */
export function warningOf({ isWarned, hides }: Passed): string | undefined {
  const warnings = [
    ...(isWarned ? [WARNING] : []),
    ...(hides === undefined ? [] : [`299 - ${quoted(hiddenSentence(hides))}`]),
  ];
  return warnings.length === 0 ? undefined : warnings.join(', ');
}

/** The answer to a create: the resource and its location. */
export function created<Status extends 201 | 202, Body extends CreatedBody>(
  status: Status,
  wire: Body,
  { bypassed, ...passed }: Passed = { isWarned: false },
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
 * Creates a resource and answers with it. If the request has an idempotency key, the creating transaction stores the
 * answer, so `toReply` must only convert.
 */
export async function replyCreated<T, Status extends number, Body extends CreatedBody>(
  { act }: { readonly act: Act<KeptAnswer> },
  create: (act: Act<T>) => Promise<T>,
  toReply: (created: T) => CreatedReply<Status, Body>,
): Promise<ApiReply<Status, Body>> {
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

/** How to read a query, and its parameters by name. */
export interface QueryReader<Query> {
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  /** Throws the refusal. */
  read(parameters: URLSearchParams): Query;
}

export interface Route<Query = unknown, Body = unknown, Status extends number = number, Sends = object> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** In the syntax of OpenAPI: `{tenant_id}` and `{project_id}` are project ids, `{token_id}` is that of a token, `{list_name}` the name of a list, every other parameter is a UUID. */
  readonly path: string;
  readonly guard: Guard;
  /** The name of the operation in the document of the API, if it is not that of its rule. */
  readonly operationId?: string;
  readonly query?: QueryReader<Query>;
  /** For the list of a resource: its query parameters. */
  readonly list?: ListParameters;
  /** By the Content-Type of the request. */
  readonly body?: BodyReaders<Body>;
  /** The maximum size of its body in bytes, if it is not that of others. */
  readonly maxBodySize?: number;
  /** By what the client accepts. A refusal is always JSON. */
  readonly answers: Answers<Status, Sends>;
  /** What it looks at besides the headers that each request may have. */
  readonly headers?: readonly RequestHeader[];
  /** The refusals that do not follow from its guard, its path, its query and its body. */
  readonly refusals?: readonly (ErrorKind | EdgeKind)[];
  /** Whether the answer can be as large as a zone. It takes a slot until it is sent. */
  readonly isLarge?: true;
  /** Of another method than GET that changes nothing: it works while nothing can be changed. */
  readonly onlyReads?: true;
  /**
   * Of a single resource: its answers have an ETag, and the conditions of its requests are asked (RFC 9110, section 13).
   * The act carries those that are to be asked of the resource itself.
   */
  readonly tagged?: Tagged;
  handle(request: ApiRequest<Query, Body>): Promise<ApiReply<NoInfer<Status>, NoInfer<Sends>>>;
  /**
   * For a create whose answer may be large: the body of that answer, made again from what was created, as it is now.
   * Throws `…_not_found` if it does not exist any more.
   */
  repeat?(request: Pick<ApiRequest<Query, Body>, 'act' | 'params' | 'base'>, id: string): Promise<object>;
}

/** Lets the compiler infer what the query, the body and the answer of a route are. */
export function route<Query, Body, Status extends number, Sends>(
  spec: Route<Query, Body, Status, Sends>,
): Route {
  return spec as unknown as Route;
}
