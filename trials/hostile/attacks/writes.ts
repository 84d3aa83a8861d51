import { type ClientRequest, request } from 'node:http';
import { type Attack, atOnce, pause } from '../attack.ts';
import { MANY, makeZone, type Site } from '../site.ts';

const STRING = `"${'x'.repeat(250)}"`;
const DNS = { 'content-type': 'text/dns' };

/** A name of letters beyond ASCII, another one for each number. */
const wideName = (at: number): string =>
  `${Array.from({ length: 12 }, (_, place) => String.fromCodePoint(0x4e00 + ((at * 31 + place * place) % 5000))).join('')}.example.`;

/** Posts one recordset again and again. */
function posting(name: string, title: string, makeBody: () => string): Attack {
  return {
    name,
    title,
    async prepare(site) {
      const attacker = site.client('attacker');
      const path = `/v2/zones/${await makeZone(attacker, 'hostile.example.')}/recordsets`;
      const body = makeBody();
      return async (answers) => void (await answers.ask(attacker, 'POST', path, body));
    },
  };
}

const records = (count: number, record: (at: number) => string) =>
  JSON.stringify({
    name: 'a.hostile.example.',
    type: 'NS',
    records: Array.from({ length: count }, (_, at) => record(at)),
  });

const idempotency: Attack = {
  name: 'idempotency',
  title: 'a create of 60 kB with an `Idempotency-Key`, and its deletion, in turns',
  async prepare(site) {
    const attacker = site.client('attacker');
    const path = `/v2/zones/${await makeZone(attacker, 'hostile.example.')}/recordsets`;
    const texts = Array.from({ length: 18 }, (_, at) => `"${at}" ${`${STRING} `.repeat(13)}`);
    const body = { name: 'hostile.example.', type: 'TXT', records: texts };
    let key = 0;
    return async (answers) => {
      const text = await answers.ask(attacker, 'POST', path, body, { 'idempotency-key': `key-${++key}` });
      const { id } = text === '' ? {} : JSON.parse(text);
      if (id !== undefined) await answers.ask(attacker, 'DELETE', `${path}/${id}`);
    };
  },
};

const LARGE_FILE = 2_000_000;

/** Announces a large file, and sends so much of it. */
function hold(site: Site, project: string, bytes: number): ClientRequest {
  const headers = { 'x-auth-token': site.token(project), ...DNS, 'content-length': LARGE_FILE };
  const holding = request(new URL('/v2/zones/tasks/imports', site.service.url), { method: 'POST', headers });
  holding.on('error', () => {});
  holding.write(Buffer.alloc(bytes, ';'));
  return holding;
}

/** Four sockets of two projects stop within large files; a third project imports such a file, until it is taken. */
function holdingPlaces(name: string, title: string, bytes: number): Attack {
  return {
    name: `held-places-${name}`,
    title: `four sockets that stop after ${title} of a large file, while a third project imports one`,
    async prepare(site) {
      const third = site.client('third');
      for (const project of ['one', 'two']) site.token(project);
      return async (answers, round) => {
        const sockets = ['one', 'two', 'one', 'two'].map((project) => hold(site, project, bytes));
        await pause(1000);
        const began = performance.now();
        const zone = `third-${round}.example.`;
        const file = `$ORIGIN ${zone}\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n; ${'x'.repeat(LARGE_FILE)}\n`;
        // The least rate is looked at every 5 s: nobody who has stopped keeps a place for longer than two of them.
        for (
          let text = '';
          !text.includes('"COMPLETE"') && performance.now() - began < 70_000;
          await pause(500)
        ) {
          text = await answers.ask(third, 'POST', '/v2/zones/tasks/imports', file, DNS);
        }
        answers.note(`the third waited ${((performance.now() - began) / 1000).toFixed(1)} s`);
        for (const socket of sockets) socket.destroy();
      };
    },
  };
}

const smallImports: Attack = {
  name: 'small-imports',
  title: 'imports of 900 kB, 8 at once, each a zone of 480 recordsets, and their deletion',
  async prepare(site) {
    const attacker = site.client('attacker', 8);
    const lines = Array.from({ length: 480 }, (_, at) => `h${at} 60 TXT ${`${STRING} `.repeat(7)}\n`).join(
      '',
    );
    return async (answers, round) => {
      await atOnce(8, async (at) => {
        const name = `hostile-${round}-${at}.example.`;
        const file = `$ORIGIN ${name}\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n${lines}`;
        const text = await answers.ask(attacker, 'POST', '/v2/zones/tasks/imports', file, DNS);
        const id = text === '' ? undefined : JSON.parse(text).zone_id;
        if (id != null) await answers.ask(attacker, 'DELETE', `/v2/zones/${id}`);
      });
    };
  },
};

const deletion: Attack = {
  name: 'deletion',
  title: 'a zone of 100,000 recordsets imported and deleted, in turns',
  async prepare(site) {
    await site.allow('attacker', MANY);
    const attacker = site.client('attacker');
    const lines = Array.from({ length: 100_000 }, (_, at) => `h${at} 1 A 1.1.1.1\n`).join('');
    return async (answers, round) => {
      const file = `$ORIGIN hostile-${round}.example.\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n${lines}`;
      const text = await answers.ask(attacker, 'POST', '/v2/zones/tasks/imports', file, DNS);
      const id = text === '' ? undefined : JSON.parse(text).zone_id;
      if (id != null) await answers.ask(attacker, 'DELETE', `/v2/zones/${id}`);
    };
  },
};

export const WRITE_ATTACKS: readonly Attack[] = [
  posting('wide-records', 'a recordset of 1 MB with 11,000 NS records beyond ASCII', () =>
    records(11_000, (at) => `${at}${wideName(at)}`),
  ),
  posting(
    'json-deep',
    'a body of 1 MB that nests 500,000 arrays',
    () => '['.repeat(500_000) + ']'.repeat(500_000),
  ),
  posting('json-keys', 'a body of 1 MB with 90,000 unknown keys', () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`k${at}`, 0]))),
  ),
  posting('json-short', 'a body of 1 MB with 250,000 records of one character', () =>
    records(250_000, () => 'a'),
  ),
  idempotency,
  holdingPlaces('byte', 'one byte', 1),
  holdingPlaces('stopped', '1.2 MB', 1_200_000),
  smallImports,
  deletion,
];
