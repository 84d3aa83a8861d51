import { expect, it } from 'vitest';
import { eachInTurns, nextTurn, Turns } from '../../src/domain/yield.ts';

it('work gives others their turn by time, whatever each piece of it takes', async () => {
  let now = 0;
  const given: number[] = [];
  const turns = new Turns(
    () => now,
    async () => void given.push(now),
  );
  const pieces = [1, 1, 1, 1, 50, 0, 2, 2, 0];
  await eachInTurns(
    pieces,
    (piece) => {
      now += piece;
    },
    turns,
  );
  expect(given).toEqual([4, 54, 58]);
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
  const work = async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      rounds.push(round);
    }
  };
  await Promise.all([work(), work(), work()]);
  isOver = true;
  expect(new Set(rounds).size).toBe(9);
});
