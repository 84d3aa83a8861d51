/** Secondary zones of tenants and masters that mean no good. */
import { describe, expect, it } from 'vitest';
import type { IncomingRecord } from '../../src/model/secondaries/secondary.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { Shares } from '../../src/runtime/shares.ts';
import { apexNs, context, MASTER, record, soaOf, useSecondarySite } from '../support/secondaries.ts';

const site = useSecondarySite();
const state = async ({ id }: Zone) => (await site.store.secondaries.find(id))!;
/** Seconds from now. */
const ahead = (timestamp: string): number => (Date.parse(`${timestamp.slice(0, 23)}Z`) - Date.now()) / 1000;

/** Makes very many zones of a project due, without going through their creation. */
async function makeDue(project: string, zones: number, at: string): Promise<void> {
  const { id } = await site.create();
  const numbers = Array.from({ length: zones }, (_, number) => `select ${number} as number`);
  for (let from = 0; from < zones; from += 400) {
    await site.inStore(
      `insert into secondaries (zone_id, project_id, masters, due_at)
        select '${id}-' || number, '${project}', '[]', '${at}' from (${numbers.slice(from, from + 400).join(' union all ')}) as numbers`,
    );
  }
}

describe('the zones of a project', () => {
  it.each([30, 1200])('come before none of another one: with %i of them due for longer', async (many) => {
    await site.inStore('delete from secondaries');
    const late = await site.create();
    await makeDue('enemy', many, '2000-01-01T00:00:00.000000');
    const [one] = await site.inStore(`select project_id from secondaries where zone_id = '${late.id}'`);
    expect(one).not.toMatchObject({ project_id: 'enemy' });
    expect((await site.useCases.secondaries.claim(2)).map(({ id }) => id)).toEqual([late.id]);
    await site.inStore('delete from secondaries');
  });

  it('are claimed as far as there are places for its project', async () => {
    await site.inStore('delete from secondaries');
    const zones = [await site.create(), await site.create(), await site.create()];
    const shares = new Shares(4);
    expect(await site.useCases.secondaries.claim(4, shares)).toHaveLength(2);
    expect(await site.useCases.secondaries.claim(4, new Shares(4))).toHaveLength(1);
    expect(zones).toHaveLength(3);
  });

  it('go with it to another project', async () => {
    const zone = await site.create();
    await site.store.transaction(async (tx) => tx.secondaries.moveTo(zone.id, 'buyer'));
    expect(await site.claim(zone)).toMatchObject({ projectId: 'buyer' });
  });
});

describe('a master that sends again and again what cannot be taken', () => {
  const minutes = async (zone: Zone) => Math.round(ahead((await state(zone)).dueAt) / 60);

  it('is asked ever less often, also if it says between that it has nothing new', async () => {
    const zone = await site.create();
    await site.fill(zone, 1, []);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await site.useCases.secondaries.failed(await site.claim(zone), {
        reason: 'It breaks off.',
        isOfMasters: true,
        isCostly: true,
      });
      waits.push(await minutes(zone));
      await site.useCases.secondaries.current(await site.claim(zone), soaOf(1));
    }
    expect(waits).toEqual([15, 30, 60, 60]);
    await site.fill(zone, 2, []);
    await site.useCases.secondaries.failed(await site.claim(zone), {
      reason: 'It breaks off.',
      isOfMasters: true,
      isCostly: true,
    });
    expect(await minutes(zone)).toBe(15);
  });

  it('makes its zone due later by NOTIFY, and so does its owner', async () => {
    const zone = await site.create();
    await site.fill(zone, 1, []);
    for (let attempt = 0; attempt < 9; attempt += 1)
      await site.useCases.secondaries.failed(await site.claim(zone), {
        reason: 'It breaks off.',
        isOfMasters: true,
        isCostly: true,
      });
    const seconds = async () => Math.round(ahead((await state(zone)).dueAt));
    expect(await site.useCases.secondaries.notified(zone.name, MASTER.host, undefined)).toBe(true);
    expect([await seconds()]).toSatisfy(([wait]) => wait > 600 && wait <= 640);
    await site.useCases.secondaries.transferAnew(context, zone.id);
    expect([await seconds()]).toSatisfy(([wait]) => wait > 60 && wait <= 80);
  });

  it('is listened to no longer than its records are new, or its NS fit into one message', async () => {
    const zone = await site.create();
    let read = 0;
    async function* endless(next: (n: number) => IncomingRecord) {
      yield [apexNs(zone.name)];
      for (; read < 1_000_000; read += 1) yield [next(read)];
    }
    const takes = async (next: (n: number) => IncomingRecord, reason: RegExp) => {
      read = 0;
      const transfer = { kind: 'whole', soa: soaOf(1), records: endless(next) } as const;
      const taken = site.useCases.secondaries.take(await site.claim(zone), transfer);
      await expect(taken).rejects.toThrow(reason);
      return read;
    };
    const again = record(`www.${zone.name}`, 'A', '192.0.2.1');
    expect(await takes(() => again, /duplicate records/)).toBeLessThan(2000);
    const ns = (n: number) => record(zone.name, 'NS', `ns${n}.master.example.`);
    expect(await takes(ns, /To fit in one DNS message/)).toBeLessThan(5000);
  });
});
