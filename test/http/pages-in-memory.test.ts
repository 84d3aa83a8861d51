/** How many pages of lists are in memory at once, read or written. */
import { expect, it } from 'vitest';
import { responseSchema } from '../../src/http/edge/response-schema.ts';
import type { ApiReply, ApiRequest } from '../../src/http/edge/route.ts';
import { listRoute } from '../../src/http/lists/list.ts';
import { commandContext } from '../../src/model/context/request-context.ts';
import type { ListQuery } from '../../src/model/lists.ts';

const ENTRIES = Array.from({ length: 30 }, (_, number) => ({ id: String(number) }));

/** A list of which each page is read in a round of the event loop of its own. */
function slowList() {
  const reading = new Map<string, number>();
  const most = new Map<string, number>();
  let read = 0;
  const route = listRoute(
    {
      path: '/things',
      rule: 'find_zones',
      key: 'things',
      sortKeys: ['created_at', 'name'],
      filters: ['name'],
      sends: responseSchema.object({ id: responseSchema.id }),
      toWire: (one: { id: string }) => one,
      async list({ projectId }) {
        read += 1;
        const now = (reading.get(projectId) ?? 0) + 1;
        reading.set(projectId, now);
        most.set(projectId, Math.max(now, most.get(projectId) ?? 0));
        await new Promise((resolve) => setImmediate(resolve));
        reading.set(projectId, reading.get(projectId)! - 1);
        return { items: ENTRIES, more: false };
      },
    },
    { default: 20, max: 1000 },
  );
  const ask = (
    projectId: string,
    given: Partial<ListQuery<string, string>>,
    isGone = () => false,
  ): Promise<ApiReply> => {
    const query = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 20, ...given };
    const request = {
      context: { ...commandContext('test'), projectId },
      params: {},
      base: '',
      url: '/things',
      headers: {},
      isGone,
    };
    return route.handle({ ...request, query: { query, isWhole: false } } as unknown as ApiRequest<
      unknown,
      unknown
    >);
  };
  return { ask, most, read: () => read };
}

const KINDS = {
  'short ones': { limit: 20, most: 8 },
  'large ones': { limit: 1000, most: 8 },
  'filtered ones': { filters: { name: '*x*' }, most: 8 },
  'ones in another order': { sortKey: 'name', most: 8 },
};

it.each(Object.entries(KINDS))(
  'of a project, %s are few however many are asked for',
  async (_, { most: bound, ...query }) => {
    const { ask, most } = slowList();
    const answers = Promise.all(Array.from({ length: 100 }, () => ask('many', query)));
    const another = await ask('one', query);
    expect(another.status).toBe(200);
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(most.get('many')).toBeLessThanOrEqual(bound);
  },
);

it('are refused beyond those that may wait, to their project alone', async () => {
  const { ask } = slowList();
  const asked = Array.from({ length: 150 }, () => ask('many', { limit: 1000 }));
  const outcomes = Promise.allSettled(asked);
  expect((await ask('one', { limit: 1000 })).status).toBe(200);
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ reason: { kind: 'too_many_reads' } });
});

it('are not read for clients that have gone away while they waited', async () => {
  const { ask, read } = slowList();
  const asked = Array.from({ length: 50 }, () => ask('many', { limit: 1000 }, () => true));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(read()).toBe(0);
});
