import { expect, it } from 'vitest';
import { RECORD_TYPES } from '../../src/dns/record-types.ts';
import { requireZoneFile } from '../../src/domain/zone-files/zone-file.ts';
import { eachInTurns, nextTurn, TimeSlices } from '../../src/runtime/cooperative-yield.ts';
import { itInFullRun } from '../support/in-full-run.ts';

/** Turns of a clock that work moves, and when each was given. */
function turnsOf(firstEnd = 4) {
  const clock = { now: 0 };
  const given: number[] = [];
  const source = {
    now: () => clock.now,
    pieceEnd: () => firstEnd,
    pieceFor: () => 4,
    takeNext: async () => void given.push(clock.now),
  };
  return { clock, given, source };
}

it('work gives others their turn by time, whatever each piece of it takes', async () => {
  const { clock, given, source } = turnsOf();
  const pieces = [1, 1, 1, 1, 50, 0, 2, 2, 0];
  const work = (piece: number) => {
    clock.now += piece;
  };
  await eachInTurns(pieces, work, new TimeSlices('one', source));
  expect(given).toEqual([4, 54, 58]);
});

it('the first turn may be shorter, as part of a piece that has begun', async () => {
  const { clock, given, source } = turnsOf(1);
  const work = () => {
    clock.now += 1;
  };
  await eachInTurns([1, 2, 3, 4, 5], work, new TimeSlices('one', source));
  expect(given).toEqual([1, 5]);
});

it('of those that work at the same time, one has a turn in each round of the event loop', async () => {
  let round = 0;
  let isOver = false;
  const count = () => {
    round += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const rounds: number[] = [];
  const work = async (owner: string) => {
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn(owner);
      rounds.push(round);
    }
  };
  await Promise.all(['one', 'two', 'two'].map(work));
  isOver = true;
  expect(new Set(rounds).size).toBe(9);
});

const UNLIMITED = { zone_recordsets: -1, zone_records: -1, recordset_records: -1, max_zone_size: -1 };
const PIECES = 30;
const PIECE = 'www.outside.example. 60 A 192.0.2.1\n'.repeat(1000);

itInFullRun('many imports of a project take the turns of one import of another', async () => {
  const read = new Map<string, number>();
  const importFor = async (projectId: string): Promise<void> => {
    async function* text(): AsyncGenerator<string, void> {
      yield '$ORIGIN one.example.\n@ 60 SOA ns admin 1 3600 600 86400 60\n';
      for (let piece = 0; piece < PIECES; piece += 1) {
        read.set(projectId, (read.get(projectId) ?? 0) + 1);
        yield PIECE;
      }
    }
    const rules = { isStrict: false, supportedTypes: new Set(RECORD_TYPES), projectId };
    await requireZoneFile(text(), UNLIMITED, rules);
  };
  const many = Promise.all(Array.from({ length: 10 }, () => importFor('one')));
  await importFor('two');
  expect(read.get('one')).toBeLessThan(4 * read.get('two')!);
  await many;
});
