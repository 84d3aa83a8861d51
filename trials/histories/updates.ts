/** Sets of changes as DNS UPDATE: each message twice at once, of which one copy is applied. */
import { randomBytes } from 'node:crypto';
import { RCODE } from '../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../src/dns/wire/tsig.ts';
import type { Address } from '../../test/support/dns-client.ts';
import { add, removeName, removeSet, type SentRecord, sendCopies } from '../../test/support/updates.ts';

const TTL = 300;
const TOO_MANY = 'Too many updates are sent. Send fewer at a time.';
/** By UDP and by TCP. */
const COPIES = [false, true];

export interface SentChange {
  readonly action: string;
  readonly name: string;
  readonly type: string;
  /** Undefined for a deletion. */
  readonly records?: readonly string[];
}

export interface HistoryUpdates {
  /** What makes a key for a zone. */
  newKey(): { readonly key: TsigSecret; readonly body: object };
  /** Sends changes of a zone. @returns the status and the message that the API would have, and a fault of the copies */
  send(
    zone: string,
    key: TsigSecret,
    changes: readonly SentChange[],
  ): Promise<{ readonly status: number; readonly message: string }>;
}

function stepsOf({ action, name, type, records = [] }: SentChange): readonly SentRecord[] {
  if (action === 'delete') return [removeName(name)];
  const added = records.map((record) => add(name, type, TTL, record));
  return action === 'replace' ? [removeSet(name, type), ...added] : added;
}

/** @param address of the hidden primary */
export function historyUpdates(address: Address): HistoryUpdates {
  let keys = 0;
  return {
    newKey() {
      keys += 1;
      const name = `history-${process.pid}-${keys}`;
      const secret = randomBytes(32);
      const body = { name, algorithm: 'hmac-sha256', secret: secret.toString('base64') };
      return {
        key: { name: `${name}.`, algorithm: 'hmac-sha256', secret },
        body: { ...body, permissions: { update: {} } },
      };
    },
    async send(zone, key, changes) {
      const updates = changes.flatMap(stepsOf);
      const answers = await sendCopies(address, { zone, updates }, key, COPIES);
      // The service has let the others wait for a while before it says so, and has not looked at them.
      const decided = answers.filter(({ error }) => error?.text !== TOO_MANY);
      if (decided.length === 0) return this.send(zone, key, changes);
      const rcodes = new Set(decided.map(({ rcode }) => rcode));
      const message = decided.map(({ error }) => error?.text ?? '').join(' ');
      if (rcodes.size !== 1) return { status: 500, message: `copies get RCODEs ${[...rcodes]}: ${message}` };
      if (rcodes.has(RCODE.NOERROR)) return { status: 200, message };
      return {
        status: message.includes('Quota exceeded') ? 413 : 500,
        message: `${[...rcodes]}: ${message}`,
      };
    },
  };
}
