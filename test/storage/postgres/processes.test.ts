/** What holds for one process holds for several on one database, whichever of them is asked. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { later, systemClock } from '../../../src/model/clock.ts';
import { History } from '../../../trials/histories/history.ts';
import { until } from '../../support/eventually.ts';
import { type Cluster, startCluster } from '../../support/postgres/cluster.ts';
import { type Answer, commandsOn, type ServiceProcess } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';
import { runs } from '../../support/runs.ts';
import { storeOptions, storeSettings } from '../../support/store.ts';

const PROCESSES = 3;

let cluster: Cluster;
let admin: string;
let command: ReturnType<typeof commandsOn>;
beforeAll(async () => {
  cluster = await startCluster(PROCESSES, { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  command = commandsOn(cluster.dataDirs[0]!);
  admin = firstTokens(cluster)[0]!;
});
afterAll(() => cluster.remove());

/** The first admin tokens that were written down. */
function firstTokens({ dataDirs }: Cluster): string[] {
  const files = dataDirs.map((dataDir) => join(dataDir, 'admin.token'));
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8').trim());
}

async function tokenOf(project: string): Promise<string> {
  const create = ['token', 'create', '--project', project, '--role', 'member'];
  const { out } = await runHere(create, storeOptions(cluster.dataDirs[0]!));
  return out.trim();
}

const change = (method: string, path: string, body?: unknown): Promise<Answer> =>
  cluster.any().request(method, path, { token: admin, body });
const range = (count: number) => Array.from({ length: count }, (_, number) => number);

async function expectSound(): Promise<void> {
  expect(await command(['verify'])).toMatchObject({ status: 0, err: '' });
}

describe('the first admin token', () => {
  it('is made once when several processes start on one empty database, and works on all of them', async () => {
    expect(firstTokens(cluster)).toHaveLength(1);
    for (const service of cluster.processes) {
      expect((await service.request('GET', '/v2/zones', { token: admin })).status).toBe(200);
    }
    const { out } = await command(['token', 'list']);
    expect(out.trimEnd().split('\n').slice(1)).toHaveLength(1);
  });
});

describe('a pattern', () => {
  let member: string;
  let database: pg.Client;
  beforeAll(async () => {
    member = await tokenOf('tenant');
    database = new pg.Client(storeSettings(cluster.dataDirs[0]!).postgres!.connection);
    await database.connect();
  });
  afterEach(() => cluster.way.heal());
  afterAll(() => database.end());

  interface Attempt {
    readonly service: ServiceProcess;
    /** Whether the answer to the pattern had come when this request was sent. */
    readonly sentAfter: boolean;
    readonly name: string;
    readonly answer: Answer;
  }

  /** Requests that each client sends once the answer to the pattern has come. */
  const LATE_OF_A_CLIENT = 4;

  /** Creates names of one round on all processes until a pattern that matches them has been answered by one of them. */
  async function race(round: string, store: () => Promise<Answer>): Promise<Attempt[]> {
    const attempts: Attempt[] = [];
    let stored = false;
    const client = async (number: number): Promise<void> => {
      const service = cluster.processes[number % PROCESSES]!;
      for (let count = 0, late = 0; late < LATE_OF_A_CLIENT; count++) {
        const sentAfter = stored;
        if (sentAfter) late++;
        const name = `n${number}-${count}.round-${round}.org.`;
        attempts.push({ service, sentAfter, name, answer: await service.create(name, member) });
      }
    };
    const clients = range(18).map(client);
    await until(() => expect(attempts.length).toBeGreaterThanOrEqual(30));
    expect((await store()).status).toBeLessThan(300);
    stored = true;
    await Promise.all(clients);
    return attempts;
  }

  async function expectStrict(
    round: string,
    store: () => Promise<Answer>,
    message = 'Blacklisted domain name',
  ): Promise<void> {
    const attempts = await race(round, store);
    const late = attempts.filter(({ sentAfter }) => sentAfter);
    expect(new Set(late.map(({ service }) => service)).size).toBe(PROCESSES);
    for (const { answer } of late) {
      expect([answer.status, answer.json.message]).toEqual([400, message]);
    }
    for (const { answer } of attempts) expect([202, 400]).toContain(answer.status);
    const created = attempts.filter(({ answer }) => answer.status === 202).map(({ name }) => name);
    expect(created.length).toBeGreaterThan(0);
    const path = `/v2/zones?limit=max&sort_key=name&name=*.round-${round}.org.`;
    const { json } = await cluster.any().request('GET', path, { token: member });
    expect(json.metadata.total_count).toBe(created.length);
    expect(json.zones.map(({ name }: { name: string }) => name)).toEqual(created.sort().slice(0, 1000));
  }

  const post = (pattern: string) => change('POST', '/v2/blacklists', { pattern });

  it('holds on every process from the answer to POST /v2/blacklists on one of them, under load on all', async () => {
    for (const round of range(runs(3)))
      await expectStrict(`p${round}`, () => post(`\\.round-p${round}\\.org\\.$`));
  });

  it('holds on every process from the answer to PATCH on', async () => {
    for (const round of range(runs(2))) {
      const { id } = (await post(`^nothing-yet-${round}\\.$`)).json;
      const body = { pattern: `\\.round-c${round}\\.org\\.$` };
      await expectStrict(`c${round}`, () => change('PATCH', `/v2/blacklists/${id}`, body));
    }
  });

  it('holds on every process from the answer to a change of its mode, expiry or exceptions on', async () => {
    const changes = {
      mode: [{ mode: 'audit' }, { mode: 'enforce' }],
      expiry: [{ expires_at: '2001-01-01T00:00:00' }, { expires_at: '2999-01-01T00:00:00' }],
      exceptions: [{ exceptions: [{ project_id: 'tenant' }] }, { exceptions: null }],
    };
    for (const [round, [before, after]] of Object.entries(changes)) {
      const entry = { pattern: `\\.round-${round}\\.org\\.$`, ...before };
      const { id } = (await change('POST', '/v2/blacklists', entry)).json;
      await expectStrict(round, () => change('PATCH', `/v2/blacklists/${id}`, after));
    }
  });

  it('expires once, whichever process ends it, and holds on all for zones that are created before', async () => {
    const expiresAt = later(systemClock().now(), 3000);
    const ids: string[] = [];
    for (const number of range(20)) {
      const entry = { pattern: `(^|\\.)ends-${number}\\.org\\.$`, expires_at: expiresAt };
      ids.push((await change('POST', '/v2/blacklists', entry)).json.id);
    }
    const told = () =>
      cluster.processes
        .flatMap(({ log }) => log)
        .filter(({ event }) => event === 'blacklist.expired')
        .map(({ blacklist }) => blacklist)
        .filter((id) => ids.includes(id as string));
    const clients = cluster.processes.map(async (service, process) => {
      for (let count = 0; told().length < ids.length; count++) {
        const { status, json } = await service.create(`n${process}-${count}.ends-${count % 20}.org.`, member);
        expect([202, 400]).toContain(status);
        if (status === 202) expect(json.created_at >= expiresAt).toBe(true);
      }
    });
    await Promise.all(clients);
    expect(told().sort()).toEqual(ids.sort());
    for (const id of ids) expect((await change('GET', `/v2/blacklists/${id}`)).status).toBe(200);
    // Another one is told of after all that could be told of these again.
    const entry = { pattern: '^ends-at-last\\.org\\.$', expires_at: expiresAt };
    const { id: last } = (await change('POST', '/v2/blacklists', entry)).json;
    ids.push(last);
    await until(() => expect(told().includes(last)).toBeTruthy());
    expect(told()).toHaveLength(ids.length);
  });

  it('holds for every zone that is created once an exception is over, on a process that is slow to reach the database too', async () => {
    const slow = cluster.processes.at(-1)!;
    const ending = later(systemClock().now(), 10_000);
    const exceptions = [{ project_id: 'tenant', expires_at: ending }];
    await change('POST', '/v2/blacklists', { pattern: '^n\\.lapse-', exceptions });
    // A create that was judged before the end of the exception may come to its transaction after it.
    cluster.way.delay(50);
    const created: string[] = [];
    const clients = range(12).map(async (number) => {
      for (let count = 0; ; count++) {
        const { status, json } = await slow.create(`n.lapse-${number}-${count}.org.`, member);
        if (status === 400) return;
        expect(status).toBe(202);
        created.push(json.created_at);
      }
    });
    await Promise.all(clients);
    expect(created.length).toBeGreaterThan(0);
    for (const createdAt of created) expect(createdAt < ending).toBe(true);
  });

  it('holds on every process as a TLD does from the answer to its change on', async () => {
    const tlds = (method: string, path: string, body?: object) => change(method, `/v2/tlds${path}`, body);
    for (const round of range(runs(2))) {
      const { id: net } = (await tlds('POST', '', { name: 'net' })).json;
      const { id } = (await tlds('POST', '', { name: 'org' })).json;
      await expectStrict(`gone-${round}`, () => tlds('DELETE', `/${id}`), 'Invalid TLD');
      await tlds('DELETE', `/${net}`);
      await expectStrict(`first-${round}`, () => tlds('POST', '', { name: 'com' }), 'Invalid TLD');
      for (const { id } of (await tlds('GET', '')).json.tlds) await tlds('DELETE', `/${id}`);
    }
  });

  it('holds on every process from the end of an import on the command line', async () => {
    const importing = async (): Promise<Answer> => {
      const input = range(500).map((number) => `^other-${number}\\.org\\.$`);
      const lines = [...input, '\\.round-import\\.org\\.$'].join('\n');
      const { status, err } = await command(['blacklist', 'import', '-'], { input: lines });
      expect(err).toBe('');
      return { status: status!, headers: new Headers(), json: undefined };
    };
    await expectStrict('import', importing);
  });

  it('comes after every create that was under way and succeeded, on a process that is slow to reach the database too', async () => {
    const slow = cluster.processes.at(-1)!;
    // Between what a create reads and its commit lies this time, in which a pattern can be stored on another process.
    cluster.way.delay(50);
    for (const round of range(3)) {
      const matching = async () => {
        const { rows } = await database.query('select name from zones where name like $1', [
          `n.slow-${round}-%`,
        ]);
        return rows.map(({ name }) => name).sort();
      };
      let isStored = false;
      let created = 0;
      const clients = range(12).map(async (number) => {
        for (let count = 0; !isStored; count++) {
          // Of different second labels, so that they do not wait for one another.
          const name = `n.slow-${round}-${number}-${count}.org.`;
          const { status } = await slow.create(name, member);
          expect([202, 400]).toContain(status);
          if (status === 202) created++;
        }
      });
      await until(() => expect(created).toBeGreaterThanOrEqual(12));
      // A pattern, and once a TLD that none of the names is below.
      const [path, body] =
        round === 0 ? ['/v2/tlds', { name: 'com' }] : ['/v2/blacklists', { pattern: `^n\\.slow-${round}-` }];
      const answer = await cluster.processes[0]!.request('POST', path, { token: admin, body });
      const committed = await matching();
      expect(answer.status).toBe(201);
      isStored = true;
      await Promise.all(clients);
      expect(await matching()).toEqual(committed);
      expect(committed).toHaveLength(created);
      if (round === 0) await change('DELETE', `/v2/tlds/${answer.json.id}`);
    }
  });

  it('that is removed on one refuses nothing on any other once that is acknowledged', async () => {
    for (const round of range(10)) {
      const { id } = (await post(`^back-${round}\\.net\\.$`)).json;
      for (const service of cluster.processes) {
        expect((await service.create(`back-${round}.net.`, member)).status).toBe(400);
      }
      expect((await change('DELETE', `/v2/blacklists/${id}`)).status).toBe(204);
      const answers = await Promise.all(
        cluster.processes.map((service) => service.create(`back-${round}.net.`, member)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    }
  });

  it('is stored once when the same text is posted on all at the same moment', async () => {
    for (const round of range(10)) {
      const body = { pattern: `^twice-${round}\\.net\\.$` };
      const answers = await Promise.all(
        cluster.processes.map((service) => service.request('POST', '/v2/blacklists', { token: admin, body })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    }
  });
});

describe('a quota', () => {
  it('of zones is used up exactly, whichever process each create is sent to', async () => {
    const projects = ['red', 'green'];
    const tokens = await Promise.all(projects.map(tokenOf));
    for (const project of projects) await change('PATCH', `/v2/quotas/${project}`, { zones: 20 });
    const creates = range(80).map(async (number) => {
      const which = number % 2;
      const name = `zone-${number}.${projects[which]}.example.`;
      return { which, answer: await cluster.next().create(name, tokens[which]!) };
    });
    const answers = await Promise.all(creates);
    for (const which of [0, 1]) {
      const statuses = answers.filter((one) => one.which === which).map(({ answer }) => answer.status);
      expect(statuses.sort()).toEqual([...Array(20).fill(202), ...Array(20).fill(413)]);
      const path = `/v2/quotas/${projects[which]}/usage`;
      expect((await cluster.next().request('GET', path, { token: admin })).json.usage.zones).toBe(20);
    }
  });

  it('is never exceeded, and never refused while there is room, in many parallel operations on all processes', async () => {
    const ids = ['cyan', 'pink', 'gold'];
    const projects = await Promise.all(ids.map(async (id) => ({ id, token: await tokenOf(id) })));
    const operations = runs(1250);
    const { faults, refusals, byKind } = await new History({
      client: { request: (method, path, request) => cluster.next().request(method, path, request) },
      admin,
      projects,
      operations,
      parallel: 24,
      seed: 2,
    }).run();
    expect(faults).toEqual([]);
    expect(refusals).toBeGreaterThan(operations / 25);
    expect(Object.keys(byKind)).toHaveLength(17);
  }, 600_000);

  it('of recordsets of a zone is used up exactly', async () => {
    const token = await tokenOf('grey');
    await change('PATCH', '/v2/quotas/grey', { zone_recordsets: 15 });
    const { id } = (await cluster.next().create('grey.example.', token)).json;
    const creates = range(40).map((number) => {
      const body = { name: `r${number}.grey.example.`, type: 'A', records: ['192.0.2.1'] };
      return cluster.next().request('POST', `/v2/zones/${id}/recordsets`, { token, body });
    });
    const statuses = (await Promise.all(creates)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(15).fill(202), ...Array(25).fill(413)]);
  });

  it('that is lowered on one process holds on the others from its answer on', async () => {
    const token = await tokenOf('white');
    for (const round of range(10)) {
      await change('PATCH', '/v2/quotas/white', { zones: -1 });
      const name = (number: number) => `z${round}-${number}.white.example.`;
      expect((await cluster.any().create(name(0), token)).status).toBe(202);
      await change('PATCH', '/v2/quotas/white', { zones: 0 });
      const late = await Promise.all(
        cluster.processes.map((one, number) => one.create(name(number + 1), token)),
      );
      expect(late.map(({ status }) => status)).toEqual([413, 413, 413]);
    }
  });
});

describe('names created at the same moment on different processes', () => {
  let tokens: string[];
  beforeAll(async () => {
    tokens = await Promise.all(['north', 'south'].map(tokenOf));
  });

  it.each([
    [
      'a zone and one right below it',
      (round: number) => [`r${round}.near.org.`, `below.r${round}.near.org.`],
    ],
    [
      'a zone and one deep below it',
      (round: number) => [`r${round}.far.org.`, `a.b.c.d.e.r${round}.far.org.`],
    ],
  ])('%s, of two tenants: one is created, the other refused', async (_, namesOf) => {
    let below = 0;
    for (const round of range(60)) {
      const names = namesOf(round);
      // Each of the two is the first to be sent in turn, and each process has its turn with each.
      const order = round % 2 === 0 ? [0, 1] : [1, 0];
      const answers = await Promise.all(
        order.map((which) => cluster.next().create(names[which]!, tokens[which]!)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 403]);
      if (answers[order.indexOf(1)]!.status === 202) below++;
    }
    // It is not the order alone that decides, or nothing was tried.
    expect(below).toBeGreaterThan(0);
    expect(below).toBeLessThan(60);
  });

  it('the same name: one is created', async () => {
    for (const round of range(40)) {
      const answers = await Promise.all(
        range(PROCESSES).map((number) => cluster.next().create(`r${round}.same.org.`, tokens[number % 2]!)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    }
  });

  it('the same recordset of a zone: one is created', async () => {
    const { id } = (await cluster.next().create('recordsets.org.', tokens[0]!)).json;
    for (const round of range(30)) {
      const body = { name: `r${round}.recordsets.org.`, type: 'TXT', records: ['a'] };
      const path = `/v2/zones/${id}/recordsets`;
      const answers = await Promise.all(
        cluster.processes.map((one) => one.request('POST', path, { token: tokens[0]!, body })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    }
  });

  it('a CNAME and an address at one name: one is created', async () => {
    const { id } = (await cluster.next().create('either.org.', tokens[0]!)).json;
    for (const round of range(30)) {
      const name = `r${round}.either.org.`;
      const bodies = [
        { name, type: 'CNAME', records: ['a.example.'] },
        { name, type: 'A', records: ['192.0.2.1'] },
      ];
      const answers = await Promise.all(
        bodies.map((body) =>
          cluster.next().request('POST', `/v2/zones/${id}/recordsets`, { token: tokens[0]!, body }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 400]);
    }
  });
});

it('leaves a store in which everything adds up', expectSound);
