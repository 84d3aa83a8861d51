import { describe, expect, it } from 'vitest';
import { OPCODE } from '../../../src/dns/wire/codes.ts';
import { askByUdp, DnsConnection, decodeAnswer, encodeAsk, exchange } from '../../support/dns-client.ts';
import { primaryFor, type TestPrimary, wireKey } from '../../support/primary.ts';
import { keyWith, poolWith } from '../../support/published-zones.ts';
import { Random } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';

const NAME = 'example.com.';
const KNOWN = keyWith({ name: 'known', scope: 'POOL', resourceId: 'pool' });
const UNKNOWN = wireKey(keyWith({ name: 'unknown-key', scope: 'POOL', resourceId: 'pool' }));
const TYPES = ['SOA', 'AXFR', 'IXFR', 'ANY', 'NS'] as const;

async function opened() {
  const primary = await primaryFor({ pools: [poolWith({ id: 'pool' })], keys: [KNOWN] });
  primary.zones.publish({ name: NAME, serial: 5, poolId: 'pool' }, [[NAME, 'NS', ['ns1.test.']]]);
  return primary;
}

/** A question of a stranger, as it should be or with octets changed, cut off, added or all of them random. */
function attempt(random: Random): Buffer {
  const octets = encodeAsk({
    name: random.pick([NAME, 'other.test.', '.', `${'a.'.repeat(100)}`]),
    type: random.pick(TYPES),
    key: random.chance(0.5) ? UNKNOWN : undefined,
    ...(random.chance(0.5) && { udpSize: random.below(65_536), ednsVersion: random.below(2) }),
    ...(random.chance(0.5) && { serial: random.below(2 ** 32) }),
  }).octets;
  for (let changes = random.below(6); changes > 0; changes -= 1)
    octets[random.below(octets.length)] = random.below(256);
  if (random.chance(0.2)) return octets.subarray(0, random.below(octets.length));
  if (random.chance(0.2)) return Buffer.concat([octets, Buffer.from([random.below(256)])]);
  if (random.chance(0.1)) return Buffer.from(octets.map(() => random.below(256)));
  return octets;
}

/** Those are not always answered: how often is tried elsewhere. */
const isNotice = (question: Buffer): boolean => ((question[2]! >> 3) & 0xf) === OPCODE.NOTIFY;

/** One connection: some questions, perhaps part of one more, and an end or none. */
async function visit(primary: TestPrimary, random: Random): Promise<void> {
  const connection = await DnsConnection.open(primary.address);
  for (let left = 1 + random.below(5); left > 0; left -= 1) connection.send(attempt(random));
  if (random.chance(0.5)) connection.socket.write(Buffer.from([random.below(256)]));
  if (random.chance(0.5)) connection.socket.end();
  else connection.close();
  while ((await connection.receive()) !== undefined);
}

describe('strangers', () => {
  it('get nothing that is larger than what they sent, and no records, whatever they send', async () => {
    const primary = await opened();
    const random = new Random(8945);
    for (let count = 0; count < runs(1500, 800); count += 1) {
      const question = attempt(random);
      const isSilent = question.length < 12 || question[2]! >= 128 || isNotice(question);
      const answer = isSilent ? undefined : await exchange(primary.address, question, 30_000);
      if (isSilent) continue;
      expect(answer, question.toString('hex')).toBeDefined();
      expect(answer!.length, question.toString('hex')).toBeLessThanOrEqual(question.length);
      expect(decodeAnswer(answer!).answers).toEqual([]);
      expect(answer!.readUInt16BE(0)).toBe(question.readUInt16BE(0));
    }
    const { header } = await askByUdp(primary.address, { name: NAME, type: 'SOA', key: wireKey(KNOWN) });
    expect(header.rcode).toBe(0);
    expect(primary.errors).toEqual([]);
  });

  it('get FORMERR if the name that they ask for is a pointer', async () => {
    const { address } = await opened();
    // The name is a pointer to the head: its id begins a label of nine octets, its last count is the root.
    const question = Buffer.from('0900000000010000000000 00c00000060001'.replace(' ', ''), 'hex');
    expect((await exchange(address, question, 30_000))?.toString('hex')).toBe('090080010000000000000000');
  });

  it('harm nobody by TCP either', async () => {
    const primary = await opened();
    const random = new Random(5936);
    for (let count = 0; count < runs(200); count += 1) {
      await visit(primary, random);
    }
    const connection = await DnsConnection.open(primary.address);
    const { records } = await connection.transfer({ name: NAME, type: 'AXFR', key: wireKey(KNOWN) });
    expect(records).toHaveLength(3);
    connection.close();
    expect(primary.errors).toEqual([]);
  });
});
