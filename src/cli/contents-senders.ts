/** Where `zone plan` and `zone apply` work: on the store of this machine, or at a service, as the owner of a token. */
import type { AnsweredChange, ContentsAnswer, RefusalAnswer } from '../assembly/api-answers.ts';
import type { CommandSession } from '../assembly/session.ts';
import type { Config } from '../config/options.ts';
import { parseListedName } from '../dns/names.ts';
import type { ContentsOptions } from '../domain/contents/contents.ts';
import { DomainError } from '../model/errors.ts';
import type { HttpRequest } from '../runtime/http-client.ts';
import { CommandError } from './errors.ts';
import { readFile } from './read-file.ts';

/** In characters. */
const PART = 65_536;
const MAX_ANSWER = 64 * 1024 * 1024;
/** A service with many large changes lets one wait. */
const TIMEOUT_MS = 600_000;

/** What new contents came to. */
export type ContentsReply =
  | { readonly isRefused: false; readonly body: ContentsAnswer }
  | { readonly isRefused: true; readonly body: RefusalAnswer };

/** Replaces the contents of one zone by a file, or shows what would happen. */
export type ContentsSender = (options: ContentsOptions) => Promise<ContentsReply>;

/** The zone and the file that a command names. */
export interface FileForZone {
  readonly name: string;
  readonly file: string;
}

/** What the API would answer to a change of a zone in the store. */
export async function replyOf(config: Config, change: () => Promise<AnsweredChange>): Promise<ContentsReply> {
  const { answerOfChange, answerOfRefusal } = await import('../assembly/api-answers.ts');
  try {
    return { isRefused: false, body: answerOfChange(await change(), config) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'storage_unavailable') throw error;
    return { isRefused: true, body: answerOfRefusal(error, config) };
  }
}

/** The text in parts, so that others get their turns while it is parsed. */
async function* partsOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += PART) yield text.slice(from, from + PART);
}

/**
 * Returns a function that reads a file once: a pipe cannot be read again.
 * @throws CommandError if the file cannot be read
 */
function textOf(file: string): () => string {
  let text: string | undefined;
  return () => {
    text ??= readFile(file).toString('utf8');
    return text;
  };
}

/** A zone in the store of this machine. */
export function inStore(
  { context, useCases }: CommandSession,
  config: Config,
  { name, file }: FileForZone,
): ContentsSender {
  const text = textOf(file);
  return (options) =>
    replyOf(config, async () => {
      const zone = await useCases.serverStates.findZone(context, name);
      const given = { kind: 'text', text: partsOf(text()) } as const;
      return useCases.contents.replace(context, zone.id, given, options);
    });
}

function queryOf(options: ContentsOptions): URLSearchParams {
  const { dryRun, plan, keep, maxDeletions, overrides = [], description } = options;
  const query = new URLSearchParams();
  if (dryRun) query.set('dry_run', 'true');
  if (plan !== undefined) query.set('plan', plan);
  if (keep.size > 0) query.set('keep', [...keep].join());
  if (maxDeletions !== undefined) query.set('max_deletions', String(maxDeletions));
  if (overrides.length > 0) query.set('override', overrides.join());
  if (typeof description === 'string') query.set('description', description);
  return query;
}

/** @throws CommandError */
function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError('--url must be the URL of a service, such as https://dns.example.org');
  return url.replace(/\/+$/, '');
}

/** Failures that a later attempt or another token may not have; all others are refusals. */
function isFailure(status: number): boolean {
  return status === 401 || status === 429 || status >= 500;
}

/** The JSON object of an answer. @throws CommandError if it has none */
function jsonOf(text: string, status: number) {
  try {
    const json = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // Said below.
  }
  throw new CommandError(`The service answered ${status} without JSON. Check --url.`);
}

/** The error to show for a request without a usable answer. */
function failedRequest(base: string, error: unknown): CommandError {
  return error instanceof CommandError
    ? error
    : new CommandError(`The service at ${base} gave no answer: ${(error as Error).message}.`);
}

/** A zone at a service. */
export function atService(
  url: string,
  token: string | undefined,
  { name, file }: FileForZone,
): ContentsSender {
  const base = baseOf(url);
  if (!token) throw new CommandError('Set ZONEWARDEN_TOKEN to a token of the service at --url.');
  const headers = { 'x-auth-token': token, accept: 'application/json' };

  async function ask(request: Pick<HttpRequest, 'method' | 'body'> & { readonly path: string }) {
    const { method, path, body } = request;
    // Other commands do not need it.
    const { HttpClient } = await import('../runtime/http-client.ts');
    const client = new HttpClient({ keepAlive: false });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const type = body === undefined ? {} : { 'content-type': 'text/dns' };
      const sent = { method, url: `${base}${path}`, headers: { ...headers, ...type }, body, signal };
      const answer = await client.send(sent);
      const json = jsonOf(await answer.text(MAX_ANSWER), answer.status);
      if (isFailure(answer.status))
        throw new CommandError(`The service answered ${answer.status}: ${json.message ?? 'no reason'}`);
      return { isRefused: answer.status >= 300, json };
    } catch (error) {
      throw failedRequest(base, error);
    } finally {
      client.close();
    }
  }

  const text = textOf(file);
  return async (options) => {
    const body = text();
    const missing = { code: 404, type: 'zone_not_found', message: `The zone ${name} does not exist.` };
    // A wildcard would find any zone.
    const parsed = parseListedName(name);
    if (!parsed.ok) return { isRefused: true, body: missing };
    const query = new URLSearchParams({ name: parsed.value, limit: '1' });
    const { isRefused, json: found } = await ask({ method: 'GET', path: `/v2/zones?${query}` });
    if (isRefused) return { isRefused, body: found };
    const id = found.zones?.[0]?.id;
    if (typeof id !== 'string') return { isRefused: true, body: missing };
    const path = `/v2/zones/${encodeURIComponent(id)}/contents?${queryOf(options)}`;
    const { isRefused: isNo, json } = await ask({ method: 'PUT', path, body });
    return { isRefused: isNo, body: json };
  };
}
