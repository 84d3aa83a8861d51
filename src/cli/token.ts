import type { CommandSession } from '../assembly/session.ts';
import { scopeBody } from '../domain/scopes/scope-shape.ts';
import { object, readAs } from '../domain/shapes/shape.ts';
import { DomainError } from '../model/errors.ts';
import type { ApiToken } from '../model/tokens/api-token.ts';
import { printable } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

interface TokenOptions {
  readonly project: string;
  readonly role: readonly string[];
  readonly user?: string;
  readonly expires?: string;
  readonly description?: string;
  readonly scope?: string;
}

const withScope = object({ scope: scopeBody }, {});

/** Turns a refusal into a message that names the options at fault. */
function byOption(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.faults.length === 0) return error;
  return new CommandError(
    error.faults.map(({ path, message }) => `--${path.join('.')}: ${message}`).join(' '),
  );
}

function parsedScope(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--scope: Must be JSON: ${(error as Error).message}. See docs/tokens.md.`);
  }
}

/** Prints the token and nothing else. */
async function createToken(
  { context, useCases }: CommandSession,
  { role, scope, ...options }: TokenOptions,
  { out }: Output,
): Promise<ExitStatus> {
  try {
    const narrowed = scope === undefined ? {} : readAs(withScope, { scope: parsedScope(scope) });
    const draft = { ...options, roles: role, ...narrowed };
    out((await useCases.tokens.create(context, draft)).text);
  } catch (error) {
    throw byOption(error);
  }
  return EXIT.done;
}

function lineOf(token: ApiToken): string {
  const { id, projectId, userId, roles, createdAt, expiresAt, description, scope } = token;
  const lifetime = [createdAt, expiresAt ?? 'never'];
  const narrowed = scope === null ? '' : JSON.stringify(scope);
  const cells = [id, projectId, userId, roles.join(','), ...lifetime, description ?? '', narrowed];
  return cells.map(printable).join('\t');
}

/** Prints one token per line, without its secret. */
async function listTokens({ context, useCases }: CommandSession, { out }: Output): Promise<ExitStatus> {
  out('id\tproject\tuser\troles\tcreated\texpires\tdescription\tscope');
  const inOrder = { filters: {}, sortKey: 'created_at', sortDir: 'asc' } as const;
  for await (const batch of useCases.tokens.stream(context, inOrder)) {
    for (const token of batch) out(lineOf(token));
  }
  return EXIT.done;
}

/** Deletes a token; the next request with it is refused. */
async function revokeToken({ context, useCases }: CommandSession, id: string): Promise<ExitStatus> {
  await useCases.tokens.revoke(context, id).catch((error: unknown) => {
    const isMissing = error instanceof DomainError && error.kind === 'token_not_found';
    throw isMissing
      ? new CommandError(`There is no token ${id}. "zonewarden token list" lists the ids.`)
      : error;
  });
  return EXIT.done;
}

/** `token create`, `token list` and `token revoke`. */
export function addTokenCommands({ program, output, runOnStore }: Commands): void {
  const token = program.command('token').description('manage API tokens');
  token
    .command('create')
    .description('create a token and print it once')
    .requiredOption('--project <id>', 'the project that the token acts for')
    .requiredOption(
      '--role <role>',
      'admin, member, reader, or a role named in the policy file; may be repeated',
      (role, roles: string[] = []) => [...roles, role],
    )
    .option('--user <id>', 'the user shown in the log (default: the id of the token)')
    .option('--expires <when>', 'a time such as 2030-01-31T12:00:00Z, or a duration such as 90d')
    .option('--description <text>', 'the purpose of the token, shown in lists of tokens')
    .option('--scope <json>', 'what the token is limited to, such as {"actions":["plan"]}')
    .action((options: TokenOptions) => runOnStore((session) => createToken(session, options, output)));
  token
    .command('list')
    .description('list the tokens, without their secrets')
    .action(() => runOnStore((session) => listTokens(session, output)));
  token
    .command('revoke')
    .description('revoke a token')
    .argument('<id>', 'the id from "token list"')
    .action((id: string) => runOnStore((session) => revokeToken(session, id)));
}
