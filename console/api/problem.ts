/** One fault of a body: where it is, and how to correct it. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A refusal as the API words it. */
interface Refusal {
  readonly type?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly request_id?: string;
  readonly errors?: { readonly errors: readonly Fault[] };
}

/**
 * Why something did not come about. `refused`: the API says no, and why. `over`: the token is not taken any more.
 * `away`: the service cannot be reached, takes too long, or says that it cannot answer now. `past`: it was one of the last two.
 */
export type ProblemKind = 'refused' | 'over' | 'away' | 'past';

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly type: string;
  readonly hint: string | undefined;
  readonly faults: readonly Fault[];
  readonly requestId: string | undefined;
  /** After how many seconds to try again. */
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

/** What no proxy and no network says in words for people. */
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

/** What the service says of the token besides the message, which is the same for all. */
function describedIn({ headers }: Response): { hint?: string } {
  const [, hint] = /error_description="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  return hint === undefined ? {} : { hint };
}

/** The problem that an answer is. */
export function problemOf(response: Response, body: unknown): Problem {
  const told = (typeof body === 'object' && body !== null ? body : {}) as Refusal;
  const refusal: Refusal = { ...describedIn(response), ...told };
  const { status, headers } = response;
  const message = refusal.message ?? WORDS[status] ?? `The service returned status ${status}.`;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  return new Problem(kindOf(response), message, refusal, Number.isNaN(after) ? undefined : after);
}

/** A problem that is over: the service answers again, or takes the token of the person. */
export function past({ message, type, hint, faults, requestId }: Problem): Problem {
  const refusal = { type, errors: { errors: faults } };
  const besides = { ...(hint === undefined ? {} : { hint }), ...(requestId && { request_id: requestId }) };
  return new Problem('past', message, { ...refusal, ...besides });
}

/** Whether an error only says that nobody waits for the answer any more. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The problem that an error is. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('refused', error instanceof Error ? error.message : String(error));
}
