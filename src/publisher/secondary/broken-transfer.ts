import { RCODE } from '../../dns/wire/codes.ts';
import { TransferFault } from '../../model/secondaries/secondary.ts';

/** The master sent an invalid transfer, or none. The message is one sentence that says what to do on the master. */
export class BrokenTransfer extends TransferFault {
  /** For an IXFR: true if an AXFR may succeed instead. */
  readonly mayComeWhole: boolean;

  constructor(message: string, { mayComeWhole = true } = {}) {
    super(message);
    this.name = 'BrokenTransfer';
    this.mayComeWhole = mayComeWhole;
  }
}

const REFUSALS: ReadonlyMap<number, string> = new Map([
  [
    RCODE.REFUSED,
    'The server refuses the transfer (REFUSED): let it transfer the zone to the addresses of this service, or to the key of the zone.',
  ],
  [
    RCODE.NOTAUTH,
    'The server is not authoritative for the zone (NOTAUTH): set the zone up there, or check its log for why it is not loaded.',
  ],
  [RCODE.SERVFAIL, 'The server fails to transfer the zone (SERVFAIL): check its log.'],
  [RCODE.NOTIMP, 'The server does not support transfers (NOTIMP): use another master.'],
  [RCODE.FORMERR, 'The server cannot read the transfer request (FORMERR): check its log.'],
]);

/** Explains a response that contains no transfer. */
export function refusalOf(rcode: number): string {
  return REFUSALS.get(rcode) ?? `The server answers the transfer request with RCODE ${rcode}: check its log.`;
}
