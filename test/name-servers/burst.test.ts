import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forEachInParallel } from '../support/client.ts';
import { until } from '../support/eventually.ts';
import { answeredAt } from '../support/name-servers/dig.ts';
import { type Pool, startPool } from '../support/name-servers/publishing.ts';
import type { Brand } from '../support/name-servers/servers.ts';

const IN_FLIGHT = 20;
/** On a machine that has much else to do. */
const LONGEST_MS = 600_000;

describe.each<{ brands: Brand[]; count: number }>([
  { brands: ['BIND', 'Knot'], count: 1000 },
  { brands: ['PowerDNS'], count: 100 },
])('$count zones in a burst', ({ brands, count }) => {
  let pool: Pool;
  beforeAll(async () => {
    pool = await startPool(brands);
  });
  afterAll(() => pool?.remove());

  it(
    `all arrive at ${brands.join(' and ')}, and all leave`,
    async () => {
      const names = Array.from({ length: count }, (_, at) => `burst-${at}.example.org.`);
      const made: string[] = [];
      await forEachInParallel(names, IN_FLIGHT, async (name) => {
        made.push((await pool.makeZone(name)).id);
      });
      await until(async () => expect(await pool.countZones('ACTIVE')).toBe(count), LONGEST_MS);
      for (const server of pool.servers) expect((await answeredAt(server, names)).size).toBe(count);
      await forEachInParallel(made, IN_FLIGHT, async (id) => {
        expect((await pool.ask('DELETE', `/v2/zones/${id}`)).status).toBe(202);
      });
      await until(async () => expect(await pool.countZones()).toBe(0), LONGEST_MS);
      for (const server of pool.servers) expect((await answeredAt(server, names)).size).toBe(0);
    },
    LONGEST_MS,
  );
});
