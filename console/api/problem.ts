/** A validation error of a body: its path, and how to fix it. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An error body of the API. */
interface Refusal {
  readonly type?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly request_id?: string;
  readonly errors?: { readonly errors: readonly Fault[] };
}

/**
 * Why a request failed. `refused`: the API rejected it. `over`: the token is no longer valid.
 * `away`: the service is unreachable, too slow or unavailable. `past`: was `over` or `away`, and is resolved.
 */
export type ProblemKind = 'refused' | 'over' | 'away' | 'past';

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly type: string;
  readonly hint: string | undefined;
  readonly faults: readonly Fault[];
  readonly requestId: string | undefined;
  /** Seconds until a retry. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: ProblemKind,
    message: string,
    { type = '', hint, errors, request_id }: Refusal = {},
    retryAfter?: number,
  ) {
    super(message);
    this.kind = kind;
    this.type = type;
    this.hint = hint;
    this.faults = errors?.errors ?? [];
    this.requestId = request_id;
    this.retryAfter = retryAfter;
  }
}

const TOO_MANY = 429;

/** Messages for responses without one of their own. */
const WORDS: Readonly<Record<number, string>> = {
  502: 'The proxy cannot reach the service.',
  503: 'The service is temporarily unavailable.',
  504: 'The proxy timed out waiting for the service.',
};

function kindOf({ status, headers }: Response): ProblemKind {
  if (status >= 500 || status === TOO_MANY) return 'away';
  const isUnknown = status === 401 && !/insufficient_scope/.test(headers.get('www-authenticate') ?? '');
  return isUnknown ? 'over' : 'refused';
}

/** The reason in `WWW-Authenticate`; the message itself never varies. */
function describedIn({ headers }: Response): { hint?: string } {
  const [, hint] = /error_description="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  return hint === undefined ? {} : { hint };
}

/** The problem of an error response. */
export function problemOf(response: Response, body: unknown): Problem {
  const told = (typeof body === 'object' && body !== null ? body : {}) as Refusal;
  const refusal: Refusal = { ...describedIn(response), ...told };
  const { status, headers } = response;
  const message = refusal.message ?? WORDS[status] ?? `The service returned status ${status}.`;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  return new Problem(kindOf(response), message, refusal, Number.isNaN(after) ? undefined : after);
}

/** A resolved problem: the service is available again, or the user has logged in again. */
export function past({ message, type, hint, faults, requestId }: Problem): Problem {
  const refusal = { type, errors: { errors: faults } };
  const besides = { ...(hint === undefined ? {} : { hint }), ...(requestId && { request_id: requestId }) };
  return new Problem('past', message, { ...refusal, ...besides });
}

/** True if an error only means that the request was aborted. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Turns any error into a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('refused', error instanceof Error ? error.message : String(error));
}
