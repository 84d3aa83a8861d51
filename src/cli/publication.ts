import type { CommandSession } from '../assembly/session.ts';
import type { Afresh } from '../domain/publication/afresh.ts';
import type { ServerState } from '../domain/publication/server-states.ts';
import { formatAddress } from '../model/pools/pool.ts';
import type { Order } from '../model/publication/publication.ts';
import { printable } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

const HEADER = 'zone\tserver\tserial\texpected\tsince\twhy';

function lineOf(zone: string, server: ServerState): string {
  const { serial, expectedSerial, since, fault } = server;
  const serials = [serial, expectedSerial].map((one) => String(one ?? 'none'));
  const cells = [zone, formatAddress(server), ...serials, since ?? 'never', fault ?? ''];
  return cells.map(printable).join('\t');
}

function printError(name: string, { error }: Order, { err }: Output): void {
  if (error !== '') err(printable(`${name} is in ERROR: ${error}`));
}

/** Prints a line for each server of each zone that is waiting for a server. */
async function showUnsettled({ context, useCases }: CommandSession, output: Output): Promise<ExitStatus> {
  output.out(HEADER);
  for await (const { order, servers } of useCases.serverStates.unsettled(context)) {
    for (const server of servers) output.out(lineOf(order.name, server));
    printError(order.name, order, output);
  }
  return EXIT.done;
}

/** Prints a line for each server of one zone. */
async function showZone(
  { context, useCases }: CommandSession,
  name: string,
  output: Output,
): Promise<ExitStatus> {
  const { id } = await useCases.serverStates.findZone(context, name);
  const { zone, order, servers, advice } = await useCases.serverStates.find(context, id);
  output.out(HEADER);
  for (const server of servers) output.out(lineOf(zone.name, server));
  if (order === undefined) output.err(`the pool of ${zone.name} has no name servers: nothing is published`);
  else printError(zone.name, order, output);
  if (advice !== undefined) output.err(printable(advice));
  return EXIT.done;
}

const nothingPublished = (name: string): string =>
  `The pool of ${name} has no name servers: nothing can be published.`;

async function publishAgain(
  { context, useCases: { serverStates } }: CommandSession,
  name: string,
  { out }: Output,
): Promise<ExitStatus> {
  const zone = await serverStates.findZone(context, name);
  if (!(await serverStates.again(context, zone))) {
    throw new CommandError(nothingPublished(zone.name));
  }
  out(printable(`republishing ${zone.name}`));
  return EXIT.done;
}

const AFRESH: Readonly<Record<Exclude<Afresh, 'not published'>, (name: string) => string>> = {
  raised: (name) => `raised the serial of ${name}`,
  relabelled: (name) =>
    `the name servers fetch ${name} again; a server that signs it creates new keys, so replace the DS records in the parent zone`,
  'no catalog': (name) =>
    `The name servers of ${name} do not get it from a catalog. "zonewarden publication status ${name}" shows what to do on them.`,
};

async function publishAfresh(
  { context, useCases: { serverStates } }: CommandSession,
  name: string,
  { out }: Output,
): Promise<ExitStatus> {
  const zone = await serverStates.findZone(context, name);
  const done = await serverStates.afresh(context, zone);
  if (done === 'not published') throw new CommandError(nothingPublished(zone.name));
  const message = AFRESH[done](zone.name);
  if (done === 'no catalog') throw new CommandError(message);
  out(printable(message));
  return EXIT.done;
}

async function publishRestored(
  { context, useCases: { serverStates } }: CommandSession,
  { out }: Output,
): Promise<ExitStatus> {
  const { raised, others } = await serverStates.restored(context);
  out(`raised the serials of ${raised} zones; the name servers of ${others} others are being checked`);
  return EXIT.done;
}

/** `publication status`, `publication restored` and `publication again`. */
export function addPublicationCommands({ program, output, runOnStore }: Commands): void {
  const publication = program.command('publication').description('publication status per name server');
  publication
    .command('status')
    .description(
      'print each server with its serial, the expected serial, and since when and why it lags; without a zone, all zones with a lagging server',
    )
    .argument('[zone]', 'the name or the id of a zone')
    .action((zone: string | undefined) =>
      runOnStore((session) =>
        zone === undefined ? showUnsettled(session, output) : showZone(session, zone, output),
      ),
    );
  publication
    .command('again')
    .description('republish a zone')
    .argument('<zone>', 'the name or the id of a zone')
    .option(
      '--afresh',
      'republish even if name servers have a later serial: raises the serial of a primary zone; servers drop a secondary zone and fetch it again, and those that sign it lose its keys',
    )
    .action((zone: string, { afresh }: { afresh?: true }) =>
      runOnStore((session) =>
        afresh ? publishAfresh(session, zone, output) : publishAgain(session, zone, output),
      ),
    );
  publication
    .command('restored')
    .description(
      'after restoring a backup: raise the serials of all catalogs and primary zones past those on the name servers, and check the other zones',
    )
    .action(() => runOnStore((session) => publishRestored(session, output)));
}
