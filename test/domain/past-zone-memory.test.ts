/** Reading the past takes as much memory as the zone, however much has come and gone meanwhile. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import { differenceBetween, type HistoryWalk, pastZone } from '../../src/domain/history/past-zone.ts';
import { BY_SERVICE } from '../../src/model/history/change-source.ts';
import { EffectsWriter } from '../../src/model/history/effects-text.ts';
import type { EffectsOfChange } from '../../src/model/history/store.ts';
import type { Recordset } from '../../src/model/recordsets/recordset.ts';
import { TimeSlices } from '../../src/runtime/cooperative-yield.ts';
import { runs } from '../support/runs.ts';
import { emptyZone } from '../support/zone.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Each is created and deleted again: the journal has little of them, since they are all the same letter. */
const RECORDSETS = runs(100, 50);
const CHANGES = 2 * RECORDSETS;
const SIZE = 1_000_000;
const PAGE = 20;

const name = canonicalName('large.example.');
const zone = { ...emptyZone(name), serial: 1 + CHANGES, version: 1 + CHANGES };

function recordset(number: number): Recordset {
  return {
    id: `r${number}`,
    zoneId: zone.id,
    projectId: zone.projectId,
    name: canonicalName(`r${number}.${name}`),
    type: 'TXT',
    ttl: null,
    records: ['a'.repeat(SIZE)],
    spellings: {},
    bytes: SIZE,
    description: null,
    protection: null,
    expiresAt: null,
    managed: false,
    version: 1,
    createdAt: zone.createdAt,
    updatedAt: null,
  };
}

/** The change that led to a version. */
function changeTo(version: number): EffectsOfChange {
  const own = recordset(Math.floor(version / 2));
  const writer = new EffectsWriter(SIZE);
  const isCreation = version % 2 === 0;
  writer.add({ before: isCreation ? undefined : own, after: isCreation ? own : undefined });
  const facts = { ttl: zone.ttl, email: zone.email, projectId: zone.projectId, soa: '' };
  return {
    ...BY_SERVICE,
    id: String(version).padStart(6, '0'),
    zoneId: zone.id,
    projectId: zone.projectId,
    number: version,
    fromSerial: version - 1,
    toSerial: version,
    at: zone.createdAt,
    summary: { create: 1, update: 0, delete: 0 },
    before: facts,
    after: facts,
    isWhole: true,
    effects: writer.text()!,
  };
}

/** Bytes beyond those at the start, at most. */
let peak = 0;
collectGarbage();
const start = process.memoryUsage().heapUsed;

const walk: HistoryWalk = {
  reader: { projectId: zone.projectId, seesAll: true },
  turns: new TimeSlices(),
  reads: {
    async changesWithEffects({ below }) {
      collectGarbage();
      peak = Math.max(peak, process.memoryUsage().heapUsed - start);
      const newest = below === undefined ? zone.version : Number(below) - 1;
      const versions = Array.from({ length: PAGE }, (_, place) => newest - place).filter((one) => one > 1);
      return { items: versions.map(changeTo), more: versions.at(-1)! > 2 };
    },
  },
};

it.each<[string, () => Promise<number>]>([
  ['a difference', async () => (await differenceBetween(zone, { from: 1, to: zone.serial }, walk)).length],
  [
    'a former state',
    async () =>
      [...(await pastZone(zone, { serial: 1 }, walk)).changed.values()].filter(({ isThere }) => isThere)
        .length,
  ],
])('%s of recordsets that have come and gone is empty, and takes little memory', async (_, read) => {
  peak = 0;
  expect(await read()).toBe(0);
  expect(peak).toBeLessThan(20 * SIZE);
});
