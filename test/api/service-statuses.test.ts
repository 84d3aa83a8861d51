import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../support/service.ts';
import { inStoreOf } from '../support/store.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());

const PATH = '/v2/service_statuses';
const ask = (path: string, token = service.admin): Promise<Answer> => service.request('GET', path, { token });

interface Status {
  readonly id: string;
  readonly service_name: string;
  readonly status: string;
}

/** All statuses, once the process has written as many. */
const statuses = (count: number, query = ''): Promise<Status[]> =>
  eventually(async () => {
    const found: Status[] = (await ask(`${PATH}${query}`)).json.service_statuses;
    return found.length === count ? found : undefined;
  });
const states = (found: readonly Status[]) =>
  found.map(({ service_name, status }) => `${service_name} ${status}`).sort();

const PARTS = ['api', 'central', 'producer', 'worker'];
const all = (state: string, parts: readonly string[] = PARTS) => parts.map((part) => `${part} ${state}`);

describe('the status of a process', () => {
  it('is UP for each of its parts, with all its fields', async () => {
    const found = await statuses(PARTS.length);
    expect(states(found)).toEqual(all('UP'));
    const central = found.find(({ service_name }) => service_name === 'central')!;
    const { json, status } = await ask(`${PATH}/${central.id}`);
    expect([status, json]).toEqual([200, central]);
    expect(json).toEqual({
      id: expect.any(String),
      service_name: expect.any(String),
      hostname: hostname(),
      status: 'UP',
      stats: {},
      capabilities: {},
      heartbeated_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: json.heartbeated_at,
      links: { self: `${service.url}${PATH}/${json.id}` },
    });
    expect((await ask(`/v2/service_status/${json.id}`)).json).toEqual(json);
    expect((await ask('/v2/service_status')).json.service_statuses).toEqual(found);
  });

  it('shows what each background job has done, under names that the documentation has', async () => {
    const jobsOf = async (part: string): Promise<Record<string, object>> => {
      const { stats } = (await statuses(1, `?service_name=${part}`))[0]! as Status & {
        stats: { jobs: object };
      };
      return { ...stats.jobs };
    };
    expect(Object.keys(await jobsOf('worker')).sort()).toEqual(['publication', 'secondaries']);
    const page = readFileSync('docs/operations.md', 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z-]+)` +\| [^|]+\| (?:each|one) process/gm)].map(
      ([, name]) => name!,
    );
    const producer = await jobsOf('producer');
    expect(listed.toSorted()).toEqual(
      [...Object.keys(producer), 'publication', 'secondaries', 'webhooks'].sort(),
    );
    // A process reports what it had done at its last heartbeat.
    await inStoreOf(service.dataDir, 'delete from service_statuses');
    const done = await eventually(async () => {
      const { service_statuses: shown } = (await ask(`${PATH}?service_name=producer`)).json;
      return shown[0]?.stats.jobs.heartbeats;
    });
    expect(done).toEqual({
      interval_seconds: 10,
      slices: expect.any(Number),
      failures: 0,
      last_success_at: expect.stringMatching(/^\d{4}-/),
      last_seconds: expect.any(Number),
    });
    expect(done.slices).toBeGreaterThan(0);
  });

  it('names the hidden primary where it listens', async () => {
    await statuses(PARTS.length);
    await service.restart({ ZONEWARDEN_SERVICE_MDNS__LISTEN: '127.0.0.1:0' });
    const found = await statuses(PARTS.length + 1, '?status=UP');
    expect(states(found)).toEqual(all('UP', ['api', 'central', 'mdns', 'producer', 'worker']));
  });

  it('is DOWN once the process has stopped', async () => {
    const ids = (await statuses(PARTS.length)).map(({ id }) => id);
    await service.restart();
    const down = await statuses(PARTS.length, '?status=DOWN&sort_key=service_name');
    expect(states(down)).toEqual(all('DOWN'));
    expect(down.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(states(await statuses(PARTS.length, '?status=UP'))).toEqual(all('UP'));
  });

  it('is DOWN after a silence, and forgotten after a day of it', async () => {
    await statuses(PARTS.length);
    await service.restart();
    const [one, two] = await statuses(PARTS.length, '?status=DOWN&sort_key=service_name');
    const silent = (id: string, since: string) =>
      inStoreOf(
        service.dataDir,
        `update service_statuses set status = 'UP', heartbeated_at = '${since}' where id = '${id}'`,
      );
    const seconds = (ago: number) => new Date(Date.now() - ago * 1000).toISOString().replace('Z', '000');
    await silent(one!.id, seconds(60));
    await silent(two!.id, seconds(90_000));
    const down = await statuses(PARTS.length, '?status=DOWN&sort_key=service_name');
    expect(states(down)).toEqual(all('DOWN'));
    expect((await ask(`${PATH}/${one!.id}`)).json.status).toBe('DOWN');
    expect((await ask(`${PATH}?sort_key=status&limit=1`)).json.service_statuses[0].status).toBe('DOWN');
    await service.restart();
    await statuses(PARTS.length, '?status=UP');
    expect((await ask(`${PATH}/${one!.id}`)).status).toBe(200);
    const { status, json } = await ask(`${PATH}/${two!.id}`);
    expect([status, json.type]).toEqual([404, 'service_status_not_found']);
  });

  it('is for administrators alone', async () => {
    const [one] = await statuses(PARTS.length);
    const member = await service.token('mine', 'member');
    for (const path of [PATH, '/v2/service_status', `${PATH}/${one!.id}`]) {
      const { status, json } = await ask(path, member);
      expect([path, status, json.type]).toEqual([path, 401, 'access_denied']);
    }
  });
});
