import { expect, it } from 'vitest';
import { DomainError } from '../../src/model/errors.ts';
import type { ListQuery, Page } from '../../src/model/lists.ts';
import { narrowedLists } from '../../src/storage/lists/narrowed.ts';

interface Row {
  readonly id: string;
}
const ROWS = 1200;

/** A list of numbered rows, the even ones readable; `afterPage` may delete rows behind the reader's back. */
function evenRows(afterPage: (rows: Map<string, Row>, page: readonly Row[]) => void) {
  const ids = Array.from({ length: ROWS }, (_, number) => String(number).padStart(4, '0'));
  const rows = new Map(ids.map((id): [string, Row] => [id, { id }]));
  const list = async ({ marker = '', limit }: ListQuery<string, string>): Promise<Page<Row>> => {
    if (marker !== '' && !rows.has(marker)) throw new DomainError('marker_not_found');
    const rest = [...rows.values()].filter(({ id }) => id > marker);
    const items = rest.slice(0, limit);
    afterPage(rows, items);
    return { items, more: rest.length > limit };
  };
  const isEven = ({ id }: Row): boolean => Number(id) % 2 === 0;
  return narrowedLists<Row, ListQuery<string, string>, void>(list, {
    narrowingOf: () => (page) => page.filter(isEven),
    has: async (id) => rows.has(id) && isEven({ id }),
  });
}

const WHOLE = { limit: 1000, sortKey: 'id', sortDir: 'asc', filters: {}, isCounted: false } as const;

it('goes on after the rows that are left when others delete the last ones of a page', async () => {
  const list = evenRows((rows, page) => {
    for (const { id } of page.slice(-3)) rows.delete(id);
  });
  const { items, more } = await list(WHOLE, undefined, 'project');
  expect(items).toHaveLength(ROWS / 2);
  expect(new Set(items).size).toBe(ROWS / 2);
  expect(more).toBe(false);
});

it('says that the list cannot be read now when others delete a whole page', async () => {
  const list = evenRows((rows, page) => {
    for (const { id } of page) rows.delete(id);
  });
  await expect(list(WHOLE, undefined, 'project')).rejects.toMatchObject({ kind: 'slow_read' });
});
