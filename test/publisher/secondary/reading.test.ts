import { expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import { CLASS } from '../../../src/dns/wire/codes.ts';
import { encodeMessage } from '../../../src/dns/wire/message.ts';
import { readTransfer } from '../../../src/publisher/secondary/read-transfer.ts';
import { record, soaRecord } from '../../support/scripted-master.ts';

const ZONE = 'example.com.';
const FLAGS = { opcode: 0, rcode: 0, aa: true, tc: false, rd: false, ra: false, ad: false, cd: false };
const BOUNDS = { maxRecords: 1_000_000, maxDifferenceBytes: 1 };

it('leaves others their turn, however much comes at once and however small its records are', async () => {
  const tiny = Array.from({ length: 4000 }, () => record(ZONE, 65_280, '\\# 0'));
  const message = (answers: typeof tiny) =>
    encodeMessage({
      header: { id: 1, qr: true, ...FLAGS },
      questions: [],
      answers,
      authority: [],
      additional: [],
    });
  const large = message(tiny);
  async function* messages() {
    yield message([soaRecord(ZONE, 5)]);
    for (let left = 50; left > 0; left -= 1) yield large;
    yield message([soaRecord(ZONE, 5)]);
  }
  const question = { name: ZONE, type: TYPE.AXFR, class: CLASS.IN };
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  const asked = { id: 1, question, verifier: undefined, serial: undefined };
  const transfer = await readTransfer(messages(), asked, BOUNDS);
  let records = 0;
  if (transfer.kind === 'whole') for await (const page of transfer.records) records += page.length;
  clearInterval(timer);
  expect(records).toBe(200_000);
  expect(turns).toBeGreaterThan(0);
});
