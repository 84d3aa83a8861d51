import { describe, expect, it } from 'vitest';
import { LoopTurns } from '../../src/runtime/loop-turns.ts';

/** An event loop whose rounds take as long as is said, and what began in each. */
function loopOf() {
  let now = 0;
  let next: (() => void) | undefined;
  const later: { begin: () => void; at: number }[] = [];
  const turns = new LoopTurns(
    () => now,
    (begin) => {
      next = begin;
    },
    (begin, milliseconds) => later.push({ begin, at: now + milliseconds }),
  );
  let begun: string[] = [];
  const note = (name: string) => void begun.push(name);
  return {
    turns,
    /** Whether the loop goes on by itself. */
    get isRunning(): boolean {
      return next !== undefined;
    },
    ask(owner: string, caller = owner): void {
      const turn = turns.take({ owner, caller });
      if (turn === undefined) note(owner);
      else void turn.then(() => note(owner));
    },
    work(owner?: string): void {
      void turns.takeNext(owner).then(() => note(owner ?? 'own'));
    },
    /** Ends the round, which took so long; what began in it, and at the start of the next one. */
    async round(milliseconds: number): Promise<readonly string[]> {
      now += milliseconds;
      while (later.length > 0 && later[0]!.at <= now) later.shift()!.begin();
      const begin = next;
      next = undefined;
      begin?.();
      await new Promise(setImmediate);
      const all = begun;
      begun = [];
      return all;
    },
  };
}

const times = (count: number, work: () => void): void => {
  for (let at = 0; at < count; at += 1) work();
};
const of = (owner: string, all: readonly string[]): number => all.filter((one) => one === owner).length;

describe('requests', () => {
  it('begin at once while rounds are short, 64 of one owner in each', async () => {
    const loop = loopOf();
    times(70, () => loop.ask('one'));
    loop.ask('other');
    const first = await loop.round(0);
    expect([of('one', first), of('other', first)]).toEqual([70, 1]);
    expect(first.indexOf('other')).toBe(64);
  });

  it('begin in smaller numbers after long rounds, and in full ones after short rounds', async () => {
    const loop = loopOf();
    times(1000, () => loop.ask('one'));
    const counts: number[] = [];
    for (const took of [5, 5, 5, 50, 3, 1, 1, 1, 1]) counts.push(of('one', await loop.round(took)));
    expect(counts).toEqual([64 + 32, 16, 8, 8, 8, 16, 32, 64, 64]);
  });

  it('of one owner do not delay those of others', async () => {
    const loop = loopOf();
    times(1000, () => loop.ask('busy'));
    await loop.round(5);
    times(3, () => loop.ask('other'));
    expect(of('other', await loop.round(5))).toBe(3);
  });

  it('of many owners take turns', async () => {
    const loop = loopOf();
    for (let round = 0; round < 4; round += 1) await loop.round(5);
    const owners = Array.from({ length: 100 }, (_, at) => `owner ${at}`);
    for (const owner of [...owners, ...owners]) loop.ask(owner);
    const all: string[] = [];
    while (all.length < 200) all.push(...(await loop.round(5)));
    expect(new Set(all.slice(0, 100)).size).toBe(100);
    for (const owner of owners) expect(of(owner, all)).toBe(2);
  });
});

it('of long work one piece runs in a round, owners in turns', async () => {
  const loop = loopOf();
  times(3, () => loop.work('one'));
  loop.work('other');
  const rounds: (readonly string[])[] = [];
  for (let at = 0; at < 4; at += 1) rounds.push(await loop.round(1));
  expect(rounds).toEqual([['one'], ['other'], ['one'], ['one']]);
});

describe('a piece of long work', () => {
  it('is followed by a pause as long as itself while others send requests', async () => {
    const loop = loopOf();
    times(3, () => loop.work('one'));
    loop.ask('other');
    expect(await loop.round(1)).toEqual(['other', 'one']);
    expect(await loop.round(20)).toEqual([]);
    expect(loop.isRunning).toBe(false);
    loop.ask('other');
    expect(await loop.round(19)).toEqual(['other']);
    expect(await loop.round(1)).toEqual(['one']);
  });

  it('is followed by the next one at once when the others belong to it, or have been quiet for 100 ms', async () => {
    const loop = loopOf();
    times(3, () => loop.work('one'));
    loop.ask('head of one', 'one');
    expect(await loop.round(1)).toEqual(['head of one', 'one']);
    expect(await loop.round(20)).toEqual(['one']);
    loop.ask('other');
    loop.ask('head of one', 'one');
    expect(await loop.round(20)).toEqual(['other', 'head of one']);
    expect(await loop.round(100)).toEqual(['one']);
  });

  it("is followed at once by work that is no caller's, for which others may wait", async () => {
    const loop = loopOf();
    times(2, () => loop.work('one'));
    loop.work();
    loop.ask('other');
    expect(await loop.round(1)).toEqual(['other', 'one']);
    expect(await loop.round(20)).toEqual(['own']);
  });
});

describe('a piece of long work may take', () => {
  it('1 ms while others send requests, and 4 ms when they have been quiet for 100 ms', async () => {
    const { turns, ...loop } = loopOf();
    expect(turns.pieceFor('one')).toBe(4);
    loop.ask('other');
    expect([turns.pieceFor('one'), turns.pieceFor('other')]).toEqual([1, 4]);
    await loop.round(100);
    expect(turns.pieceFor('one')).toBe(4);
  });

  it("4 ms if it is no caller's, for which others may wait", () => {
    const { turns, ...loop } = loopOf();
    loop.ask('other');
    expect(turns.pieceFor()).toBe(4);
  });
});

it('work ends with the piece of its caller that it is part of, or after 4 ms', async () => {
  const { turns, ...loop } = loopOf();
  loop.work('one');
  loop.ask('other');
  expect(turns.pieceEnd('one')).toBe(4);
  expect(await loop.round(3)).toEqual(['other', 'one']);
  expect([turns.pieceEnd('one'), turns.pieceEnd('other'), turns.pieceEnd()]).toEqual([3 + 1, 3 + 4, 3 + 4]);
  await loop.round(2);
  expect(turns.pieceEnd('one')).toBe(5 + 4);
});

it('work that is not long waits for a turn only while others send requests', async () => {
  const loop = loopOf();
  expect(loop.turns.takeBesideOthers('a')).toBeUndefined();
  loop.ask('a');
  expect(loop.turns.takeBesideOthers('a')).toBeUndefined();
  loop.ask('b');
  loop.work('a');
  await loop.round(0);
  await loop.round(1);
  expect(loop.turns.takeBesideOthers('a')).toBeInstanceOf(Promise);
  loop.turns.take({ owner: 'a', caller: 'a' });
  for (let round = 0; round < 20; round += 1) await loop.round(6);
  expect(loop.turns.takeBesideOthers('a')).toBeUndefined();
});

describe('new connections', () => {
  it('are accepted for 4 ms after a long round', async () => {
    const loop = loopOf();
    loop.ask('before');
    loop.turns.noteAccepted();
    expect(await loop.round(3)).toEqual(['before']);
    loop.ask('meanwhile');
    loop.work('meanwhile');
    for (let at = 0; at < 3; at += 1) {
      loop.turns.noteAccepted();
      expect(await loop.round(1)).toEqual([]);
    }
    loop.turns.noteAccepted();
    expect(await loop.round(1)).toEqual(['meanwhile', 'meanwhile']);
  });

  it('delay the next round no longer than they come', async () => {
    const loop = loopOf();
    loop.ask('before');
    loop.turns.noteAccepted();
    expect(await loop.round(3)).toEqual(['before']);
    loop.ask('meanwhile');
    expect(await loop.round(1)).toEqual(['meanwhile']);
  });

  it('do not delay what follows a short round', async () => {
    const loop = loopOf();
    times(65, () => loop.ask('one'));
    loop.turns.noteAccepted();
    expect(of('one', await loop.round(1))).toBe(65);
  });
});

it('the loop rests when nothing waits', async () => {
  const loop = loopOf();
  loop.ask('one');
  loop.work('one');
  expect(loop.isRunning).toBe(true);
  for (let at = 0; at < 4; at += 1) await loop.round(1);
  expect(loop.isRunning).toBe(false);
});
