/** Who has a place when connections run out, and how long the head of a request may take. */
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { samplesIn } from '../../support/exposition.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const HALF_A_HEAD = 'GET /v2/zones HTTP/1.1\r\nHost: localhost\r\nX-Auth-';
const SECTION = 'ZONEWARDEN_SERVICE_API__';

let service: TestService;
const opened: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  await service.remove();
});

async function start(options: Record<string, string>): Promise<void> {
  const named = Object.entries(options).map(([name, value]) => [`${SECTION}${name}`, value]);
  service = await startTestService(Object.fromEntries(named));
}

async function open(localAddress: string): Promise<RawConnection> {
  const client = await RawConnection.open(service.url, localAddress);
  opened.push(client);
  return client;
}

async function openHalf(localAddress: string): Promise<RawConnection> {
  const client = await open(localAddress);
  client.write(HALF_A_HEAD);
  return client;
}

const answersOf = (client: RawConnection): number =>
  client.statuses.filter((status) => status === 200).length;

/** Sends a whole request, and waits for its answer. */
async function ask(client: RawConnection): Promise<void> {
  const before = answersOf(client);
  client.writeHead('GET', '/v2/zones', { 'X-Auth-Token': service.admin });
  await until(() => expect(answersOf(client)).toBe(before + 1));
}

/** Opens a connection on which a request of an authenticated caller was answered. */
async function openKnown(localAddress: string): Promise<RawConnection> {
  const client = await open(localAddress);
  await ask(client);
  return client;
}

/** Begins a request on the connection that waits for its body. */
async function beginRequest(client: RawConnection): Promise<void> {
  client.writeHead('POST', '/v2/zones', {
    'X-Auth-Token': service.admin,
    'Content-Type': 'application/json',
    'Content-Length': 10,
    Expect: '100-continue',
  });
  await until(() => expect(client.statuses).toContain(100));
}

/** How often connections were closed, by reason. The figures are a second old at most. */
const closings = (token = service.admin) =>
  service.request('GET', '/metrics', { token, headers: { connection: 'close' } }).then(({ text }) => {
    const samples = samplesIn(text).filter(({ name }) => name === 'zonewarden_http_connections_closed_total');
    return Object.fromEntries(samples.map(({ labels, value }) => [labels.reason, value]));
  });

describe('half-sent heads of one address', () => {
  it('take no more connections than one client may have: others get in', async () => {
    await start({ MAX_CONNECTIONS: '12', MAX_CONNECTIONS_PER_CLIENT: '4', HEADER_TIMEOUT: '3600' });
    const halves = await Promise.all(Array.from({ length: 10 }, () => openHalf('127.0.0.2')));
    await until(() => expect(halves.filter((half) => half.isClosed)).toHaveLength(6));
    await ask(await open('127.0.0.3'));
    expect(halves.filter((half) => half.isClosed)).toHaveLength(6);
    await until(async () =>
      expect(await closings()).toMatchObject({ client_limit: 6, evicted: 0, no_room: 0 }),
    );
    // The place of one that has gone is free.
    halves.find((half) => !half.isClosed)!.socket.destroy();
    await until(async () => {
      const next = await open('127.0.0.2');
      await Promise.race([ask(next), next.closed()]);
      expect(next.isClosed).toBe(false);
    });
  });

  it('of many addresses give way to others, too: the oldest is closed first', async () => {
    await start({ MAX_CONNECTIONS: '6', MAX_CONNECTIONS_PER_CLIENT: '2', HEADER_TIMEOUT: '3600' });
    const halves: RawConnection[] = [];
    for (const at of [2, 3, 4]) halves.push(await openHalf(`127.0.0.${at}`), await openHalf(`127.0.0.${at}`));
    await ask(await open('127.0.0.5'));
    await halves[0]!.closed();
    await ask(await open('127.0.0.6'));
    await halves[1]!.closed();
    expect(halves.slice(2).map((half) => half.isClosed)).toEqual([false, false, false, false]);
  });
});

it('a trusted proxy may have any number of connections, and they are never closed for others', async () => {
  await start({
    MAX_CONNECTIONS: '6',
    MAX_CONNECTIONS_PER_CLIENT: '2',
    HEADER_TIMEOUT: '3600',
    TRUSTED_PROXIES: '127.0.0.9',
  });
  const ofProxy: RawConnection[] = [];
  for (let at = 0; at < 5; at += 1) ofProxy.push(await openHalf('127.0.0.9'));
  for (const at of [2, 3, 4]) await ask(await open(`127.0.0.${at}`));
  for (const one of ofProxy) {
    one.write(`Token: ${service.admin}\r\n\r\n`);
    await until(() => expect(answersOf(one)).toBe(1));
  }
});

describe('when all connections are taken', () => {
  it('a stranger goes first, then the caller that has been idle for longest; nobody goes within a request', async () => {
    await start({ MAX_CONNECTIONS: '3', REQUEST_TIMEOUT: '3600', HEADER_TIMEOUT: '3600' });
    const known = await openKnown('127.0.0.2');
    const stranger = await openHalf('127.0.0.3');
    const second = await openKnown('127.0.0.4');
    // A wrong token makes nobody known.
    const third = await open('127.0.0.5');
    await stranger.closed();
    third.writeHead('GET', '/v2/zones', { 'X-Auth-Token': 'wrong' });
    expect(await third.answered()).toBe(401);
    const fourth = await openKnown('127.0.0.6');
    await third.closed();
    // All are known now: the one that was used last stays.
    await ask(known);
    const fifth = await openKnown('127.0.0.7');
    await second.closed();
    expect([known, fourth, fifth].map((one) => one.isClosed)).toEqual([false, false, false]);
    for (const one of [known, fourth, fifth]) await beginRequest(one);
    await (await open('127.0.0.8')).closed();
    expect([known, fourth, fifth].map((one) => one.isClosed)).toEqual([false, false, false]);
  });
});

describe('a head', () => {
  it('that is not whole in time is refused; a connection that waits for its next request stays', async () => {
    await start({ HEADER_TIMEOUT: '1' });
    const idle = await openKnown('127.0.0.2');
    const [half, silent] = [await openHalf('127.0.0.2'), await open('127.0.0.2')];
    for (const late of [half, silent]) {
      await late.closed();
      expect(late.received).toContain('HTTP/1.1 408');
      expect(late.received).toContain('request_timeout');
    }
    await ask(idle);
    idle.write(HALF_A_HEAD);
    await idle.closed();
    expect(idle.received).toContain('HTTP/1.1 408');
  });
});
