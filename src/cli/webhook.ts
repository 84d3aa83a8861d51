import type { CommandSession } from '../assembly/session.ts';
import type { ListedWebhook } from '../model/webhooks/webhook.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

interface ResumeFlags {
  readonly skip?: true;
}

interface WebhookListFlags {
  readonly json?: true;
}

function stateOf({ isStopped, isConfigured, failingSince }: ListedWebhook): string {
  if (!isConfigured) return 'unconfigured';
  if (isStopped) return 'stopped';
  return failingSince === '' ? 'active' : 'failing';
}

function jsonOf(webhook: ListedWebhook): string {
  const { name, position, waiting, failingSince, lastError, lastErrorAt, deliveredAt } = webhook;
  return printableJson({
    name,
    state: stateOf(webhook),
    position,
    waiting,
    delivered_at: deliveredAt || null,
    failing_since: failingSince || null,
    last_error: lastError || null,
    last_error_at: lastErrorAt || null,
  });
}

function lineOf(webhook: ListedWebhook): string {
  const { name, position, waiting, deliveredAt, lastErrorAt, lastError } = webhook;
  const error = lastError === '' ? '-' : `${lastErrorAt} ${lastError}`;
  const cells = [name, stateOf(webhook), String(position), String(waiting), deliveredAt || '-', error];
  return cells.map(printable).join('\t');
}

/**
 * Prints one webhook per line. First seals events that a command committed while no service ran, so that they count
 * as waiting.
 */
async function list(
  { useCases: { webhooks, sealing } }: CommandSession,
  { json }: WebhookListFlags,
  { out }: Output,
): Promise<ExitStatus> {
  while (await sealing.seal());
  if (!json) out('name\tstate\tposition\twaiting\tdelivered at\tlast error');
  for (const webhook of await webhooks.list()) out(json ? jsonOf(webhook) : lineOf(webhook));
  return EXIT.done;
}

type Webhooks = CommandSession['useCases']['webhooks'];

/** @throws CommandError if there is no webhook with this name */
async function getWebhook(webhooks: Webhooks, name: string): Promise<ListedWebhook> {
  const found = (await webhooks.list()).find((webhook) => webhook.name === name);
  if (found !== undefined) return found;
  throw new CommandError(`There is no webhook ${printable(name)}. "zonewarden webhook list" lists them.`);
}

/** Skips the event that the receiver rejects, and resumes the webhook. */
async function skip({ context, useCases: { webhooks } }: CommandSession, name: string): Promise<string> {
  const { isConfigured } = await getWebhook(webhooks, name);
  if (!isConfigured)
    throw new CommandError(`The webhook ${printable(name)} is not configured, so it cannot skip an event.`);
  const skipped = await webhooks.skip(context, name);
  if (skipped === undefined)
    throw new CommandError(`The webhook ${printable(name)} is not failing: there is nothing to skip.`);
  const { from, to, hasGapNotice } = skipped;
  return `resumed webhook ${name}; ${hasGapNotice ? 'it gets a gap notice for' : 'it already has the gap notice for'} ${from} to ${to}`;
}

async function resume(
  session: CommandSession,
  name: string,
  flags: ResumeFlags,
  { out }: Output,
): Promise<ExitStatus> {
  const { context, useCases } = session;
  const { webhooks } = useCases;
  if (flags.skip) {
    out(await skip(session, name));
    return EXIT.done;
  }
  if (await webhooks.resume(context, name)) {
    out(`resumed webhook ${name}`);
    return EXIT.done;
  }
  await getWebhook(webhooks, name);
  throw new CommandError(`The webhook ${printable(name)} is not stopped.`);
}

async function forget(
  { context, useCases: { webhooks } }: CommandSession,
  name: string,
  { out }: Output,
): Promise<ExitStatus> {
  const { isConfigured } = await getWebhook(webhooks, name);
  if (isConfigured)
    throw new CommandError(
      `The webhook ${printable(name)} is configured: remove its section and restart the service first.`,
    );
  await webhooks.forget(context, name);
  out(`forgot webhook ${name}`);
  return EXIT.done;
}

/** `webhook list`, `webhook resume`, `webhook forget`. */
export function addWebhookCommands({ program, output, runOnStore }: Commands): void {
  const webhook = program.command('webhook').description('manage webhooks');
  webhook
    .command('list')
    .description('list the webhooks: state, position, waiting events, last success, last failure')
    .option('--json', 'one JSON object per line')
    .action((flags: WebhookListFlags) => runOnStore((session) => list(session, flags, output)));
  webhook
    .command('resume <name>')
    .description('resume a stopped webhook where it left off')
    .option(
      '--skip',
      'skip that event and send a gap notice instead; also works while the webhook is still retrying',
    )
    .action((name: string, flags: ResumeFlags) =>
      runOnStore((session) => resume(session, name, flags, output)),
    );
  webhook
    .command('forget <name>')
    .description('delete the stored position of a webhook that is no longer configured')
    .action((name: string) => runOnStore((session) => forget(session, name, output)));
}
