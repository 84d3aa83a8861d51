import { setTimeout as delay } from 'node:timers/promises';
import type { CommandSession } from '../assembly/session.ts';
import type { ShownEvent } from '../domain/events/event-json.ts';
import { eventJson } from '../domain/events/event-json.ts';
import { earlier, formatMicroseconds } from '../model/clock.ts';
import { millisecondsOf, spanOf } from '../model/moment.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

/** Poll interval for new events, in milliseconds. */
const POLL = 500;

interface EventsOptions {
  readonly follow?: boolean;
  readonly since?: string;
  readonly type?: string;
  readonly json?: boolean;
}

/** Parses a time, or an age such as 90d, into a time in the store's format. */
function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const now = formatMicroseconds(Date.now() * 1000);
  const span = spanOf(text);
  if (span !== undefined) return earlier(now, span);
  const milliseconds = millisecondsOf(text);
  if (!Number.isNaN(milliseconds)) return formatMicroseconds(milliseconds * 1000);
  throw new CommandError(
    '--since: Must be a time, such as 2030-01-31T12:00:00Z, or how long ago, such as 90d, 12h or 30m.',
  );
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
  const from = sinceOf(since);
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
    .option('--since <time>', 'only events since a time, or within a period: 90d, 12h, 30m')
    .option('--type <type>', 'only events of a type; * stands for any text')
    .option('--json', 'print each event in full, one JSON object per line')
    .action((options: EventsOptions) => runOnStore((session) => showEvents(session, options, output)));
}
