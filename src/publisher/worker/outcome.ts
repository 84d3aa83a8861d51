import { isLaterSerial } from '../../dns/serial.ts';
import { later } from '../../model/clock.ts';
import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import type { Order, OrderOutcome, ServerAnswer } from '../../model/publication/publication.ts';
import { delayAfter } from '../../runtime/backoff.ts';
import type { WorkerSettings } from './settings.ts';
import type { ServerVerdict } from './verdict.ts';

type OutcomeSettings = Pick<WorkerSettings, 'retryBackoff' | 'stragglerBackoff' | 'errorAfterMs'>;

/** The state of the servers at the end of an attempt to confirm an order. */
export interface ServerResponses {
  readonly order: Order;
  readonly verdicts: readonly (ServerVerdict & {
    readonly server: ServerAddress;
    readonly wasHeard: boolean;
  })[];
  /** Number of servers that must confirm. */
  readonly threshold: number;
  /** The current error of the order: it may come from somewhere else. */
  readonly error: string;
  readonly now: string;
}

/** Prefixes of the errors written here; other errors stay until the order is done. */
const MISSING = 'Too few name servers have the zone as it is';
const REMAINING = 'Too few name servers have dropped the zone';

/** Returns what was last known of a server. */
export function knownVerdict(servers: readonly ServerAnswer[], server: ServerAddress): ServerVerdict {
  const known = servers.find((answer) => formatAddress(answer) === formatAddress(server));
  return { serial: known?.serial ?? null, isOurs: true, fault: known?.fault ?? null };
}

function answersOf({ order, verdicts, now }: ServerResponses): ServerAnswer[] {
  return verdicts.map(({ server, serial, fault }) => {
    const before = order.servers.find((answer) => formatAddress(answer) === formatAddress(server));
    const isSame = before !== undefined && before.serial === serial && before.fault === fault;
    return { host: server.host, port: server.port, serial, fault, since: isSame ? before.since : now };
  });
}

/** The latest serial that enough servers have reached; null for none. */
function reachedSerial({ verdicts, threshold }: ServerResponses): number | null {
  const serials = verdicts.flatMap(({ serial, isOurs }) => (serial !== null && isOurs ? [serial] : []));
  serials.sort((a, b) => (isLaterSerial(a, b) ? -1 : Number(isLaterSerial(b, a))));
  return serials[threshold - 1] ?? null;
}

function publishedSerial(seen: ServerResponses): number | null {
  const { order, verdicts } = seen;
  if (order.isRemoval) return order.publishedSerial;
  const reached = reachedSerial(seen);
  // Servers that did not respond say nothing new, so the published serial stays.
  const isCertain = verdicts.every(({ wasHeard }) => wasHeard);
  if (isCertain || order.publishedSerial === null) return reached;
  return reached !== null && isLaterSerial(reached, order.publishedSerial) ? reached : order.publishedSerial;
}

/** Time since which servers are behind; undefined if it is not known yet. */
function behindSince({ order }: ServerResponses): string | undefined {
  if (order.pendingSince !== '') return order.pendingSince;
  const since = order.servers.flatMap((answer) => (answer.fault === null ? [] : [answer.since]));
  return since.sort()[0];
}

function errorOf(seen: ServerResponses, errorAfter: number): string {
  const { order, verdicts, threshold, error, now } = seen;
  const beginning = order.isRemoval ? REMAINING : MISSING;
  const isOther = error !== '' && !error.startsWith(MISSING) && !error.startsWith(REMAINING);
  if (isOther) return error;
  const since = behindSince(seen);
  if (since === undefined || now < later(since, errorAfter)) return '';
  const faults = new Set(verdicts.flatMap(({ fault }) => (fault === null ? [] : [fault])));
  const count = verdicts.filter(({ fault }) => fault === null).length;
  return `${beginning}: ${count} of ${threshold} required. ${[...faults].join(' ')}`;
}

/** Computes the outcome of an attempt to confirm an order. */
export function outcomeOf(
  seen: ServerResponses,
  { retryBackoff: retry, stragglerBackoff: stragglerRetry, errorAfterMs: errorAfter }: OutcomeSettings,
): OrderOutcome {
  const { order, verdicts, threshold, now } = seen;
  const arrived = verdicts.filter(({ fault }) => fault === null).length;
  const isEnough = arrived >= threshold;
  // While a zone moves, its order stays due until the move is complete, even if a process dies.
  const isSettled = arrived === verdicts.length && order.move === null;
  const isDone = isEnough && (order.isRemoval || isSettled);
  const wait = delayAfter(isEnough ? stragglerRetry : retry, order.attempts);
  return {
    orderId: order.id,
    poolId: order.poolId,
    claimedUntil: order.dueAt,
    publishedSerial: publishedSerial(seen),
    isDone,
    dueAt: isDone ? '' : later(now, wait),
    error: isEnough ? '' : errorOf(seen, errorAfter),
    servers: answersOf(seen),
  };
}
