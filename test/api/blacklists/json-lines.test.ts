/** The list of blacklists as lines of JSON. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';

/** More than the store reads at once. */
const ENTRIES = 2500;
const LINES = 'application/jsonl';
const JSON_TEXT = 'application/json; charset=utf-8';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await importPatterns(ENTRIES, 'pattern-');
});
afterAll(() => service.remove());

async function importPatterns(count: number, prefix: string): Promise<void> {
  const file = join(service.dataDir, 'patterns');
  writeFileSync(file, Array.from({ length: count }, (_, place) => `${prefix}${place}\n`).join(''));
  const imported = await runHere(['blacklist', 'import', file], storeOptions(service.dataDir));
  expect(imported).toMatchObject({ status: 0 });
}

const ask = (query: string, accept: string, method = 'GET'): Promise<Answer> =>
  service.request(method, `/v2/blacklists${query}`, { token: service.admin, headers: { accept } });
const LINES_TYPE = `${LINES}; charset=utf-8`;
const typeOf = ({ headers }: Answer) => headers.get('content-type');
const entries = ({ text }: Answer): unknown[] => {
  expect(text === '' || text.endsWith('\n')).toBe(true);
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
};

describe('GET /v2/blacklists with Accept: application/jsonl', () => {
  it('sends each entry as one line, as the list shows it', async () => {
    const lines = await ask('', LINES);
    expect([lines.status, typeOf(lines)]).toEqual([200, LINES_TYPE]);
    const list = await ask('', 'application/json');
    expect(list.json.blacklists).toHaveLength(ENTRIES);
    expect(entries(lines)).toEqual(list.json.blacklists);
  });

  it('sorts and filters as the list does', async () => {
    for (const query of ['?pattern=pattern-12*', '?sort_key=pattern&sort_dir=desc', '?pattern=nothing']) {
      const list = await ask(query, 'application/json');
      expect([query, entries(await ask(query, LINES))]).toEqual([query, list.json.blacklists]);
    }
    expect((await ask('?pattern=nothing', LINES)).text).toBe('');
  });

  it('sends one page where limit or marker asks for one, and where the next one is', async () => {
    const seen: unknown[] = [];
    let query: string | undefined = '?limit=1000';
    let pages = 0;
    while (query !== undefined) {
      const page: Answer = await ask(query, LINES);
      seen.push(...entries(page));
      pages += 1;
      const next = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      query = next === undefined ? undefined : new URL(next).search;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual((await ask('', 'application/json')).json.blacklists);
  });

  it('follows what the client prefers, and JSON where it does not say', async () => {
    const sent: Record<string, string> = {
      'application/jsonl': LINES_TYPE,
      'application/jsonl, application/json;q=0.9': LINES_TYPE,
      'application/json;q=0.5, application/jsonl;q=0.6': LINES_TYPE,
      'application/jsonl;q=0.5, application/json;q=0.6': JSON_TEXT,
      'application/jsonl, application/json': LINES_TYPE,
      'application/json, application/jsonl': JSON_TEXT,
      'application/jsonl;q=0, */*': JSON_TEXT,
      'text/html, */*;q=0.1': JSON_TEXT,
      'application/*': JSON_TEXT,
    };
    for (const [accept, type] of Object.entries(sent)) {
      const answer = await ask('?limit=1', accept);
      expect([accept, answer.status, typeOf(answer)]).toEqual([accept, 200, type]);
      expect(answer.headers.get('vary')).toBe('X-Auth-Token, Authorization, Accept');
    }
  });

  it('is answered 406 where it accepts neither, and refused in JSON', async () => {
    const refused = await ask('', 'text/html');
    expect([refused.status, refused.json.type]).toEqual([406, 'unsupported_accept']);
    expect(refused.json.message).toBe(
      'The response is application/json or application/jsonl; the Accept header must allow it.',
    );
    const invalid = await ask('?limit=0', LINES);
    expect([invalid.status, typeOf(invalid), invalid.json.type]).toEqual([400, JSON_TEXT, 'invalid_limit']);
    const other = await service.request('GET', '/v2/zones', {
      token: service.admin,
      headers: { accept: LINES },
    });
    expect([other.status, other.json.type]).toEqual([406, 'unsupported_accept']);
  });

  it('answers HEAD with the same type, no body, and no length of one', async () => {
    const head = await ask('', LINES, 'HEAD');
    expect(head.headers.get('content-length')).toBeNull();
    expect([head.status, typeOf(head), head.text]).toEqual([200, LINES_TYPE, '']);
  });
});
