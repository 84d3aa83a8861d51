import type { ListedWebhook } from '../domain/webhooks/webhook.ts';
import type { Session } from '../session.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { printable, printableJson } from './printing.ts';

interface ListFlags {
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

/** Prints one webhook a line. What a command has committed while no service ran is sealed first, so that it waits. */
async function list(
  { useCases: { webhooks, sealing } }: Session,
  { json }: ListFlags,
  { out }: Output,
): Promise<ExitStatus> {
  while (await sealing.seal());
  if (!json) out('name\tstate\tposition\twaiting\tdelivered at\tlast error');
  for (const webhook of await webhooks.list()) out(json ? jsonOf(webhook) : lineOf(webhook));
  return EXIT.done;
}

async function resume(
  { act, useCases: { webhooks } }: Session,
  name: string,
  { out }: Output,
): Promise<ExitStatus> {
  if (await webhooks.resume(act, name)) {
    out(`webhook ${name} goes on`);
    return EXIT.done;
  }
  const known = (await webhooks.list()).map((webhook) => webhook.name);
  if (known.includes(name)) throw new CommandError(`The webhook ${printable(name)} is not stopped.`);
  throw new CommandError(
    `There is no webhook ${printable(name)}. "zonewarden webhook list" shows those that there are.`,
  );
}

/** `webhook list`, `webhook resume`. */
export function addWebhookCommands({ program, output, runOnStore }: Commands): void {
  const webhook = program.command('webhook').description('where events are sent to');
  webhook
    .command('list')
    .description('list the webhooks: state, position, events after it, last success, last failure')
    .option('--json', 'a JSON object a line')
    .action((flags: ListFlags) => runOnStore((session) => list(session, flags, output)));
  webhook
    .command('resume <name>')
    .description('let a webhook go on that was stopped, with the event after its position')
    .action((name: string) => runOnStore((session) => resume(session, name, output)));
}
