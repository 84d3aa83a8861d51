import type { IncomingMessage } from 'node:http';
import type { IdempotencyKeyUseCases } from '../../domain/idempotency/idempotency-keys.ts';
import { parseTokenId } from '../../domain/tokens/token-secret.ts';
import { isListName, LIST_NAME_RULE } from '../../model/blacklist-lists/blacklist-list.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import {
  bodyHash,
  idempotencyKeyFault,
  type StoredResponse,
} from '../../model/idempotency/idempotency-key.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import { ArrivingBody } from './arriving-body.ts';
import type { ArrivingBodyReader, BodyReader } from './body.ts';
import {
  type Conditions,
  conditionsOf,
  isConditional,
  preconditionOf,
  replyWithEtag,
} from './conditional-requests.ts';
import { EdgeError } from './errors.ts';
import { queryOf } from './paths.ts';
import { type ApiReply, type ApiRequest, namesProject, type Params, type Route } from './route.ts';
import { parseUuid } from './uuid.ts';

/** A request whose body has arrived and whose head has been checked. */
export interface ReadRequest {
  readonly raw: IncomingMessage;
  /** The request target, normalized for routing. */
  readonly url: string;
  readonly params: Params;
  readonly base: string;
  /** Undefined on a public route. */
  readonly context: RequestContext | undefined;
  /** Media type that the client prefers for the response. */
  readonly form: string;
  /** Reader for the body. */
  readonly reader: BodyReader<unknown> | undefined;
  readonly body: Buffer | ArrivingBody | undefined;
  /** Address of the client. */
  readonly address: string;
  /** Takes the slot of a large response. @throws EdgeError if none is free */
  takeSlot(): void;
}

/** Parameters that Designate names differently from the policy table. */
const DESIGNATE_NAMES: Readonly<Record<string, string>> = {
  zone_import_id: 'import_id',
  zone_export_id: 'export_id',
  zone_transfer_request_id: 'transfer_request_id',
  zone_transfer_accept_id: 'transfer_accept_id',
};
/** Maximum length of an invalid ID that is quoted in the refusal, in characters. */
const LONGEST_REPEATED = 100;

function requireUuid(name: string, text: string): string {
  const uuid = parseUuid(text);
  if (uuid.ok) return uuid.value;
  const repeated = text.length > LONGEST_REPEATED ? `${text.slice(0, LONGEST_REPEATED)}…` : text;
  throw new DomainError('invalid_uuid', `Invalid UUID ${DESIGNATE_NAMES[name] ?? name}: ${repeated}`);
}

function requireProjectId(text: string): string {
  if (isProjectId(text)) return text;
  const faults = [{ path: ['project_id'], message: PROJECT_ID_RULE }];
  throw new DomainError('invalid_object', PROJECT_ID_RULE, { faults });
}

function requireTokenId(text: string): string {
  const id = parseTokenId(text);
  if (id.ok) return id.value;
  throw new DomainError('invalid_uuid', id.reason);
}

function requireListName(text: string): string {
  if (isListName(text)) return text;
  throw new DomainError('invalid_object', LIST_NAME_RULE, {
    faults: [{ path: ['list_name'], message: LIST_NAME_RULE }],
  });
}

function readParam(name: string, text: string): string {
  if (namesProject(name)) return requireProjectId(text);
  if (name === 'list_name') return requireListName(text);
  return name === 'token_id' ? requireTokenId(text) : requireUuid(name, text);
}

/** Puts the IDs and the project of a path into canonical form. */
function readParams(params: Params): Params {
  const read = Object.entries(params).map(([name, text]) => [name, readParam(name, text)]);
  return Object.fromEntries(read);
}

/** The request's idempotency key. Repeated headers with one key are fine; two different keys are an error. */
function idempotencyKeyOf({ headers, headersDistinct }: IncomingMessage): string | undefined {
  if (headers['idempotency-key'] === undefined) return undefined;
  const [key = '', ...others] = new Set(headersDistinct['idempotency-key']);
  if (others.length > 0) throw new EdgeError('bad_request', 'Idempotency-Key: send only one key.');
  const fault = idempotencyKeyFault(key);
  if (fault !== undefined) throw new EdgeError('bad_request', fault);
  return key;
}

/** Rebuilds the body of a response that was too large to store. */
async function repeated(
  { repeat }: Route,
  request: Pick<ApiRequest<unknown, unknown>, 'context' | 'params' | 'base'>,
  resourceId: string,
): Promise<object> {
  try {
    if (repeat !== undefined) return await repeat(request, resourceId);
  } catch (error) {
    if (!(error instanceof DomainError && error.kind.endsWith('_not_found'))) throw error;
  }
  throw new DomainError('idempotency_answer_gone');
}

async function replay(
  route: Route,
  request: Pick<ApiRequest<unknown, unknown>, 'context' | 'params' | 'base'>,
  { status, headers, body, resourceId }: StoredResponse,
): Promise<ApiReply> {
  const whole = body ?? (await repeated(route, request, resourceId));
  const reply = { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body: whole };
  return replyWithEtag(route, undefined, reply);
}

/** Whether a body asks for a dry run, which ignores keys. A body that cannot be parsed does not. */
function asksForDryRun({ hasDryRun }: Route, { body }: Pick<ReadRequest, 'body'>): boolean {
  if (hasDryRun !== true || !Buffer.isBuffer(body) || !body.includes('"dry_run"')) return false;
  try {
    return JSON.parse(body.toString())?.dry_run === true;
  } catch {
    return false;
  }
}

/** A body with its hash, and how to read it. */
interface KnownBody {
  readonly hash: string;
  read(): unknown;
}

/** Returns the function that parses the body, whether it is streamed or has arrived. */
function readingOf({ reader, body }: Pick<ReadRequest, 'reader' | 'body'>): () => unknown {
  if (reader === undefined) return () => undefined;
  if ('read' in reader) return () => reader.read(body as Buffer | undefined);
  return () => reader.readAsItArrives(body as ArrivingBody);
}

/** Like `readingOf`, with the hash of the body, which must arrive whole for that. */
async function knownBody(request: Pick<ReadRequest, 'reader' | 'body'>): Promise<KnownBody> {
  const { body } = request;
  if (!(body instanceof ArrivingBody))
    return { hash: bodyHash(body ?? Buffer.of()), read: readingOf(request) };
  const reader = request.reader as ArrivingBodyReader<unknown>;
  const { hash, bytes } = await body.whole(reader.maxKeyedSize);
  return { hash, read: () => reader.readAsItArrives(bytes) };
}

/** The conditions of a request for a single resource. */
function conditionsFor(route: Route, { headers }: IncomingMessage): Conditions | undefined {
  return isConditional(route) ? conditionsOf(headers) : undefined;
}

/**
 * Runs the checks that follow the arrival of the body, and then the operation. A response stored for an idempotency key
 * is replayed before the body is parsed: it was checked the first time and may no longer be valid.
 */
async function performWith(
  route: Route,
  request: ReadRequest,
  keys: IdempotencyKeyUseCases,
): Promise<ApiReply> {
  const { raw, url, base, form, address } = request;
  const params = readParams(request.params);
  const query = route.query?.read(queryOf(url));
  const conditions = conditionsFor(route, raw);
  const { context } = request;
  const precondition = preconditionOf(route, conditions);
  const handle = async (
    read: () => unknown,
    options: CreateOptions<StoredResponse> = {},
  ): Promise<ApiReply> => {
    // A public route has no caller, and its handler does not use one.
    const about = { context, precondition, params, query, base, url, address, form };
    const isGone = () => raw.socket.destroyed;
    const known = { headers: raw.headers, body: read(), isGone, ...about, ...options };
    // Not earlier: a request that is refused needs none.
    request.takeSlot();
    return replyWithEtag(route, conditions, await route.handle(known as ApiRequest<unknown, unknown>));
  };
  const key = route.method === 'POST' && context !== undefined ? idempotencyKeyOf(raw) : undefined;
  if (context === undefined || key === undefined || asksForDryRun(route, request))
    return handle(readingOf(request));
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => params[name]!);
  // The query can determine how the body is read, so it is part of the request's identity.
  const asked = route.query === undefined ? path : `${path}?${queryOf(url)}`;
  const { hash, read } = await knownBody(request);
  const isRepeatable = route.repeat !== undefined;
  const keyed = { method: route.method, path: asked, key, bodyHash: hash, isRepeatable };
  const outcome = await keys.run(context, keyed, (options) => handle(read, options));
  return 'kept' in outcome ? replay(route, { context, params, base }, outcome.kept) : outcome.done;
}

/** Performs the operation of a route. A body that is too large takes precedence over any other error. */
export async function perform(
  route: Route,
  request: ReadRequest,
  keys: IdempotencyKeyUseCases,
): Promise<ApiReply> {
  try {
    return await performWith(route, request, keys);
  } finally {
    if (request.body instanceof ArrivingBody) await request.body.finish();
  }
}
