import { isLaterSerial } from '../../dns/serial.ts';
import { later } from '../../model/clock.ts';
import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import type { Order, Outcome, ServerAnswer } from '../../model/publication/publication.ts';
import { delayAfter } from '../../runtime/backoff.ts';
import type { WorkerSettings } from './settings.ts';
import type { Verdict } from './verdict.ts';

type Settings = Pick<WorkerSettings, 'retry' | 'stragglerRetry' | 'errorAfter'>;

/** What the servers have after a look at an order. */
export interface Seen {
  readonly order: Order;
  readonly verdicts: readonly (Verdict & { readonly server: ServerAddress; readonly wasHeard: boolean })[];
  /** How many servers must have it. */
  readonly threshold: number;
  /** The error that stands with the order now: the zone may have one of another kind. */
  readonly error: string;
  readonly now: string;
}

/** The errors that are written here begin like this; others stay until the order is done. */
const MISSING = 'Too few name servers have the zone as it is';
const REMAINING = 'Too few name servers have dropped the zone';

/** What was known of a server before. */
export function knownVerdict(servers: readonly ServerAnswer[], server: ServerAddress): Verdict {
  const known = servers.find((answer) => formatAddress(answer) === formatAddress(server));
  return { serial: known?.serial ?? null, isOurs: true, fault: known?.fault ?? null };
}

function answersOf({ order, verdicts, now }: Seen): ServerAnswer[] {
  return verdicts.map(({ server, serial, fault }) => {
    const before = order.servers.find((answer) => formatAddress(answer) === formatAddress(server));
    const isSame = before !== undefined && before.serial === serial && before.fault === fault;
    return { host: server.host, port: server.port, serial, fault, since: isSame ? before.since : now };
  });
}

/** The latest serial that enough servers have, or a later one; null for none. */
function reachedSerial({ verdicts, threshold }: Seen): number | null {
  const serials = verdicts.flatMap(({ serial, isOurs }) => (serial !== null && isOurs ? [serial] : []));
  serials.sort((a, b) => (isLaterSerial(a, b) ? -1 : Number(isLaterSerial(b, a))));
  return serials[threshold - 1] ?? null;
}

function publishedSerial(seen: Seen): number | null {
  const { order, verdicts } = seen;
  if (order.isRemoval) return order.publishedSerial;
  const reached = reachedSerial(seen);
  // Of who says nothing, nothing new is known: what was published stays so.
  const isCertain = verdicts.every(({ wasHeard }) => wasHeard);
  if (isCertain || order.publishedSerial === null) return reached;
  return reached !== null && isLaterSerial(reached, order.publishedSerial) ? reached : order.publishedSerial;
}

/** Since when servers lack something; undefined if that was not known before. */
function behindSince({ order }: Seen): string | undefined {
  if (order.pendingSince !== '') return order.pendingSince;
  const since = order.servers.flatMap((answer) => (answer.fault === null ? [] : [answer.since]));
  return since.sort()[0];
}

function errorOf(seen: Seen, errorAfter: number): string {
  const { order, verdicts, threshold, error, now } = seen;
  const beginning = order.isRemoval ? REMAINING : MISSING;
  const isOther = error !== '' && !error.startsWith(MISSING) && !error.startsWith(REMAINING);
  if (isOther) return error;
  const since = behindSince(seen);
  if (since === undefined || now < later(since, errorAfter)) return '';
  const faults = new Set(verdicts.flatMap(({ fault }) => (fault === null ? [] : [fault])));
  const count = verdicts.filter(({ fault }) => fault === null).length;
  return `${beginning}: ${count} of the ${threshold} that must. ${[...faults].join(' ')}`;
}

/** What a look at an order has come to. */
export function outcomeOf(seen: Seen, { retry, stragglerRetry, errorAfter }: Settings): Outcome {
  const { order, verdicts, threshold, now } = seen;
  const arrived = verdicts.filter(({ fault }) => fault === null).length;
  const isEnough = arrived >= threshold;
  // While a zone moves, its order comes up until the move is over, whoever dies meanwhile.
  const isSettled = arrived === verdicts.length && order.move === null;
  const isDone = isEnough && (order.isRemoval || isSettled);
  const wait = delayAfter(isEnough ? stragglerRetry : retry, order.attempts);
  return {
    orderId: order.id,
    claimedUntil: order.dueAt,
    publishedSerial: publishedSerial(seen),
    isDone,
    dueAt: isDone ? '' : later(now, wait),
    error: isEnough ? '' : errorOf(seen, errorAfter),
    servers: answersOf(seen),
  };
}
