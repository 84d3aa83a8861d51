import { FormError } from '../../dns/encoding/reader.ts';
import type { Fqdn } from '../../dns/names.ts';
import { TYPE } from '../../dns/record-types.ts';
import { CLASS, OPCODE, RCODE } from '../../dns/wire/codes.ts';
import type { DecodedMessage } from '../../dns/wire/message.ts';
import { soaSerial } from '../../dns/wire/soa.ts';
import type { TsigSecret } from '../../dns/wire/tsig.ts';
import type { ServerAddress } from '../../model/pools/pool.ts';
import type { DnsClient } from './dns-client.ts';
import { dnsQuery } from './dns-query.ts';

/** A server's response about a zone. */
export type Reply =
  /** The server has the zone. */
  | { readonly kind: 'serial'; readonly serial: number; readonly isAuthoritative: boolean }
  /** The server does not have the zone. */
  | { readonly kind: 'absent'; readonly fault: string }
  /** The server responds, but not with what it has. */
  | { readonly kind: 'failed'; readonly fault: string }
  /** No usable response. `isSilent` is true if a silent server was not queried. */
  | { readonly kind: 'unanswered'; readonly fault: string; readonly isSilent: boolean };

const ABSENCES: ReadonlyMap<number, string> = new Map([
  [RCODE.REFUSED, 'The server does not have the zone, or does not accept queries from here (REFUSED).'],
  [RCODE.NOTAUTH, 'The server is not authoritative for the zone (NOTAUTH).'],
  [RCODE.NXDOMAIN, 'The server does not have the zone (NXDOMAIN).'],
  [RCODE.NOERROR, 'The server does not have the zone: its response has no SOA record.'],
]);

/** Returns the serial of the SOA of exactly this name in the answer section. */
function findSerial({ answers }: DecodedMessage, name: Fqdn): number | undefined {
  const soa = answers.find(
    (record) => record.name === name && record.type === TYPE.SOA && record.class === CLASS.IN,
  );
  if (soa === undefined) return undefined;
  try {
    return soaSerial(soa.rdata);
  } catch (error) {
    if (error instanceof FormError) return undefined;
    throw error;
  }
}

function replyOf(message: DecodedMessage, name: Fqdn): Reply {
  const { rcode, aa } = message.header;
  if (rcode === RCODE.SERVFAIL) {
    return { kind: 'failed', fault: 'The server fails to serve the zone (SERVFAIL): check its log.' };
  }
  const serial = findSerial(message, name);
  if (serial !== undefined) return { kind: 'serial', serial, isAuthoritative: aa };
  const fault = ABSENCES.get(rcode) ?? `The server does not answer for the zone (RCODE ${rcode}).`;
  return { kind: 'absent', fault };
}

/** A query for the SOA of a zone. */
export interface SerialQuestion {
  readonly server: ServerAddress;
  readonly name: Fqdn;
  readonly key: TsigSecret | undefined;
  /** True if a missing zone has consequences, so that only an authenticated response may say so. */
  readonly needsProof: boolean;
}

/** Queries a server for the SOA of a zone, without recursion, signed if there is a key. */
export async function askSerial(
  exchanges: DnsClient,
  { server, name, key, needsProof }: SerialQuestion,
  signal: AbortSignal,
): Promise<Reply> {
  const question = { name, type: TYPE.SOA, class: CLASS.IN };
  const build = (id: number) => dnsQuery(id, OPCODE.QUERY, question, key);
  const { message, fault, isSilent = false } = await exchanges.thoroughly(server, build, needsProof, signal);
  return message === undefined ? { kind: 'unanswered', fault, isSilent } : replyOf(message, name);
}
