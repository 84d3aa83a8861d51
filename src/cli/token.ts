import type { Act } from '../domain/acts/act.ts';
import { isProjectId, PROJECT_ID_RULE } from '../domain/project-id.ts';
import type { TokenUseCases } from '../domain/tokens/tokens.ts';
import type { Output } from './blacklist.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

export interface TokenOptions {
  readonly project: string;
  readonly role: readonly string[];
  readonly user?: string;
  readonly expires?: string;
}

const ROLE = /^[A-Za-z0-9._-]{1,64}$/;
const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/;

/** The milliseconds of a point in time; NaN for a text that is none, such as 2030-02-30, which Date takes for March. */
function millisecondsOf(text: string): number {
  const day = TIME.exec(text)?.[1];
  const midnight = day === undefined ? Number.NaN : Date.parse(day);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day!);
  return exists ? Date.parse(text) : Number.NaN;
}

/** A point in time, or a span from now such as 90d, in the store's form. */
function expiryOf(text: string): string {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const milliseconds = amount
    ? Date.now() + Number(amount) * UNITS[unit as keyof typeof UNITS]
    : millisecondsOf(text);
  if (Number.isNaN(milliseconds)) {
    throw new CommandError(
      '--expires takes a time such as 2030-01-31T12:00:00Z, or a span such as 90d, 12h or 30m.',
    );
  }
  if (milliseconds <= Date.now()) throw new CommandError('--expires lies in the past.');
  return `${new Date(milliseconds).toISOString().slice(0, 23)}000`;
}

function requireGood(options: TokenOptions): void {
  if (!isProjectId(options.project)) throw new CommandError(`--project: ${PROJECT_ID_RULE}`);
  if (options.user !== undefined && !isProjectId(options.user)) {
    throw new CommandError(`--user: the rule for project ids holds. ${PROJECT_ID_RULE}`);
  }
  const bad = options.role.find((role) => !ROLE.test(role));
  if (bad !== undefined) throw new CommandError('--role takes a name such as admin, member or reader.');
}

/** `token create`: prints the token and nothing else. */
export async function createToken(
  act: Act,
  tokens: TokenUseCases,
  options: TokenOptions,
  { out }: Output,
): Promise<ExitStatus> {
  requireGood(options);
  const grant = {
    projectId: options.project,
    roles: [...new Set(options.role)],
    userId: options.user,
    expiresAt: options.expires === undefined ? undefined : expiryOf(options.expires),
  };
  out(await tokens.create(act, grant));
  return EXIT.done;
}

/** `token list`: one token a line, without its secret. */
export async function listTokens(act: Act, tokens: TokenUseCases, { out }: Output): Promise<ExitStatus> {
  out('id\tproject\tuser\troles\tcreated\texpires');
  for (const token of await tokens.list(act)) {
    const { id, projectId, userId, roles, createdAt, expiresAt } = token;
    out([id, projectId, userId, roles.join(','), createdAt, expiresAt ?? 'never'].join('\t'));
  }
  return EXIT.done;
}

/** `token revoke`: forgets a token; the next request with it is refused. */
export async function revokeToken(act: Act, tokens: TokenUseCases, id: string): Promise<ExitStatus> {
  if (await tokens.revoke(act, id)) return EXIT.done;
  throw new CommandError(`There is no token ${id}. "zonewarden token list" shows the ids.`);
}
