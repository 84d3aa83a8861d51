import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type Asked, type Dug, dig, serialAt, signedWith, transfer } from '../support/name-servers/dig.ts';
import { type Publishing, type ShownZone, startPublishing } from '../support/name-servers/publishing.ts';
import { run } from '../support/process.ts';

const NAME = 'shop.example.org.';
const NONE = 'none.example.org.';
const ZONE_SECRET = randomBytes(32).toString('base64');

let publishing: Publishing;
let primary: Asked;
let zone: ShownZone;
let other: ShownZone;

beforeAll(async () => {
  publishing = await startPublishing();
  // Nobody fetches anything here but the tests.
  await publishing.applyPool([{ host: '127.0.0.1', port: await freePort() }]);
  primary = { host: '127.0.0.1', port: publishing.upstream.port };
  zone = await publishing.makeZone(NAME);
  other = await publishing.makeZone('other.example.org.');
  const key = { name: 'zone-key', algorithm: 'hmac-sha256', scope: 'ZONE', resource_id: other.id };
  const made = await publishing.ask('POST', '/v2/tsigkeys', { ...key, secret: ZONE_SECRET });
  expect(made.status).toBe(201);
});
afterAll(() => publishing?.remove());

const rightKey = (): string[] => signedWith('pool-key', publishing.upstream.secret);

/** That the primary still does its work. */
async function expectWorking(): Promise<void> {
  const { records } = await transfer(primary, NAME, ...rightKey());
  expect(records.map(({ type }) => type)).toEqual(['SOA', 'NS', 'NS', 'SOA']);
}

/** What dig says of an answer, without what differs from one to the next. */
const shape = ({ text }: Dug): string =>
  text
    .replace(/id: \d+/, 'id')
    .replace(/ \d+ (\S+ \d+ \S*) ?\d* /g, ' $1 ')
    .replaceAll(/^;.*(TSIG|COOKIE).*$/gm, '');

describe('the hidden primary', () => {
  it('answers the SOA by UDP and TCP, and transfers the zone, to who has the key', async () => {
    for (const transport of ['+notcp', '+tcp']) {
      const { records, text } = await dig(primary, NAME, 'SOA', transport, ...rightKey());
      expect(records[0]).toMatchObject({ name: NAME, type: 'SOA' });
      expect(text).not.toMatch(/verify|validated/);
    }
    await expectWorking();
  });

  it.each<[string, () => string[], string]>([
    ['without a signature', () => [], 'REFUSED'],
    ['with a key that nobody knows', () => signedWith('nobody', ZONE_SECRET), 'NOTAUTH'],
    ['with a wrong secret', () => signedWith('pool-key', ZONE_SECRET), 'NOTAUTH'],
    ['with the key of another zone', () => signedWith('zone-key', ZONE_SECRET), 'REFUSED'],
    [
      'with the right secret under another algorithm',
      () => ['-y', `hmac-sha512:pool-key:${publishing.upstream.secret}`],
      'NOTAUTH',
    ],
  ])('refuses a question %s, and tells nobody whether there is such a zone', async (_, key, status) => {
    for (const question of [['SOA'], ['SOA', '+tcp'], ['AXFR'], ['IXFR=1'], ['A']]) {
      const there = await dig(primary, NAME, ...question, ...key());
      const missing = await dig(primary, NONE, ...question, ...key());
      expect([question, there.status, there.records]).toEqual([question, status, []]);
      expect(shape(there)).toBe(shape(missing));
    }
  });

  it('answers the key of a zone for that zone, and for neither another one nor the catalog', async () => {
    const key = signedWith('zone-key', ZONE_SECRET);
    expect((await transfer(primary, other.name, ...key)).records).toHaveLength(4);
    for (const name of [NAME, 'catalog.invalid.']) {
      expect((await dig(primary, name, 'AXFR', ...key)).status).toBe('REFUSED');
    }
  });

  it('refuses NOTIFY for a zone that has no masters', async () => {
    for (const name of [NAME, NONE]) {
      expect((await dig(primary, name, 'SOA', '+opcode=NOTIFY', ...rightKey())).status).toBe('REFUSED');
    }
  });

  it('changes nothing by STATUS, which is not implemented, or by UPDATE with a key for transfers', async () => {
    for (const [opcode, expected] of [
      ['UPDATE', 'REFUSED'],
      ['STATUS', 'NOTIMP'],
    ] as const) {
      const { status } = await dig(primary, NAME, 'SOA', `+opcode=${opcode}`, ...rightKey());
      expect([opcode, status]).toEqual([opcode, expected]);
    }
    const { port } = primary;
    const { secret } = publishing.upstream;
    const script = `server 127.0.0.1 ${port}\nzone ${NAME}\nkey hmac-sha256:pool-key ${secret}\nupdate add x.${NAME} 60 A 192.0.2.1\nsend\n`;
    const { status, err } = await run(['nsupdate'], { input: script });
    expect([status, err]).toEqual([2, expect.stringContaining('REFUSED')]);
    expect((await publishing.ask('GET', `/v2/zones/${zone.id}`)).json.serial).toBe(zone.serial);
  });

  it('goes on after datagrams that are no messages', async () => {
    const socket = createSocket('udp4');
    const question = Buffer.from('000101000001000000000000', 'hex');
    const hostile = [
      ...Array.from({ length: 200 }, (_, at) => randomBytes(at)),
      // Counts that lie, and a name that points to itself.
      Buffer.concat([question, randomBytes(3)]),
      Buffer.concat([Buffer.from('0001010000ff00ff00ff00ff', 'hex'), Buffer.from('c00c00060001', 'hex')]),
      Buffer.concat([question, Buffer.from('c00c00060001', 'hex')]),
    ];
    for (const message of hostile) socket.send(message, primary.port, primary.host);
    const answered = once(socket, 'message');
    // Whoever is sent an id gets FORMERR for what cannot be read.
    const [answer] = (await answered) as [Buffer];
    expect(answer[2]! & 0x80).toBe(0x80);
    socket.close();
    await expectWorking();
  });

  it('goes on after connections that say nonsense, nothing, or less than they promise', async () => {
    const open = Array.from({ length: 30 }, (_, at) => {
      const socket = connect(primary.port, primary.host);
      socket.on('error', () => {});
      if (at % 3 === 0) socket.write(randomBytes(2000));
      if (at % 3 === 1) socket.write(Buffer.from('ffff0001', 'hex'));
      return socket;
    });
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    await expectWorking();
    for (const socket of open) socket.destroy();
    expect(await serialAt(primary, NAME)).toBeUndefined();
    await expectWorking();
  });
});
