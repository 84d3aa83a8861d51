import { expect, it } from 'vitest';
import { ChangeTurns, type TurnRequest } from '../../src/domain/changes/change-turns.ts';

const MANY = 100_000;

/** Work that runs until it is ended, and what of it has begun. */
function begunOn(turns: ChangeTurns) {
  const begun: string[] = [];
  const start = (name: string, request: Partial<TurnRequest>) => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const done = turns.run({ projectId: 'one', isDryRun: false, recordsets: MANY, ...request }, () => {
      begun.push(name);
      return ended;
    });
    return { end, done };
  };
  return { begun, start };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('plans one large change of a project at a time, and leaves room for another project', async () => {
  const { begun, start } = begunOn(new ChangeTurns());
  const first = start('first', {});
  const second = start('second', { isDryRun: true });
  const other = start('other', { projectId: 'two' });
  const third = start('third', { projectId: 'three' });
  const small = start('small', { recordsets: 1000 });
  await settled();
  expect(begun.toSorted()).toEqual(['first', 'other', 'small']);
  first.end();
  await settled();
  expect(begun.toSorted()).toEqual(['first', 'other', 'second', 'small']);
  for (const one of [second, other, third, small]) one.end();
  await Promise.all([first, second, other, third, small].map(({ done }) => done));
  expect(begun.at(-1)).toBe('third');
});

it('refuses further large changes of a project that has many waiting', async () => {
  const { start } = begunOn(new ChangeTurns());
  const all = Array.from({ length: 9 }, (_, place) => start(String(place), {}));
  await expect(all.at(-1)!.done).rejects.toMatchObject({ kind: 'too_many_reads' });
  for (const one of all) one.end();
  await Promise.all(all.slice(0, -1).map(({ done }) => done));
});

it('gives the turn back when the work fails', async () => {
  const turns = new ChangeTurns();
  const request = { projectId: 'one', isDryRun: true, recordsets: MANY };
  const fail = () => turns.run(request, () => Promise.reject(new Error('failed')));
  for (let time = 0; time < 20; time += 1) await expect(fail()).rejects.toThrow('failed');
});
