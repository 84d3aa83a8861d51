import { FormError } from '../../dns/encoding/reader.ts';
import type { Fqdn } from '../../dns/names.ts';
import { TYPE } from '../../dns/record-types.ts';
import { CLASS, OPCODE, RCODE } from '../../dns/wire/codes.ts';
import type { DecodedMessage } from '../../dns/wire/message.ts';
import type { TsigSecret } from '../../dns/wire/tsig.ts';
import type { ServerAddress } from '../../model/pools/pool.ts';
import type { IncomingSoa } from '../../model/secondaries/secondary.ts';
import type { DnsClient } from '../worker/dns-client.ts';
import { dnsQuery } from '../worker/dns-query.ts';
import { BrokenTransfer } from './broken-transfer.ts';
import { incomingSoa } from './incoming.ts';

const FAULTS: ReadonlyMap<number, string> = new Map([
  [
    RCODE.REFUSED,
    'The server refuses to answer for the zone (REFUSED): does it have the zone and allow queries from this service?',
  ],
  [
    RCODE.SERVFAIL,
    'The server fails to answer for the zone (SERVFAIL): check its log for why it is not loaded.',
  ],
  [RCODE.NOTAUTH, 'The server is not authoritative for the zone (NOTAUTH): set the zone up there.'],
  [RCODE.NXDOMAIN, 'The server does not have the zone (NXDOMAIN): set it up there.'],
  [
    RCODE.NOERROR,
    'The server does not have the zone: its response has no SOA record. Set the zone up there.',
  ],
]);

function soaOf({ header, answers }: DecodedMessage, name: Fqdn): IncomingSoa {
  const soa = answers.find(
    (record) => record.name === name && record.type === TYPE.SOA && record.class === CLASS.IN,
  );
  if (header.rcode !== RCODE.NOERROR || soa === undefined) {
    throw new BrokenTransfer(
      FAULTS.get(header.rcode) ?? `The server does not answer for the zone (RCODE ${header.rcode}).`,
    );
  }
  if (!header.aa) {
    throw new BrokenTransfer(
      'The server answers for the zone, but not authoritatively: has the zone expired there?',
    );
  }
  return incomingSoa(soa);
}

/** A query for the SOA of a zone. */
interface SoaQuestion {
  readonly master: ServerAddress;
  readonly name: Fqdn;
  readonly key: TsigSecret | undefined;
}

/**
 * Queries a master for its SOA, over UDP and, if necessary, over TCP.
 * @throws BrokenTransfer if there is no usable response
 */
export async function askSoa(
  exchanges: DnsClient,
  { master, name, key }: SoaQuestion,
  signal: AbortSignal,
): Promise<IncomingSoa> {
  const question = { name, type: TYPE.SOA, class: CLASS.IN };
  const build = (id: number) => dnsQuery(id, OPCODE.QUERY, question, key, { owner: 'zone' });
  const { message, fault } = await exchanges.thoroughly(master, build, true, signal);
  if (message === undefined) throw new BrokenTransfer(fault);
  try {
    return soaOf(message, name);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    throw new BrokenTransfer(`The server sends an SOA that cannot be read: ${error.reason}`);
  }
}
