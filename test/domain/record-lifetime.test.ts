import { expect, it } from 'vitest';
import { expiryOfChanged } from '../../src/domain/recordsets/record-lifetime.ts';

const PAST = '2026-01-01T00:00:00.000000';
const NOW = '2026-01-02T00:00:00.000000';
const SOON = '2026-01-03T00:00:00.000000';
const LATEST = '2026-01-04T00:00:00.000000';

it.each([
  ['stays when records are written', SOON, undefined, undefined, NOW, SOON],
  ['becomes what is asked for', SOON, LATEST, undefined, NOW, LATEST],
  ['is moved on by a credential with a lifetime', SOON, undefined, LATEST, NOW, LATEST],
  ['is not given to a recordset of others', null, undefined, LATEST, NOW, null],
  ['that has passed is taken away when records are written', PAST, undefined, undefined, NOW, null],
  [
    'that has passed becomes that of a new one by a credential with a lifetime',
    PAST,
    undefined,
    LATEST,
    NOW,
    LATEST,
  ],
  ['that has passed stays when no records are written', PAST, undefined, undefined, undefined, PAST],
] as const)('the end %s', (_, before, asked, latest, writtenAt, after) => {
  expect(expiryOfChanged(before, asked, { latest, writtenAt })).toBe(after);
});
