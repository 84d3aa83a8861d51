import { afterEach, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { dig } from '../support/name-servers/dig.ts';
import { type Pool, startPool } from '../support/name-servers/publishing.ts';
import { BRANDS } from '../support/name-servers/servers.ts';

const ZONE = 'siblings.example.';

let pool: Pool | undefined;
afterEach(async () => {
  await pool?.remove();
  pool = undefined;
});

it('refers to a delegation with the address of a name server below another delegation (RFC 9471)', async () => {
  pool = await startPool(BRANDS);
  const { id } = await pool.makeZone(ZONE);
  const recordsets = [
    { name: `a.${ZONE}`, type: 'NS', records: [`ns.b.${ZONE}`] },
    { name: `b.${ZONE}`, type: 'NS', records: ['ns.elsewhere.example.'] },
    { name: `ns.b.${ZONE}`, type: 'A', records: ['192.0.2.9'] },
  ];
  for (const recordset of recordsets) {
    const { status, json } = await pool.addRecordset(id, recordset);
    expect([status, json]).toEqual([202, expect.objectContaining({ name: recordset.name })]);
  }
  const refused = await pool.addRecordset(id, { name: `www.b.${ZONE}`, type: 'A', records: ['192.0.2.9'] });
  expect(refused.status).toBe(400);
  await pool.zoneIs(id, 'ACTIVE');
  for (const server of pool.servers) {
    await until(async () => {
      const { status, records } = await dig(server, `www.a.${ZONE}`, 'A', '+additional');
      expect([status, records.map(({ name, type, rdata }) => `${name} ${type} ${rdata}`)]).toEqual([
        'NOERROR',
        [`a.${ZONE} NS ns.b.${ZONE}`, `ns.b.${ZONE} A 192.0.2.9`],
      ]);
    });
  }
});
