import createClient from 'openapi-fetch';
import { API_URL } from '../place.ts';
import { noteOver, session } from '../session.ts';
import { noteAnswer, noteAway } from './connection.ts';
import type { paths } from './openapi.ts';
import { asProblem, isGivenUp, Problem, problemOf } from './problem.ts';

/** An answer that takes longer is not waited for, in milliseconds. */
const PATIENCE = 30_000;

export const UNREACHABLE = 'The service cannot be reached. Your input is still here.';
const TOO_SLOW = 'The service took too long to answer.';
const UNSURE = `${TOO_SLOW} Your change may have been saved: check before you repeat it.`;

/** Fetches, no longer than the patience lasts. @throws Problem `away`; what the caller gives up is thrown as it is */
async function fetchInTime(request: Request): Promise<Response> {
  const time = AbortSignal.timeout(PATIENCE);
  const signal = AbortSignal.any([request.signal, time]);
  try {
    return await fetch(request, { signal });
  } catch (error) {
    if (request.signal.aborted && !time.aborted) throw error;
    const isRead = request.method === 'GET';
    throw new Problem('away', !time.aborted ? UNREACHABLE : isRead ? TOO_SLOW : UNSURE);
  }
}

/** The API, with types by its own description. Each request has the token of the session, unless it brings its own. */
export const api = createClient<paths>({ baseUrl: API_URL, fetch: fetchInTime });
api.use({
  onRequest({ request }) {
    const token = session.value?.token;
    if (token !== undefined && !request.headers.has('x-auth-token'))
      request.headers.set('x-auth-token', token);
    return request;
  },
});

interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** What is answered in JSON, also where there is another form. */
type Json<T> = Exclude<T, string>;

/** An answer and what its headers tell. */
export interface Answered<T> {
  readonly data: T;
  readonly headers: Headers;
}

/** Whatever fails is told to those who watch the connection and the session. */
function noted(error: unknown, token: string | undefined): unknown {
  if (isGivenUp(error)) return error;
  const problem = asProblem(error);
  if (problem.kind === 'away') noteAway(problem);
  if (problem.kind === 'over' && token !== undefined) noteOver(token);
  return problem;
}

/**
 * The answer to a request.
 * @throws Problem for everything but success; an AbortError for what was given up
 */
export async function answerTo<T>(asked: Promise<Outcome<T>>): Promise<Answered<Json<T>>> {
  const token = session.value?.token;
  try {
    const { data, error, response } = await asked;
    if (!response.ok) throw problemOf(response, error);
    noteAnswer();
    return { data: data as Json<T>, headers: response.headers };
  } catch (error) {
    throw noted(error, token);
  }
}

/** The same without the headers. */
export async function told<T>(asked: Promise<Outcome<T>>): Promise<Json<T>> {
  return (await answerTo(asked)).data;
}

/** For a request on behalf of another project; '' for one's own. */
export function actingFor(projectId: string): Record<string, string> {
  return projectId === '' ? {} : { 'x-auth-sudo-project-id': projectId };
}

/** For a list of all projects' things. */
export const OF_ALL_PROJECTS = { 'x-auth-all-projects': 'true' };

/** A text that nobody else chooses. */
function uniqueText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Gives equal contents the same `Idempotency-Key`: however often a form is sent, it creates once. */
export function keyring(): (contents: unknown) => { 'idempotency-key': string } {
  const keys = new Map<string, string>();
  return (contents) => {
    const text = JSON.stringify(contents);
    const key = keys.get(text) ?? uniqueText();
    keys.set(text, key);
    return { 'idempotency-key': key };
  };
}
