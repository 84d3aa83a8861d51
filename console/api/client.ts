import createClient from 'openapi-fetch';
import { API_URL } from '../place.ts';
import { noteAway, noteResponse } from './connection.ts';
import type { paths } from './openapi.ts';
import { asProblem, isGivenUp, Problem, problemOf } from './problem.ts';
import { noteOver, session } from './session.ts';

/** Request timeout, in milliseconds. */
const PATIENCE = 30_000;

export const UNREACHABLE = 'The service cannot be reached.';
const TOO_SLOW = 'The service took too long to respond.';
const UNSURE = `${TOO_SLOW} Your change may have been saved: check before you repeat it.`;

/** Fetches with a timeout. @throws Problem `away`; an abort by the caller is rethrown */
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

/** The API client, typed by its OpenAPI document. Sends the token of the session unless the request has its own. */
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

/** The JSON form of a response. */
type Json<T> = Exclude<T, string>;

/** A response body and its headers. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly headers: Headers;
}

/** Reports a failure to the connection and the session. */
function noted(error: unknown, token: string | undefined): unknown {
  if (isGivenUp(error)) return error;
  const problem = asProblem(error);
  if (problem.kind === 'away') noteAway(problem);
  if (problem.kind === 'over' && token !== undefined) noteOver(token);
  return problem;
}

/**
 * The response to a request.
 * @throws Problem unless it succeeds; AbortError if it was aborted
 */
export async function responseTo<T>(asked: Promise<Outcome<T>>): Promise<ApiResponse<Json<T>>> {
  const token = session.value?.token;
  try {
    const { data, error, response } = await asked;
    if (!response.ok) throw problemOf(response, error);
    noteResponse();
    return { data: data as Json<T>, headers: response.headers };
  } catch (error) {
    throw noted(error, token);
  }
}

/** The body of a response. @throws Problem, AbortError */
export async function dataOf<T>(asked: Promise<Outcome<T>>): Promise<Json<T>> {
  return (await responseTo(asked)).data;
}

/** Headers to act for another project; '' for the user's own. */
export function actingFor(projectId: string): Record<string, string> {
  return projectId === '' ? {} : { 'x-auth-sudo-project-id': projectId };
}

/** Headers to list resources of all projects. */
export const OF_ALL_PROJECTS = { 'x-auth-all-projects': 'true' };

/** A random key. */
function uniqueText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Gives equal contents the same `Idempotency-Key`, so that resending a form creates only once. */
export function keyring(): (contents: unknown) => { 'idempotency-key': string } {
  const keys = new Map<string, string>();
  return (contents) => {
    const text = JSON.stringify(contents);
    const key = keys.get(text) ?? uniqueText();
    keys.set(text, key);
    return { 'idempotency-key': key };
  };
}
