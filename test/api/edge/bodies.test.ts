/** How much bodies of requests may take, of whom, and for how long. */
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const SECTION = 'ZONEWARDEN_SERVICE_API__';
const SIZE = 60_000;
/** Room for four bodies; of one project for two. */
const SMALL = { MAX_REQUEST_BODY_SIZE: '65536', MAX_TOTAL_BODY_SIZE: '262144' };
/** How many bodies of one project wait at most. */
const MAX_WAITING = 64;

let service: TestService;
const opened: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  await service.remove();
});

async function start(options: Record<string, string>): Promise<void> {
  const named = Object.entries(options).map(([name, value]) => [`${SECTION}${name}`, value]);
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1', ...Object.fromEntries(named) });
}

async function open(localAddress?: string): Promise<RawConnection> {
  const client = await RawConnection.open(service.url, localAddress);
  opened.push(client);
  return client;
}

let created = 0;
/** A create of a zone in so many bytes. */
function body(size = SIZE): string {
  created += 1;
  return JSON.stringify({ name: `n${created}.example.`, email: 'a@example.org' }).padEnd(size);
}

interface Sending {
  readonly token?: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly from?: string;
}

/** Sends the head of a create and the beginning of its body. */
async function begin(text: string, sent: number, sending: Sending = {}): Promise<RawConnection> {
  const { token = service.admin, path = '/v2/zones', method = 'POST', headers, from } = sending;
  const client = await open(from);
  client.writeHead(method, path, {
    'X-Auth-Token': token,
    'Content-Type': 'application/json',
    'Content-Length': text.length,
    ...headers,
  });
  client.write(text.slice(0, sent));
  return client;
}

/**
 * Goes on sending a body at twice the rate that a body must have.
 * @returns what sends the rest
 */
function goOn(client: RawConnection, text: string, begun: number): () => void {
  const start = performance.now();
  let sent = begun;
  const sendUpTo = (end: number) => {
    client.write(text.slice(sent, end));
    sent = end;
  };
  const timer = setInterval(() => {
    if (client.isClosed) clearInterval(timer);
    else sendUpTo(Math.min(text.length - 1, begun + Math.ceil(2 * (performance.now() - start))));
  }, 1000);
  return () => {
    clearInterval(timer);
    sendUpTo(text.length);
  };
}

const create = (token: string, size?: number): Promise<RawConnection> => {
  const text = body(size);
  return begin(text, text.length, { token });
};

/** Waits until the callers of whatever was sent before are known: a create takes longer than that. */
async function settled(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    expect(await (await create(service.admin, 1000)).answered()).toBe(202);
  }
}

/** Two bodies of a project that do not end: its whole share. */
async function fill(token: string): Promise<RawConnection[]> {
  await settled();
  const filling = await Promise.all([1, 2].map(() => begin(body(), SIZE - 1, { token })));
  await settled();
  return filling;
}

describe('the bodies of one project', () => {
  it('take at most half of the room: those beyond it wait, and others are served', async () => {
    await start(SMALL);
    const [one, other] = [await service.token('one', 'member'), await service.token('other', 'member')];
    const filling = await fill(one);
    const third = await create(one);
    // What still fits is served at once.
    expect(await (await create(one, 1000)).answered()).toBe(202);
    for (let round = 0; round < 5; round += 1) expect(await (await create(other)).answered()).toBe(202);
    expect([third, ...filling].flatMap(({ statuses }) => statuses)).toEqual([]);
    filling[0]!.write(' ');
    expect([await filling[0]!.answered(), await third.answered()]).toEqual([202, 202]);
    expect(filling[1]!.statuses).toEqual([]);
  });

  it('give their room back when the client goes away, also while they wait', async () => {
    await start(SMALL);
    const token = await service.token('one', 'member');
    for (let round = 0; round < 3; round += 1) {
      const filling = await fill(token);
      const waiting = await begin(body(), 1, { token });
      // It has begun to wait, and the service knows that it has gone, when others have been answered.
      expect(await (await create(service.admin)).answered()).toBe(202);
      waiting.socket.destroy();
      expect(await (await create(service.admin)).answered()).toBe(202);
      for (const { socket } of filling) socket.destroy();
    }
    const [first, second] = [await create(token), await create(token)];
    expect([await first.answered(), await second.answered()]).toEqual([202, 202]);
  });

  it('are refused when too many of them wait, on connections that serve on', async () => {
    await start(SMALL);
    const [one, other] = [await service.token('one', 'member'), await service.token('other', 'member')];
    await fill(one);
    const more = await Promise.all(Array.from({ length: MAX_WAITING + 6 }, () => create(one)));
    const refused = () => more.filter(({ statuses }) => statuses.length > 0);
    await until(() => expect(refused()).toHaveLength(6));
    for (const { received, statuses } of refused()) {
      expect(statuses).toEqual([503]);
      expect(received).toMatch(/retry-after: \d/i);
      expect(received).toContain('"type":"service_unavailable"');
    }
    const [again] = refused();
    again!.writeHead('GET', '/v2/zones', { 'X-Auth-Token': one });
    expect(await again!.answered(2)).toBe(200);
    expect(await (await create(other)).answered()).toBe(202);
  });

  it('of unknown size take as much as they may have', async () => {
    await start(SMALL);
    const token = await service.token('one', 'member');
    const chunked = { 'Transfer-Encoding': 'chunked' };
    const open = async () => {
      const client = await RawConnection.open(service.url);
      opened.push(client);
      client.writeHead('POST', '/v2/zones', {
        'X-Auth-Token': token,
        'Content-Type': 'application/json',
        ...chunked,
      });
      return client;
    };
    await settled();
    const [first, second] = [await open(), await open()];
    await settled();
    const third = await open();
    const send = (client: RawConnection) => {
      const text = body(100);
      client.write(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`);
    };
    send(third);
    expect(await (await create(await service.token('other', 'member'))).answered()).toBe(202);
    expect(third.statuses).toEqual([]);
    send(first);
    expect([await first.answered(), await third.answered()]).toEqual([202, 202]);
    send(second);
    expect(await second.answered()).toBe(202);
  });
});

it('what its head refuses takes no room for its body', async () => {
  await start(SMALL);
  const token = await service.token('one', 'member');
  const large = body(200_000);
  const refusals: [number, Sending, string][] = [
    [401, { token: 'wrong' }, body()],
    [401, { path: '/v2/blacklists' }, body()],
    [404, { path: '/v2/nothing' }, body()],
    [405, { method: 'PUT' }, body()],
    [415, { headers: { 'Content-Type': 'text/plain' } }, body()],
    [413, {}, large],
    [413, { path: '/v2/zones/tasks/imports' }, large],
  ];
  for (const [status, sending, text] of refusals) {
    for (let count = 0; count < 3; count += 1) {
      expect(await (await begin(text, 100, { token, ...sending })).answered()).toBe(status);
    }
  }
  const [first, second] = [await begin(body(), 1, { token }), await create(token)];
  expect(await second.answered()).toBe(202);
  expect(first.statuses).toEqual([]);
});

it('of bodies that are refused so many are read to their end at a time; further connections are closed', async () => {
  await start({ REQUEST_TIMEOUT: '3600' });
  const most = 512;
  const text = body(1_000_000);
  const sending = { token: 'zw_wrong', from: '127.0.0.2' };
  const refuse = async () => {
    const client = await begin(text, 1000, sending);
    return { client, sendRest: goOn(client, text, 1000) };
  };
  const refused = await Promise.all(Array.from({ length: most + 20 }, refuse));
  await until(() => expect(refused.filter(({ client }) => client.isClosed)).toHaveLength(20));
  const { client: kept, sendRest } = refused.find(({ client }) => !client.isClosed)!;
  expect(await kept.answered()).toBeGreaterThan(400);
  sendRest();
  kept.writeHead('GET', '/v2/zones', { 'X-Auth-Token': service.admin });
  expect(await kept.answered(2)).toBe(200);
});

it('clients that disconnect while they send do not count among them', async () => {
  await start({ REQUEST_TIMEOUT: '3600' });
  for (let round = 0; round < 11; round += 1) {
    const sending = await Promise.all(Array.from({ length: 50 }, () => begin(body(), 1000)));
    await settled();
    for (const { socket } of sending) socket.destroy();
  }
  await settled();
  const refused = await begin(body(), 1000, { token: 'zw_wrong' });
  expect(await refused.answered()).toBe(401);
});

it('bodies of strangers are counted by their address', async () => {
  await start(SMALL);
  const login = JSON.stringify({ user: 'a', password: 'b' }).padEnd(16_000);
  const sending = { path: '/v2/login', token: '' };
  const filling = await begin(login, 1, { ...sending, from: '127.0.0.2' });
  const waiting = await begin(login, login.length, { ...sending, from: '127.0.0.2' });
  for (let round = 0; round < 5; round += 1) {
    expect(await (await begin(login, login.length, { ...sending, from: '127.0.0.3' })).answered()).toBe(404);
  }
  expect(await (await create(service.admin)).answered()).toBe(202);
  expect(waiting.statuses).toEqual([]);
  filling.write(login.slice(1));
  expect([await filling.answered(), await waiting.answered()]).toEqual([404, 404]);
});

describe('a body', () => {
  it('that has not arrived by its deadline is refused, however steadily it comes', async () => {
    await start({ REQUEST_TIMEOUT: '2' });
    const text = body(1_000_000);
    for (const [path, type] of [
      ['/v2/zones', 'application/json'],
      ['/v2/zones/tasks/imports', 'text/dns'],
    ] as const) {
      const client = await begin(text, 1, { path, headers: { 'Content-Type': type } });
      let sent = 1;
      const piece = 5000;
      // Five times as long as it may take.
      const timer = setInterval(() => {
        if (sent < text.length) client.write(text.slice(sent, sent + piece));
        sent += piece;
      }, 50);
      await client.closed();
      clearInterval(timer);
      expect(client.statuses).toEqual([408]);
      expect(sent).toBeLessThan(text.length);
    }
  });

  it('that hardly comes is refused long before its deadline', async () => {
    await start({ REQUEST_TIMEOUT: '3600' });
    const client = await begin(body(), 1);
    const timer = setInterval(() => client.write(' '), 100);
    await client.closed();
    clearInterval(timer);
    expect(client.statuses).toEqual([408]);
  });
});
