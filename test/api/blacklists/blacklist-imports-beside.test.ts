/** Creates of zones beside an import of very many blacklists by HTTP. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const ENTRIES = Math.min(100_000, runs(100_000, 40_000));
const CLIENTS = 4;
/** Creates that have to be answered while the file is on its way. */
const MIN_BESIDE = 40;
/** Lines of a part that is sent at a time. */
const PART = 5000;
/** No two of the creates have one name: a step that has no divisor in common with the number of entries. */
const STEP = 7919;

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  member = await service.token('mine', 'member');
});
afterAll(() => service.remove());

const line = (n: number) => `^n${n}\\.example\\.$\n`;

interface Create {
  readonly n: number;
  readonly status: number;
  /** Whether the end of the file was sent before it was answered, and whether the task was over before it was asked. */
  readonly isBeforeEnd: boolean;
  readonly isAfterTask: boolean;
}

it('are answered, judged by nothing that is staged, and by all of it once the task is over', async () => {
  const creates: Create[] = [];
  const state = { isEndSent: false, isTaskOver: false, asked: 0 };
  const create = async (): Promise<void> => {
    const n = (state.asked++ * STEP) % ENTRIES;
    const isAfterTask = state.isTaskOver;
    const body = { name: `n${n}.example.`, email: 'a@example.org' };
    const { status } = await service.request('POST', '/v2/zones', { token: member, body });
    creates.push({ n, status, isBeforeEnd: !state.isEndSent, isAfterTask });
  };
  const client = async (): Promise<void> => {
    while (creates.filter(({ isAfterTask }) => isAfterTask).length < 2 * CLIENTS) await create();
  };
  async function* file() {
    for (let from = 0; from < ENTRIES; from += PART)
      yield Buffer.from(Array.from({ length: PART }, (_, i) => line(from + i)).join(''));
    await until(async () => expect(creates.length).toBeGreaterThanOrEqual(MIN_BESIDE));
    state.isEndSent = true;
    yield Buffer.from(line(ENTRIES));
  }
  const clients = Array.from({ length: CLIENTS }, client);
  const sent = await fetch(`${service.url}/v2/blacklists/import?list=many`, {
    method: 'POST',
    headers: { 'x-auth-token': service.admin, 'content-type': 'text/plain' },
    body: file(),
    duplex: 'half',
  } as never);
  expect(sent.status).toBe(202);
  const { id } = (await sent.json()) as Answer['json'];
  for (;;) {
    const { json } = await service.request('GET', `/v2/blacklists/imports/${id}`, { token: service.admin });
    if (json.status === 'ACTIVE') continue;
    expect(json).toMatchObject({ status: 'COMPLETE', added: ENTRIES + 1, fault_count: 0 });
    break;
  }
  state.isTaskOver = true;
  await Promise.all(clients);
  const statuses = (some: readonly Create[]) => new Set(some.map(({ status }) => status));
  expect(statuses(creates.filter(({ isBeforeEnd }) => isBeforeEnd))).toEqual(new Set([202]));
  expect(statuses(creates.filter(({ isAfterTask }) => isAfterTask))).toEqual(new Set([400]));
  expect([...statuses(creates)].sort()).toEqual([202, 400]);
}, 900_000);
