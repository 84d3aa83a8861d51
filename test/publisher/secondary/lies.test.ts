import { describe, expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { until } from '../../support/eventually.ts';
import { wireKey } from '../../support/primary.ts';
import { keyWith } from '../../support/published-zones.ts';
import {
  record,
  type ScriptedMaster,
  soaRecord,
  startMaster,
  type TransferSession,
} from '../../support/scripted-master.ts';
import { keepZones, SOON_BY_TCP, type Told } from '../../support/secondary-zones.ts';

const ZONE = 'example.com.';
const KEY = keyWith({ name: 'zone-key', scope: 'ZONE', resourceId: 'zone' });
const OTHER = keyWith({ name: 'zone-key', scope: 'ZONE', resourceId: 'zone', secret: 'AAAA' });
const SOA = (serial: number) => soaRecord(ZONE, serial);
const NS = record(ZONE, TYPE.NS, 'ns1.example.com.');
const WWW = record(`www.${ZONE}`, TYPE.A, '192.0.2.1');
const WHOLE = [SOA(5), NS, WWW, SOA(5)];

type Script = (session: TransferSession) => unknown;

const inTurn =
  (...scripts: readonly Script[]): Script =>
  (session) => {
    for (const script of scripts) script(session);
  };

function withManyRecords(octets: Buffer): Buffer {
  octets.writeUInt16BE(60_000, 6);
  return octets;
}

async function masterSaying(script: Script, serial = 5): Promise<ScriptedMaster> {
  const master = await startMaster();
  master.soa = () => [SOA(serial)];
  master.transfer = script;
  return master;
}

function reasonOf(told: Told): string {
  expect(told.kind).toBe('failed');
  return told.kind === 'failed' ? told.reason : '';
}

/** A message whose octets are changed. */
function sendWith(session: TransferSession, records: typeof WHOLE, change: (octets: Buffer) => Buffer): void {
  session.raw(change(session.message(records)));
}

/** Sends until the other end is gone. */
async function sendForEver(session: TransferSession, first: typeof WHOLE, next: () => Buffer): Promise<void> {
  session.send(first);
  const { socket } = session;
  const told = (event: string) => new Promise((resolve) => socket.once(event, resolve));
  const gone = told('close');
  while (!socket.destroyed) {
    if (session.raw(next())) await new Promise(setImmediate);
    else await Promise.race([told('drain'), gone]);
  }
}

const LIES: readonly (readonly [string, Script, string])[] = [
  ['another id', (s) => s.send(WHOLE, { header: { id: s.query.header.id ^ 1 } }), 'does not match the query'],
  [
    'a question in place of an answer',
    (s) => s.send(WHOLE, { header: { qr: false } }),
    'does not match the query',
  ],
  ['another opcode', (s) => s.send(WHOLE, { header: { opcode: 5 } }), 'does not match the query'],
  [
    'another question',
    (s) => s.send(WHOLE, { questions: [{ ...s.question, name: 'example.org.' }] }),
    'does not match the query',
  ],
  ['a cut message', (s) => s.send(WHOLE, { header: { tc: true } }), 'TC'],
  ['REFUSED', (s) => s.send([], { header: { rcode: RCODE.REFUSED } }), 'let it transfer the zone'],
  ['NOTAUTH', (s) => s.send([], { header: { rcode: RCODE.NOTAUTH } }), 'set the zone up there'],
  ['SERVFAIL', (s) => s.send([], { header: { rcode: RCODE.SERVFAIL } }), 'check its log'],
  ['another RCODE', (s) => s.send([], { header: { rcode: 11 } }), 'RCODE 11'],
  ['no record', (s) => s.send([]), 'without records'],
  [
    'a message without a record in the middle',
    inTurn(
      (s) => s.send([SOA(5)]),
      (s) => s.send([]),
    ),
    'without records',
  ],
  ['another record first', (s) => s.send([NS, SOA(5), SOA(5)]), 'start with the SOA'],
  ['the SOA of another name first', (s) => s.send([soaRecord(`sub.${ZONE}`, 5), NS]), 'an SOA of sub.'],
  ['an SOA of a name within', (s) => s.send([SOA(5), soaRecord(`sub.${ZONE}`, 5), SOA(5)]), 'an SOA of sub.'],
  ['another serial in the middle', (s) => s.send([SOA(5), NS, SOA(6), WWW, SOA(5)]), 'continues with 6'],
  ['records after the end', (s) => s.send([...WHOLE, WWW]), 'after the end'],
  ['a name outside', (s) => s.send([SOA(5), record('www.example.org.', TYPE.A, '192.0.2.1')]), 'outside'],
  [
    'a name that only looks as if it were inside',
    (s) => s.send([SOA(5), record(`x\\.${ZONE}`, TYPE.A, '192.0.2.1'), SOA(5)]),
    'outside the zone',
  ],
  ['another class', (s) => s.send([SOA(5), { ...WWW, class: 3 }, SOA(5)]), 'class 3'],
  ['a type of questions', (s) => s.send([SOA(5), { ...WWW, type: 252, rdata: '\\# 0' }, SOA(5)]), 'AXFR'],
  ['an SOA that is none', (s) => s.send([{ ...SOA(5), rdata: '\\# 1 00' }]), 'cannot be read'],
  ['octets that are no message', (s) => s.raw(Buffer.from('nonsense')), 'cannot be read'],
  ['counts that lie', (s) => sendWith(s, WHOLE, withManyRecords), 'cannot be read'],
  [
    'octets left over',
    (s) => sendWith(s, WHOLE, (octets) => Buffer.concat([octets, octets])),
    'cannot be read',
  ],
  ['a record cut off', (s) => sendWith(s, WHOLE, (octets) => octets.subarray(0, -3)), 'cannot be read'],
  ['a message of no octets', (s) => s.raw(Buffer.alloc(0)), 'an empty message'],
  [
    'more octets than come',
    inTurn(
      (s) => s.raw(s.message(WHOLE), 65_535),
      (s) => s.socket.end(),
    ),
    'before the transfer has ended',
  ],
  [
    'an end in the middle',
    inTurn(
      (s) => s.send([SOA(5), NS]),
      (s) => s.socket.end(),
    ),
    'before the transfer has ended',
  ],
  ['a reset', (s) => s.socket.resetAndDestroy(), 'without an answer'],
  ['nothing, and an end', (s) => s.socket.end(), 'without an answer'],
];

describe('a master that sends', () => {
  it.each(LIES)('%s is believed nothing, and the reason says so', async (_, script, part) => {
    const master = await masterSaying(script);
    const { zones, errors } = keepZones();
    zones.due([master]);
    const reason = reasonOf(await zones.next());
    expect(reason).toContain(part);
    expect(reason).toMatch(new RegExp(`^Master 127\\.0\\.0\\.1:${master.port}: The server .*[.?]$`));
    await until(() => expect(master.open.size).toBe(0));
    expect(errors).toEqual([]);
  });

  it('one reason for each master is told, if none has the zone', async () => {
    const masters = [
      await masterSaying((s) => s.send([NS])),
      await masterSaying((s) => s.send([], { header: { rcode: RCODE.REFUSED } })),
    ];
    const { zones } = keepZones();
    zones.due(masters);
    const reason = reasonOf(await zones.next());
    for (const { port } of masters) expect(reason).toContain(`Master 127.0.0.1:${port}: The server`);
  });

  it('lies is followed by one that does not', async () => {
    const masters = [await masterSaying((s) => s.send([NS])), await masterSaying((s) => s.send(WHOLE))];
    const { zones } = keepZones();
    zones.due(masters);
    expect(await zones.next()).toMatchObject({ kind: 'whole', soa: { serial: 5 } });
  });

  it('a serial that is not later, after it answered with a later one, is believed nothing', async () => {
    const master = await masterSaying((s) => s.send([SOA(4), NS, SOA(4)]), 6);
    master.transfer = (s) => s.send(s.isIxfr ? [SOA(6), SOA(9)] : [SOA(4), NS, SOA(4)]);
    const { zones } = keepZones();
    zones.due([master], { serial: 5 });
    expect(reasonOf(await zones.next())).toContain('serial 4, which is not later than 5');
  });

  it('to a closed port cannot be reached', async () => {
    const { zones } = keepZones(SOON_BY_TCP);
    const master = await masterSaying(() => {});
    await master.close();
    zones.due([{ host: '127.0.0.1', port: master.port }]);
    expect(reasonOf(await zones.next())).toContain('Connection refused');
    master.close = async () => {};
  });
});

describe('differences', () => {
  const WRONG: readonly (readonly [string, readonly (typeof NS)[]])[] = [
    ['that begin at another serial', [SOA(7), SOA(4), SOA(7), WWW, SOA(7)]],
    ['that leave a gap', [SOA(7), SOA(5), SOA(6), WWW, SOA(5), SOA(7), SOA(7)]],
    ['that lead back', [SOA(7), SOA(5), SOA(4), WWW, SOA(4), SOA(7), SOA(7)]],
    ['that go round', [SOA(7), SOA(5), SOA(5), WWW, SOA(5), SOA(7), SOA(7)]],
    ['that lead too far', [SOA(7), SOA(5), SOA(8), WWW, SOA(8)]],
    ['with records after the end', [SOA(7), SOA(5), SOA(7), WWW, SOA(7), WWW]],
    ['with a name outside', [SOA(7), SOA(5), record('example.org.', TYPE.A, '192.0.2.1'), SOA(7), SOA(7)]],
    ['with an SOA that is none', [SOA(7), SOA(5), { ...SOA(7), rdata: '\\# 1 00' }]],
  ];

  it.each(WRONG)('%s are not taken, and the whole zone is asked for', async (_, records) => {
    const master = await masterSaying((s) => s.send(s.isIxfr ? records : [SOA(7), NS, SOA(7)]), 7);
    const { zones } = keepZones();
    zones.due([master], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'whole', soa: { serial: 7 } });
    expect(master.heard).toEqual(['SOA udp', 'IXFR tcp', 'AXFR tcp']);
  });

  it('that a master does not know are asked for once, and then the whole zone', async () => {
    const master = await masterSaying(
      (s) => (s.isIxfr ? s.send([], { header: { rcode: RCODE.NOTIMP } }) : s.send(WHOLE)),
      5,
    );
    const { zones } = keepZones();
    zones.due([master], { serial: 4 });
    expect(await zones.next()).toMatchObject({ kind: 'whole' });
  });

  it('that are too large for the memory are given up for the whole zone', async () => {
    const many = Array.from({ length: 200 }, (_, at) => record(`n${at}.${ZONE}`, TYPE.A, '192.0.2.1'));
    const master = await masterSaying((s) => {
      if (!s.isIxfr) return s.send([SOA(7), NS, SOA(7)]);
      return sendForEver(s, [SOA(7), SOA(5)], () => s.message(many));
    }, 7);
    const { zones } = keepZones({ maxDifferenceBytes: 100_000 });
    zones.due([master], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'whole' });
    await until(() => expect(master.open.size).toBe(0));
  });
});

describe('a signature', () => {
  const WRONG: readonly (readonly [string, Script, string])[] = [
    ['that is missing', (s) => s.send(WHOLE, { isUnsigned: true }), 'has no signature'],
    [
      'that is missing at the end',
      inTurn(
        (s) => s.send([SOA(5), NS]),
        (s) => s.send([WWW, SOA(5)], { isUnsigned: true }),
      ),
      'does not sign the end',
    ],
    [
      'over octets that were changed',
      (s) =>
        sendWith(s, WHOLE, (octets) => {
          octets[octets.indexOf('www') + 1]! ^= 1;
          return octets;
        }),
      'has a different secret',
    ],
    [
      'that comes after a hundred messages',
      (s) => {
        s.send([SOA(5), NS]);
        for (let left = 100; left > 0; left -= 1) s.send([WWW], { isUnsigned: true });
        s.send([SOA(5)]);
      },
      'has no signature',
    ],
    [
      'that is missing from a refusal',
      (s) => s.send([], { isUnsigned: true, header: { rcode: RCODE.REFUSED } }),
      'REFUSED',
    ],
  ];

  it.each(WRONG)('%s is told, and nothing is taken', async (_, script, part) => {
    const master = await masterSaying(script);
    master.key = wireKey(KEY);
    const { zones } = keepZones();
    zones.due([master], { key: KEY });
    expect(reasonOf(await zones.next())).toContain(part);
  });

  it('with another secret is told at the question for the SOA', async () => {
    const master = await masterSaying((s) => s.send(WHOLE));
    master.key = wireKey(OTHER);
    const { zones } = keepZones(SOON_BY_TCP);
    zones.due([master], { key: KEY });
    expect(reasonOf(await zones.next())).toMatch(/signature/);
    expect(master.heard).not.toContain('AXFR tcp signed');
  });
});

describe('an answer for the SOA', () => {
  it.each<[string, Partial<Pick<ScriptedMaster, 'soa' | 'soaTwist'>>, string]>([
    ['without authority', { soaTwist: () => ({ header: { aa: false } }) }, 'authoritative'],
    ['without the SOA', { soa: () => [] }, 'no SOA record'],
    ['with the SOA of another name', { soa: () => [soaRecord('example.org.', 9)] }, 'no SOA record'],
    [
      'that is REFUSED',
      { soaTwist: () => ({ header: { rcode: RCODE.REFUSED } }) },
      'allow queries from this service',
    ],
    ['that is SERVFAIL', { soaTwist: () => ({ header: { rcode: RCODE.SERVFAIL } }) }, 'check its log'],
    ['with an SOA that is none', { soa: () => [{ ...SOA(5), rdata: '\\# 1 00' }] }, 'cannot be read'],
  ])('%s asks for no transfer', async (_, says, part) => {
    const master = await masterSaying((s) => s.send(WHOLE));
    Object.assign(master, says);
    const { zones } = keepZones(SOON_BY_TCP);
    zones.due([master]);
    expect(reasonOf(await zones.next())).toContain(part);
    expect(master.heard.filter((one) => one.startsWith('AXFR'))).toEqual([]);
  });

  it.each([
    ['cut by UDP', { header: { tc: true } }, {}],
    ['not answered by UDP', { isSilent: true }, SOON_BY_TCP],
  ])('%s is asked for by TCP', async (_, twist, settings) => {
    const master = await masterSaying((s) => s.send(WHOLE));
    master.soaTwist = (transport) => (transport === 'udp' ? twist : {});
    const { zones } = keepZones(settings);
    zones.due([master]);
    expect(await zones.next()).toMatchObject({ kind: 'whole' });
    expect(master.heard).toEqual(['SOA udp', 'SOA tcp', 'AXFR tcp']);
  });
});

describe('a master that never comes to an end', () => {
  const many = Array.from({ length: 2000 }, (_, at) => record(`n${at}.${ZONE}`, TYPE.A, '192.0.2.1'));

  it.each([
    ['too many records', { maxRecords: 10_000 }, 'more than 10000 records'],
    ['too many octets', { maxOctets: 1_000_000 }, 'more than 1000000 bytes'],
    ['records for too long', { maxTransferMs: 300 }, 'longer than 0.3 seconds'],
  ])('sends %s, and is cut off', async (_, settings, part) => {
    const master = await masterSaying((s) => sendForEver(s, [SOA(5), NS], () => s.message(many)));
    const { zones } = keepZones(settings);
    zones.due([master]);
    expect(reasonOf(await zones.next())).toContain(part);
    await until(() => expect(master.open.size).toBe(0));
  });

  it('is cut off as soon as the zone has no room for more', async () => {
    const master = await masterSaying((s) => sendForEver(s, [SOA(5), NS], () => s.message(many)));
    const { zones } = keepZones();
    zones.maxRecords = 5000;
    zones.due([master]);
    expect(reasonOf(await zones.next())).toBe('The zone has more records than its quota.');
    expect(zones.read).toBeLessThan(10_000);
    await until(() => expect(master.open.size).toBe(0));
  });

  it.each<[string, Script, string, number]>([
    ['sends nothing', () => {}, 'does not answer the transfer request within 0.2 seconds', 200],
    [
      'sends one octet after the other',
      async (s) => {
        const octets = s.message(WHOLE);
        const head = Buffer.alloc(2);
        head.writeUInt16BE(octets.length);
        s.send([SOA(5), NS]);
        for (const octet of Buffer.concat([head, octets])) {
          if (s.socket.destroyed) return;
          s.socket.write(Buffer.of(octet));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      },
      'less than 1000 bytes per second',
      60_000,
    ],
  ])('%s, and is cut off', async (_, script, part, answerMs) => {
    const master = await masterSaying(script);
    const { zones } = keepZones({ answerMs, rateWindowMs: 200, minRate: 1000 });
    zones.due([master]);
    expect(reasonOf(await zones.next())).toContain(part);
    await until(() => expect(master.open.size).toBe(0));
  });
});

describe('a transfer that cannot be taken', () => {
  it('counts as one that has cost something, and a refusal does not', async () => {
    const large = record(`www.${ZONE}`, TYPE.TXT, `"${'a'.repeat(250)}"`);
    const master = await masterSaying((s) => {
      s.send([SOA(5), NS]);
      for (let left = 100; left > 0; left -= 1) s.send([large]);
      s.send([SOA(6)]);
    });
    const { zones } = keepZones();
    zones.due([master]);
    expect(reasonOf(await zones.next())).toContain('changed during the transfer');
    expect(zones.costly).toBe(1);
    master.transfer = (s) => s.send([], { header: { rcode: RCODE.REFUSED } });
    zones.due([master]);
    expect(reasonOf(await zones.next())).toContain('REFUSED');
    expect(zones.costly).toBe(1);
  });
});
