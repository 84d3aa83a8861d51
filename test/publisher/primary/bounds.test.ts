import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { askByUdp, DnsConnection, encodeAsk } from '../../support/dns-client.ts';
import { until } from '../../support/eventually.ts';
import { itInFullRun } from '../../support/in-full-run.ts';
import { primaryFor, type TestPrimary } from '../../support/primary.ts';

const NAME = 'example.com.';
const AXFR = { name: NAME, type: 'AXFR' } as const;
const SOA = { name: NAME, type: 'SOA' } as const;
/** More than all buffers between two sockets hold. */
const HUGE = 120_000;

function* recordsets(count: number) {
  yield [NAME, 'NS', ['ns1.test.']] as const;
  for (let index = 0; index < count; index += 1) {
    yield [`host-${index}.example.com.`, 'TXT', [`"${'x'.repeat(200)}"`]] as const;
  }
}

async function opened(settings = {}, count = 1) {
  const primary = await primaryFor({}, { allowNetworks: ['127.0.0.1'], ...settings });
  primary.zones.publish({ name: NAME, serial: 5 }, recordsets(count));
  return primary;
}

/** Makes every page of a transfer wait; the return value lets them go. */
function holdPages(primary: TestPrimary): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  primary.zones.beforePage = () => held;
  return release;
}

/** Asks for a transfer, and reads it when told to. */
async function ask(primary: TestPrimary): Promise<{ read(): ReturnType<DnsConnection['readTransfer']> }> {
  const connection = await DnsConnection.open(primary.address);
  const question = encodeAsk(AXFR);
  connection.send(question.octets);
  return { read: () => connection.readTransfer(AXFR, question).finally(() => connection.close()) };
}

describe('transfers', () => {
  it.each([
    ['in all', { maxTransfers: 2 }],
    ['to one server', { maxTransfersPerServer: 2 }],
  ])('run so many at once %s, and the others wait for their turn', async (_, settings) => {
    const primary = await opened(settings);
    const release = holdPages(primary);
    const asked = await Promise.all([1, 2, 3, 4].map(() => ask(primary)));
    await until(() => expect(primary.zones.openStates).toBe(2));
    expect((await askByUdp(primary.address, SOA)).header.rcode).toBe(0);
    expect(primary.zones.openStates).toBe(2);
    release();
    const transfers = await Promise.all(asked.map(({ read }) => read()));
    expect(transfers.map(({ rcode }) => rcode)).toEqual([0, 0, 0, 0]);
  });

  it('are refused if too many wait already', async () => {
    const primary = await opened({ maxTransfers: 1, maxWaitingTransfers: 1 });
    const release = holdPages(primary);
    const first = await ask(primary);
    await until(() => expect(primary.zones.openStates).toBe(1));
    const others = await Promise.all([1, 2].map(() => ask(primary)));
    const answers = others.map(({ read }) => read());
    expect((await Promise.race(answers)).rcode).toBe(RCODE.REFUSED);
    release();
    const rcodes = [...(await Promise.all(answers)), await first.read()].map(({ rcode }) => rcode);
    expect(rcodes.sort()).toEqual([0, 0, RCODE.REFUSED]);
  });

  it('are refused if they have waited for too long', async () => {
    const primary = await opened({ maxTransfers: 1, transferWaitMs: 50 });
    const release = holdPages(primary);
    const first = await ask(primary);
    await until(() => expect(primary.zones.openStates).toBe(1));
    expect((await (await ask(primary)).read()).rcode).toBe(RCODE.REFUSED);
    release();
    expect((await first.read()).rcode).toBe(0);
  });

  itInFullRun('that nobody reads are not read from the store either, and are closed', async () => {
    const primary = await opened({ minTransferRate: 1_000_000, rateWindowMs: 500 }, HUGE);
    let pages = 0;
    primary.zones.beforePage = async () => {
      pages += 1;
    };
    const { read } = await ask(primary);
    await until(() => expect(primary.zones.openStates).toBe(1));
    await until(() => expect(primary.zones.openStates).toBe(0));
    expect(pages).toBeLessThan(HUGE / primary.zones.pageSize);
    await expect(read()).rejects.toThrow('closed within a transfer');
    expect(primary.completed).toEqual([]);
  });

  it('that take too long are closed', async () => {
    const primary = await opened({ maxTransferMs: 300 }, HUGE);
    const { read } = await ask(primary);
    await until(() => expect(primary.zones.openStates).toBe(1));
    await until(() => expect(primary.zones.openStates).toBe(0));
    await expect(read()).rejects.toThrow('closed within a transfer');
  });

  it('end with the primary', async () => {
    const primary = await opened({}, HUGE);
    const { read } = await ask(primary);
    await until(() => expect(primary.zones.openStates).toBe(1));
    await primary.stop();
    expect(primary.zones.openStates).toBe(0);
    await expect(read()).rejects.toThrow('closed within a transfer');
  });
});

describe('connections', () => {
  const closed = async (connection: DnsConnection): Promise<boolean> =>
    (await connection.receive()) === undefined;
  async function isAnswered(primary: TestPrimary): Promise<boolean> {
    const connection = await DnsConnection.open(primary.address);
    connection.send(encodeAsk(SOA).octets);
    return !(await closed(connection));
  }

  it('of one address are so many at most', async () => {
    const primary = await opened({ maxConnectionsPerClient: 2 });
    const first = await DnsConnection.open(primary.address);
    const second = await DnsConnection.open(primary.address);
    expect(await closed(await DnsConnection.open(primary.address))).toBe(true);
    expect((await second.ask(SOA)).header.rcode).toBe(0);
    first.close();
    await until(async () => expect(await isAnswered(primary)).toBe(true));
  });

  it('that are closed count while their messages wait', async () => {
    const primary = await opened({ maxConnectionsPerClient: 2 });
    const release = holdPages(primary);
    for (const count of [1, 2]) {
      const connection = await DnsConnection.open(primary.address);
      connection.send(encodeAsk(AXFR).octets);
      await until(() => expect(primary.zones.openStates).toBe(count));
      connection.socket.resetAndDestroy();
      await once(connection.socket, 'close');
    }
    // By then, the primary has seen that they are closed.
    expect((await askByUdp(primary.address, SOA)).header.rcode).toBe(0);
    expect(await isAnswered(primary)).toBe(false);
    release();
    await until(async () => expect(await isAnswered(primary)).toBe(true));
  });

  it('of strangers make room for others', async () => {
    const primary = await opened({ maxConnections: 2 });
    const known = await DnsConnection.open(primary.address);
    await known.ask(SOA);
    const stranger = await DnsConnection.open(primary.address);
    const late = await DnsConnection.open(primary.address);
    expect((await late.ask(SOA)).header.rcode).toBe(0);
    expect(await closed(stranger)).toBe(true);
    expect((await known.ask(SOA)).header.rcode).toBe(0);
    expect(await closed(await DnsConnection.open(primary.address))).toBe(true);
  });

  it('that ask nothing for a while are closed', async () => {
    const primary = await opened({ idleMs: 100 });
    const connection = await DnsConnection.open(primary.address);
    expect(await closed(connection)).toBe(true);
  });

  it('whose message does not come to its end are closed', async () => {
    const primary = await opened({ messageMs: 100 });
    const connection = await DnsConnection.open(primary.address);
    connection.socket.write(Buffer.from([255, 255, 0, 0, 0]));
    expect(await closed(connection)).toBe(true);
  });

  it('that are reset harm nobody', async () => {
    const primary = await opened();
    for (let count = 0; count < 20; count += 1) {
      const connection = await DnsConnection.open(primary.address);
      connection.send(encodeAsk(AXFR).octets);
      connection.socket.resetAndDestroy();
      await once(connection.socket, 'close');
    }
    const connection = await DnsConnection.open(primary.address);
    expect((await connection.ask(SOA)).header.rcode).toBe(0);
    await until(() => expect(primary.zones.openStates).toBe(0));
  });
});

describe('a client that ends in the middle of what it sends', () => {
  it.each([
    ['one octet of a length', [0]],
    ['a length of 0 and some octets', [0, 0, 1, 2, 3, 4, 5]],
    ['a length of 0, and nothing', [0, 0]],
    ['less than a header', [0, 3, 1, 2, 3]],
    ['less than the length says', [0, 100, 1, 2, 3]],
  ])('with %s is let go, and others are answered', async (_, octets) => {
    const primary = await opened();
    const socket = connect(primary.address.port, primary.address.host);
    socket.end(Buffer.from(octets));
    socket.resume();
    await once(socket, 'close');
    expect((await askByUdp(primary.address, SOA)).header.rcode).toBe(RCODE.NOERROR);
  });
});
