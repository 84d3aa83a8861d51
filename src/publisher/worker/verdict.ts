import { isLaterSerial } from '../../dns/serial.ts';
import type { Order } from '../../model/publication/publication.ts';
import type { Reply } from './questions.ts';

/** The state of an order on one server. */
export interface ServerVerdict {
  /** The serial that it has; null for none. */
  readonly serial: number | null;
  /** True if that serial came from this service. */
  readonly isOurs: boolean;
  /** A sentence that says why the server is not up to date; null if it is. */
  readonly fault: string | null;
}

const NOT_AUTHORITATIVE = 'The server answers for the zone, but not authoritatively.';
const STILL_THERE = 'The server still has the zone.';

/** True if the first serial is the second one, or later (RFC 1982). */
const isAtLeast = (serial: number, other: number): boolean =>
  serial === other || isLaterSerial(serial, other);

/** Checks a zone that is being removed. Only a response without its SOA proves that it is gone. */
function removalVerdict(reply: Reply, known: ServerVerdict): ServerVerdict {
  if (reply.kind === 'absent') return { serial: null, isOurs: true, fault: null };
  if (reply.kind === 'serial') return { serial: reply.serial, isOurs: true, fault: STILL_THERE };
  return { ...known, fault: reply.fault };
}

function serialVerdict(serial: number, ordered: number, newest: number): ServerVerdict {
  if (isLaterSerial(serial, newest)) {
    const fault = `The server has serial ${serial}, which is later than any published serial (${newest}).`;
    return {
      serial,
      isOurs: false,
      fault: `${fault} Remove the zone on the server, so that it fetches it again.`,
    };
  }
  if (isAtLeast(serial, ordered)) return { serial, isOurs: true, fault: null };
  const fault = `The server has serial ${serial} and should have ${newest}.`;
  return { serial, isOurs: true, fault };
}

/**
 * Compares a reply with an order (RFC 1982).
 * @param known the previous verdict, for a reply that says nothing
 * @param newest the latest serial given to servers: a later order may be in progress
 */
export function verdictOf(
  order: Pick<Order, 'isRemoval' | 'serial'>,
  reply: Reply,
  known: ServerVerdict,
  newest: number,
): ServerVerdict {
  if (order.isRemoval) return removalVerdict(reply, known);
  if (reply.kind === 'absent') return { serial: null, isOurs: true, fault: reply.fault };
  if (reply.kind !== 'serial') return { ...known, fault: reply.fault };
  if (!reply.isAuthoritative) return { serial: reply.serial, isOurs: false, fault: NOT_AUTHORITATIVE };
  return serialVerdict(reply.serial, order.serial, newest);
}

/**
 * Like `verdictOf`, for a server that signs and so has its own serials: it must serve the zone, and have completed a
 * transfer of the ordered serial. A zone that was published before its servers signed is not transferred again: its
 * serial counts.
 * @param transferred the newest serial that the server has transferred; undefined for none
 */
export function signingVerdict(
  order: Pick<Order, 'serial' | 'publishedSerial'>,
  reply: Reply,
  known: ServerVerdict,
  transferred: number | undefined,
): ServerVerdict {
  if (reply.kind === 'absent') return { serial: null, isOurs: true, fault: reply.fault };
  if (reply.kind !== 'serial') return { ...known, fault: reply.fault };
  const isPublished = order.publishedSerial === order.serial && isAtLeast(reply.serial, order.serial);
  const newest = transferred ?? (isPublished ? order.serial : undefined);
  const serial = newest ?? null;
  if (!reply.isAuthoritative) return { serial, isOurs: false, fault: NOT_AUTHORITATIVE };
  const isThere = newest !== undefined && isAtLeast(newest, order.serial);
  const fault = isThere ? null : `The server signs the zone, and has not fetched serial ${order.serial} yet.`;
  return { serial, isOurs: true, fault };
}
