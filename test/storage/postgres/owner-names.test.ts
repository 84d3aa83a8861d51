/** Names of records are held as those of zones are: on every process, and without another wait for the database. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { type Cluster, startCluster } from '../../support/postgres/cluster.ts';
import { CountingProxy } from '../../support/postgres/counting-proxy.ts';
import { leaveWorkToOthers } from '../../support/postgres/left-work.ts';
import { type Answer, type ServiceProcess, temporaryFolder } from '../../support/process.ts';
import { runs } from '../../support/runs.ts';
import { startTestService } from '../../support/service.ts';
import { makeStore, storeOptions } from '../../support/store.ts';
import { zoneFile } from '../../support/zone-files.ts';

const ON = { ZONEWARDEN_BLACKLISTS__APPLY_TO: 'zones, recordsets' };
const range = (count: number) => Array.from({ length: count }, (_, number) => number);
const REFUSED = [400, 'invalid_recordset_name', 'Blacklisted domain name'];

describe('a pattern', () => {
  const PROCESSES = 2;
  let cluster: Cluster;
  let admin: string;
  let zones: readonly string[];
  beforeAll(async () => {
    cluster = await startCluster(PROCESSES, {
      ...ON,
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
      ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
      ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
    });
    const file = cluster.dataDirs.map((dataDir) => join(dataDir, 'admin.token')).find(existsSync)!;
    admin = readFileSync(file, 'utf8').trim();
    const made = range(6).map((number) => cluster.any().create(`zone-${number}.org.`, admin));
    zones = (await Promise.all(made)).map(({ json }) => json.id);
  });
  afterEach(() => cluster.way.heal());
  afterAll(() => cluster.remove());

  interface Attempt {
    readonly sentAfter: boolean;
    readonly answer: Answer;
  }

  const post = (pattern: string) =>
    cluster.any().request('POST', '/v2/blacklists', { token: admin, body: { pattern } });

  function record(service: ServiceProcess, number: number, label: string): Promise<Answer> {
    const zone = number % zones.length;
    const body = { name: `${label}.zone-${zone}.org.`, type: 'A', records: ['192.0.2.1'] };
    return service.request('POST', `/v2/zones/${zones[zone]}/recordsets`, { token: admin, body });
  }

  function load(service: ServiceProcess, label: string, zone: string): Promise<Answer> {
    const others = range(20).map((number) => `other-${number} 60 TXT a`);
    return service.request('POST', '/v2/zones/tasks/imports', {
      token: admin,
      body: zoneFile(`${zone}.net.`, ...others, `${label} 60 TXT a`),
      headers: { 'content-type': 'text/dns' },
    });
  }

  /** Every third client brings its record in a zone file. */
  function attempt(service: ServiceProcess, number: number, name: string, round: string): Promise<Answer> {
    const label = `${name}.round-${round}`;
    return number % 3 === 0 ? load(service, label, `${name}-${round}`) : record(service, number, label);
  }

  /** Creates records, alone and in zone files, on both processes until a pattern that matches them has been answered. */
  async function race(round: string, among = cluster.processes): Promise<Attempt[]> {
    const attempts: Attempt[] = [];
    let stored = false;
    const client = async (number: number): Promise<void> => {
      const service = among[number % among.length]!;
      for (let count = 0, late = 0; late < 4; count++) {
        const sentAfter = stored;
        if (sentAfter) late++;
        const answer = await attempt(service, number, `n${number}-${count}`, round);
        attempts.push({ sentAfter, answer });
      }
    };
    const clients = range(12).map(client);
    await until(() => expect(attempts.length).toBeGreaterThanOrEqual(24));
    expect((await post(`\\.round-${round}\\.`)).status).toBe(201);
    stored = true;
    await Promise.all(clients);
    return attempts;
  }

  /** How many records there are of a round. */
  async function recordsOf(round: string): Promise<number> {
    const path = `/v2/recordsets?limit=1&name=*.round-${round}.*`;
    return (await cluster.any().request('GET', path, { token: admin })).json.metadata.total_count;
  }

  async function expectStrict(round: string, among = cluster.processes): Promise<void> {
    const attempts = await race(round, among);
    const late = attempts.filter(({ sentAfter }) => sentAfter);
    expect(late).toHaveLength(48);
    for (const { answer } of late) {
      expect([answer.status, answer.json.type, answer.json.message]).toEqual(REFUSED);
    }
    for (const { answer } of attempts) expect([202, 400]).toContain(answer.status);
    const created = attempts.filter(({ answer }) => answer.status === 202);
    expect(created.length).toBeGreaterThan(0);
    expect(await recordsOf(round)).toBe(created.length);
  }

  it('holds for names of records on every process from its answer on, under load on all', async () => {
    for (const round of range(runs(3, 2))) await expectStrict(`p${round}`);
  });

  it('comes after every create that was under way and succeeded, on a process that is slow to reach the database', async () => {
    cluster.way.delay(50);
    for (const round of range(2)) {
      const slow = cluster.processes.at(-1)!;
      let isStored = false;
      let created = 0;
      const clients = range(6).map(async (number) => {
        for (let count = 0; !isStored; count++) {
          const { status } = await record(slow, number, `n${number}-${count}.round-s${round}`);
          expect([202, 400]).toContain(status);
          if (status === 202) created++;
        }
      });
      await until(() => expect(created).toBeGreaterThanOrEqual(6));
      expect((await post(`\\.round-s${round}\\.`)).status).toBe(201);
      const before = await recordsOf(`s${round}`);
      isStored = true;
      await Promise.all(clients);
      expect([await recordsOf(`s${round}`), created]).toEqual([before, before]);
    }
  });
});

describe('the option', () => {
  /** The round trips of the creation of a record. */
  async function tripsWith(options: Readonly<Record<string, string>>): Promise<number> {
    const folder = temporaryFolder();
    const proxy = new CountingProxy();
    await makeStore(folder.path);
    const connection = storeOptions(folder.path).ZONEWARDEN_STORAGE__CONNECTION!;
    const service = await startTestService({
      ...options,
      ZONEWARDEN_STORAGE__CONNECTION: await proxy.start(connection),
      ZONEWARDEN_STORAGE__POOL_SIZE: '2',
    });
    try {
      const token = service.admin;
      const zone = { name: 'trips.example.', email: 'a@example.org' };
      const { id } = (await service.request('POST', '/v2/zones', { token, body: zone })).json;
      const create = async (label: string) => {
        const body = { name: `${label}.trips.example.`, type: 'A', records: ['192.0.2.1'] };
        const { status } = await service.request('POST', `/v2/zones/${id}/recordsets`, { token, body });
        expect(status).toBe(202);
      };
      for (const label of ['first', 'second']) await create(label);
      await leaveWorkToOthers(folder.path);
      return await proxy.fewestTrips(6, (round) => create(`n${round}`));
    } finally {
      await service.remove();
      proxy.stop();
      folder.remove();
    }
  }

  it('takes no round trip more for a name that is free', async () => {
    expect([await tripsWith({}), await tripsWith(ON)]).toEqual([6, 6]);
  });
});
