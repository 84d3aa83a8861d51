import { expect, it } from 'vitest';
import { canonicalName } from '../../src/dns/names.ts';
import { firstMatch, matchOf } from '../../src/domain/history/change-matches.ts';
import { BY_SERVICE } from '../../src/model/history/change-source.ts';
import { EffectsWriter, effectsIn, effectsWith } from '../../src/model/history/effects-text.ts';
import type { EffectsOfChange } from '../../src/model/history/store.ts';
import type { Recordset } from '../../src/model/recordsets/recordset.ts';
import { TimeSlices } from '../../src/runtime/cooperative-yield.ts';
import { emptyZone } from '../support/zone.ts';

const zone = emptyZone(canonicalName('long.example.'));

function recordset(number: number): Recordset {
  return {
    id: `r${number}`,
    zoneId: zone.id,
    projectId: zone.projectId,
    name: canonicalName(`h${number}.${zone.name}`),
    type: number % 3 === 0 ? 'TXT' : 'A',
    ttl: null,
    records: number % 3 === 0 ? [`"${'a'.repeat(200)}"`] : ['192.0.2.1'],
    spellings: {},
    bytes: 100,
    description: null,
    protection: null,
    expiresAt: null,
    managed: false,
    version: 1,
    createdAt: zone.createdAt,
    updatedAt: null,
  };
}

function textOf(count: number): string {
  const writer = new EffectsWriter(1_000_000);
  for (let number = 0; number < count; number++) writer.add({ before: undefined, after: recordset(number) });
  return writer.text()!;
}

function changeOf(effects: string): EffectsOfChange {
  const facts = { ttl: zone.ttl, email: zone.email, projectId: zone.projectId, soa: '' };
  return {
    ...BY_SERVICE,
    id: '000001',
    zoneId: zone.id,
    projectId: zone.projectId,
    number: 1,
    fromSerial: 1,
    toSerial: 2,
    at: zone.createdAt,
    summary: { create: 1, update: 0, delete: 0 },
    before: facts,
    after: facts,
    isWhole: true,
    effects,
  };
}

/** Counts the turns that are taken: each is over at once. */
function shortTurns() {
  let taken = 0;
  const source = {
    now: () => 1,
    pieceEnd: () => 0,
    pieceFor: () => 0,
    async takeNext() {
      taken += 1;
    },
  };
  return { turns: new TimeSlices('one', source), taken: () => taken };
}

it.each([3, 3000])('of %i effects, finds those that mention a text, as decoding them all does', (count) => {
  const text = textOf(count);
  for (const part of ['"TXT"', '"A"', `"h2.${zone.name}"`, '"none"', '']) {
    const all = [...effectsIn(text, zone.id)];
    const expected = all.filter(({ after }) => {
      return part === '' || [after!.type, after!.name].includes(JSON.parse(part));
    });
    const found = [...effectsWith(part, text, zone.id)].filter((effect) => effect !== undefined);
    expect(found).toEqual(expected);
  }
});

it('a search for a name that no effect has takes turns between blocks, and finds one that the last block has', async () => {
  const text = textOf(3000);
  const change = changeOf(text);
  const none = shortTurns();
  expect(await firstMatch(change, matchOf({ name: `none.${zone.name}` })!, none.turns)).toBeUndefined();
  expect(none.taken()).toBe(text.split('\n').length);
  const last = await firstMatch(change, matchOf({ name: `h2999.${zone.name}` })!, shortTurns().turns);
  expect(last?.after?.id).toBe('r2999');
});
