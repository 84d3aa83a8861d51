import { setTimeout as delay } from 'node:timers/promises';
import type { CommandSession } from '../assembly/session.ts';
import type { ShownEvent } from '../domain/events/event-json.ts';
import { eventJson } from '../domain/events/event-json.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { EXIT, type ExitStatus } from './errors.ts';
import { timeOf } from './time-options.ts';

/** Poll interval for new events, in milliseconds. */
const POLL = 500;

interface EventsOptions {
  readonly follow?: boolean;
  readonly since?: string;
  readonly type?: string;
  readonly json?: boolean;
}

function lineOf(event: ShownEvent): string {
  const { position, time, type, actorProjectId, userId, targetKind, targetId, targetName } = event;
  const who = `${actorProjectId || '-'}/${userId || '-'}`;
  const what = `${targetKind} ${targetName || targetId || '-'}`;
  return [String(position), time, type, who, what, eventJson(event).error ?? 'done']
    .map(printable)
    .join('\t');
}

/** Prints events, oldest first. First seals events that a command committed while no service ran. */
async function showEvents(
  { context, useCases: { pastEvents, sealing } }: CommandSession,
  { follow = false, since, type, json = false }: EventsOptions,
  { out }: Output,
): Promise<ExitStatus> {
  const from = since === undefined ? undefined : timeOf('--since', since);
  while (await sealing.seal());
  const wait = async () => {
    if (follow) await delay(POLL);
    return follow;
  };
  for await (const events of pastEvents.follow(context, { since: from, type, wait })) {
    for (const event of events) out(json ? printableJson(eventJson(event)) : lineOf(event));
  }
  return EXIT.done;
}

/** `events`. */
export function addEventsCommand({ program, output, runOnStore }: Commands): void {
  program
    .command('events')
    .description('print events, oldest first: position, time, type, actor, target, outcome')
    .option('--follow', 'keep printing new events until interrupted')
    .option('--since <time>', 'only events since this time, or in the last 90d, 12h or 30m')
    .option('--type <type>', 'only events of this type; * is a wildcard')
    .option('--json', 'print each event in full, one JSON object per line')
    .action((options: EventsOptions) => runOnStore((session) => showEvents(session, options, output)));
}
