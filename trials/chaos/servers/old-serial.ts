import { FormError } from '../../../src/dns/encoding/reader.ts';
import { TYPE } from '../../../src/dns/record-types.ts';
import { SERIAL_SPAN } from '../../../src/dns/serial.ts';
import { decodeMessage, encodeMessage, type WireRecord } from '../../../src/dns/wire/message.ts';
import { signMessage, type TsigSecret } from '../../../src/dns/wire/tsig.ts';
import type { Dice } from '../dice.ts';
import type { Forge } from './packet-proxy.ts';

const MAX_RECORDS = 100;
const MAX_BEHIND = 1000;
/** Of the serial among the fields of an SOA. */
const SERIAL_PLACE = 2;

function older(record: WireRecord, by: number): WireRecord {
  if (record.type !== TYPE.SOA) return record;
  const fields = record.rdata.split(' ');
  fields[SERIAL_PLACE] = String((Number(fields[SERIAL_PLACE]) - by + SERIAL_SPAN) % SERIAL_SPAN);
  return { ...record, rdata: fields.join(' ') };
}

function forged(question: Buffer, answer: Buffer, key: TsigSecret, by: number): Buffer | undefined {
  const { tsig } = decodeMessage(question, { maxRecords: MAX_RECORDS });
  const { edns, ...told } = decodeMessage(answer, { maxRecords: MAX_RECORDS });
  if (tsig === undefined || !told.answers.some(({ type }) => type === TYPE.SOA)) return undefined;
  const answers = told.answers.map((record) => older(record, by));
  const message = encodeMessage({ ...told, answers, ...(edns && { edns }) });
  return signMessage(message, key, { priorMac: tsig.mac, time: Math.floor(Date.now() / 1000) }).message;
}

/** Answers with the SOA as it was some serials ago, signed as the server signs. */
export function oldSerial(key: TsigSecret, dice: Dice): Forge {
  return (question, answer) => {
    try {
      return forged(question, answer, key, dice.int(1, MAX_BEHIND));
    } catch (error) {
      if (error instanceof FormError) return undefined;
      throw error;
    }
  };
}
