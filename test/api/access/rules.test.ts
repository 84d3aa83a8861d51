/** Modes, expiries and exceptions of blacklists, and what is counted and told of the creates that they meet. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMicroseconds, later, systemClock } from '../../../src/model/clock.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, type Request, startTestService, type TestService } from '../../support/service.ts';

const DOCUMENTED = ['id', 'pattern', 'description', 'created_at', 'updated_at', 'links'];
const WARNING = '299 - "This name matches a rule that will be enforced"';
const FAR = '2999-12-31T23:59:59.999999';
const PAST = '2001-01-01T00:00:00.000000';
const now = (): string => systemClock().now();

let service: TestService;
let member: string;
let other: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  member = await service.token('mine', 'member');
  other = await service.token('other', 'member');
});
afterAll(() => service.remove());

const admin = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token: service.admin, ...(body === undefined ? {} : { body }) });
const create = (name: string, token = member, headers: Request['headers'] = {}): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, headers, body: { name, email: 'a@example.org' } });
const shown = async (id: string): Promise<Answer['json']> =>
  (await admin('GET', `/v2/blacklists/${id}`)).json;

async function blacklist(body: object): Promise<Answer['json']> {
  const answer = await admin('POST', '/v2/blacklists', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json;
}
const change = async (id: string, body: object): Promise<Answer['json']> => {
  const answer = await admin('PATCH', `/v2/blacklists/${id}`, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json;
};
const eventsOf = ({ headers }: Answer) =>
  service.logged.filter(
    ({ event, request_id }) => event !== undefined && request_id === headers.get('x-openstack-request-id'),
  );

describe('the fields of an entry', () => {
  it('are shown only where they are not at their default', async () => {
    const plain = { mode: 'enforce', expires_at: null, exceptions: [] };
    const { warnings: _, ...json } = await blacklist({ pattern: '^plain\\.fields\\.$', ...plain });
    expect(Object.keys(json)).toEqual(DOCUMENTED);
    expect(Object.keys(await shown(json.id))).toEqual(DOCUMENTED);
    const whole = { mode: 'audit', expires_at: FAR, exceptions: [{ project_id: 'mine' }] };
    expect(Object.keys(await change(json.id, whole))).toEqual([...DOCUMENTED, ...Object.keys(whole)]);
    expect(
      Object.keys(await change(json.id, { mode: 'enforce', expires_at: null, exceptions: null })),
    ).toEqual(DOCUMENTED);
  });

  it('are shown by POST, GET, PATCH and the lists alike, with times and names in their canonical form', async () => {
    const given = {
      pattern: '^alike\\.fields\\.$',
      mode: 'warn',
      expires_at: '2999-12-31T00:00:00+01:00',
      exceptions: [
        {
          project_id: 'mine',
          name: 'BÜCHER.Fields.',
          description: 'theirs',
          expires_at: '2999-01-01T00:00:00Z',
        },
        { name: 'other.fields.' },
      ],
    };
    const expected = {
      mode: 'warn',
      expires_at: '2999-12-30T23:00:00.000000',
      exceptions: [
        {
          project_id: 'mine',
          name: 'xn--bcher-kva.fields.',
          description: 'theirs',
          expires_at: '2999-01-01T00:00:00.000000',
        },
        { project_id: null, name: 'other.fields.', description: null, expires_at: null },
      ],
    };
    const json = await blacklist(given);
    expect(json).toMatchObject(expected);
    expect(await shown(json.id)).toMatchObject(expected);
    expect(await change(json.id, { description: 'x' })).toMatchObject(expected);
    for (const query of ['', '?limit=max']) {
      const { blacklists } = (await admin('GET', `/v2/blacklists${query}`)).json;
      expect(blacklists.find(({ id }: { id: string }) => id === json.id)).toMatchObject(expected);
    }
  });

  it('may all be sent back as they were read, even once what is counted has moved on', async () => {
    const { id } = await blacklist({ pattern: '^back\\.fields\\.$', mode: 'audit', expires_at: FAR });
    await create('back.fields.');
    const read = await eventually(async () => {
      const json = await shown(id);
      return json.hits === undefined ? undefined : json;
    });
    const { updated_at: _, ...rest } = await change(id, {});
    const { updated_at: __, ...before } = read;
    expect(rest).toEqual(before);
    const stale = { ...read, updated_at: rest.updated_at, hits: { refused: 99 }, exhausted: { count: 5 } };
    const { updated_at } = await shown(id);
    expect((await change(id, { ...stale, updated_at })).hits).toEqual(read.hits);
  });

  it('ignore what POST says of hits', async () => {
    const json = await blacklist({ pattern: '^counted\\.fields\\.$', hits: { refused: 7 }, exhausted: null });
    const { warnings: _, ...rest } = json;
    expect(Object.keys(rest)).toEqual(DOCUMENTED);
  });

  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ project_id: `p${i}` }));
  it.each<[string, object, string]>([
    ['an unknown mode', { mode: 'off' }, 'mode'],
    ['a mode of null', { mode: null }, 'mode'],
    ['an expiry that is no time', { expires_at: 'soon' }, 'expires_at'],
    ['an expiry that is a number', { expires_at: 5 }, 'expires_at'],
    ['exceptions that are no list', { exceptions: {} }, 'exceptions'],
    ['an exception that is a text', { exceptions: ['mine'] }, 'exceptions.0'],
    ['an exception for nobody', { exceptions: [{ name: 'a.example.' }, {}] }, 'exceptions.1'],
    ['an exception for null', { exceptions: [{ name: null, project_id: null }] }, 'exceptions.0'],
    ['an exception for no project id', { exceptions: [{ project_id: 'no id' }] }, 'exceptions.0.project_id'],
    ['an exception for no name', { exceptions: [{ name: 'a.example' }] }, 'exceptions.0.name'],
    ['an exception for a wildcard', { exceptions: [{ name: '*.example.' }] }, 'exceptions.0.name'],
    [
      'an exception that never ends well',
      { exceptions: [{ name: 'a.example.', expires_at: '2030-02-30T00:00:00' }] },
      'exceptions.0.expires_at',
    ],
    [
      'an exception with a long description',
      { exceptions: [{ name: 'a.example.', description: 'x'.repeat(1025) }] },
      'exceptions.0.description',
    ],
    [
      'an exception with an unknown key',
      { exceptions: [{ name: 'a.example.', until: FAR }] },
      'exceptions.0.until',
    ],
    [
      'two exceptions for the same',
      { exceptions: [{ name: 'a.example.' }, { name: 'A.example.' }] },
      'exceptions.1',
    ],
    ['101 exceptions', { exceptions: many(101) }, 'exceptions'],
    ['hits that are a number', { hits: 3 }, 'hits'],
  ])('are refused with the path of the fault: %s', async (_what, body, path) => {
    const { id, updated_at } = await blacklist({ pattern: `^refused-${path}-${_what}\\.fields\\.$` });
    const answers = [
      await admin('POST', '/v2/blacklists', { pattern: '^never\\.fields\\.$', ...body }),
      await admin('PATCH', `/v2/blacklists/${id}`, body),
    ];
    for (const { status, json } of answers) {
      expect([status, json.type]).toEqual([400, 'invalid_object']);
      expect(json.errors.errors.map((fault: { path: string[] }) => fault.path.join('.'))).toEqual([path]);
    }
    expect((await shown(id)).updated_at).toBe(updated_at);
    await admin('DELETE', `/v2/blacklists/${id}`);
  });

  it('take 100 exceptions', async () => {
    const json = await blacklist({ pattern: '^hundred\\.fields\\.$', exceptions: many(100) });
    expect(json.exceptions).toHaveLength(100);
    expect((await create('hundred.fields.')).status).toBe(400);
    expect((await create('hundred.fields.', await service.token('p99', 'member'))).status).toBe(202);
  });
});

describe('an entry of the mode', () => {
  it('warn lets the zone be created with a warning and one event, which names it', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)warned\\.$', mode: 'warn' });
    const answer = await create('a.warned.');
    expect([answer.status, answer.headers.get('warning')]).toEqual([202, WARNING]);
    expect(eventsOf(answer)).toMatchObject([
      {
        event: 'zone.created_noted',
        audit: true,
        zone: 'a.warned.',
        zone_id: answer.json.id,
        project: 'mine',
        blacklists: [{ id, mode: 'warn' }],
        found: 1,
      },
    ]);
  });

  it('audit lets it be created with an event alone', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)audited\\.$', mode: 'audit' });
    const answer = await create('a.audited.');
    expect([answer.status, answer.headers.get('warning')]).toEqual([202, null]);
    expect(eventsOf(answer)).toMatchObject([
      { event: 'zone.created_noted', blacklists: [{ id, mode: 'audit' }], found: 1 },
    ]);
  });

  it('enforce refuses what others of the two would let pass', async () => {
    for (const mode of ['audit', 'warn']) await blacklist({ pattern: `(^|\\.)mixed\\.$|${mode}^`, mode });
    expect((await create('a.mixed.')).headers.get('warning')).toBe(WARNING);
    await blacklist({ pattern: '^b\\.mixed\\.$' });
    const answer = await create('b.mixed.');
    expect([answer.status, answer.json.message]).toEqual([400, 'Blacklisted domain name']);
    expect(answer.headers.get('warning')).toBeNull();
    expect(eventsOf(answer)).toMatchObject([{ event: 'refused.blacklist' }]);
  });

  it('warn says so of an import, too, and again where the answer is given again', async () => {
    const body = '@ 60 SOA ns.filed.warned. a.filed.warned. 1 60 60 60 60\n';
    const text = `$ORIGIN filed.warned.\n${body}`;
    const send = () =>
      service.request('POST', '/v2/zones/tasks/imports', {
        token: member,
        body: text,
        headers: { 'content-type': 'text/dns', 'idempotency-key': 'filed' },
      });
    const answers = [await send(), await send()];
    for (const { status, headers } of answers)
      expect([status, headers.get('warning')]).toEqual([202, WARNING]);
    expect(answers[1]!.headers.get('idempotency-replayed')).toBe('true');
    expect(answers.flatMap(eventsOf).map(({ event }) => event)).toEqual(['zone.created_noted']);
  });

  it('audit tells one event of all that match, which names 100 of them and their number', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 103; i++)
      ids.push((await blacklist({ pattern: `^a\\.crowd\\.$|never${i}^`, mode: 'audit' })).id);
    const answer = await create('a.crowd.');
    expect(answer.status).toBe(202);
    const [event, ...more] = eventsOf(answer);
    expect(more).toEqual([]);
    expect(event!.found).toBe(103);
    expect(event!.blacklists).toEqual(ids.slice(0, 100).map((id) => ({ id, mode: 'audit' })));
  });

  it('changes what creates meet from the answer on, each time', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)turned\\.$' });
    for (const [round, mode] of ['audit', 'enforce', 'warn', 'enforce', 'audit', 'warn'].entries()) {
      expect((await change(id, { mode })).mode ?? 'enforce').toBe(mode);
      const { status, headers } = await create(`z${round}.turned.`);
      expect([mode, status]).toEqual([mode, mode === 'enforce' ? 400 : 202]);
      expect(headers.get('warning')).toBe(mode === 'warn' ? WARNING : null);
    }
  });
});

describe('an exception', () => {
  it('lets a project, a name, or a name of a project pass', async () => {
    const { id } = await blacklist({
      pattern: '(^|\\.)excepted\\.$',
      exceptions: [
        { project_id: 'other' },
        { name: 'all.excepted.' },
        { project_id: 'mine', name: 'own.excepted.' },
      ],
    });
    expect((await create('a.excepted.', other)).status).toBe(202);
    expect((await create('all.excepted.')).status).toBe(202);
    expect((await create('OWN.excepted.')).status).toBe(202);
    for (const name of ['b.excepted.', 'x.all.excepted.', 'x.own.excepted.', 'excepted.excepted.'])
      expect([name, (await create(name)).status]).toEqual([name, 400]);
    await change(id, { exceptions: [] });
    expect((await create('c.excepted.', other)).status).toBe(400);
  });

  it('is needed from each entry that matches', async () => {
    const exceptions = [{ project_id: 'mine' }];
    const { id } = await blacklist({ pattern: '(^|\\.)twice\\.$', exceptions });
    const second = await blacklist({ pattern: '^b\\.twice\\.$', exceptions: [{ project_id: 'other' }] });
    expect((await create('a.twice.')).status).toBe(202);
    const refused = await create('b.twice.');
    expect(refused.status).toBe(400);
    expect(eventsOf(refused)).toMatchObject([{ blacklist: second.id }]);
    await change(second.id, { exceptions });
    expect((await create('b.twice.')).status).toBe(202);
    expect((await create('c.twice.', other)).status).toBe(400);
    await change(id, { exceptions: null });
    expect((await create('c.twice.')).status).toBe(400);
  });

  it('that is over lets nothing pass', async () => {
    const exceptions = [{ project_id: 'mine', expires_at: PAST }];
    await blacklist({ pattern: '(^|\\.)over\\.$', exceptions });
    expect((await create('a.over.')).status).toBe(400);
  });

  it('keeps a warning from those that it is for', async () => {
    await blacklist({ pattern: '(^|\\.)quiet\\.$', mode: 'warn', exceptions: [{ project_id: 'mine' }] });
    const answer = await create('a.quiet.');
    expect([answer.status, answer.headers.get('warning')]).toEqual([202, null]);
    expect(eventsOf(answer)).toMatchObject([{ event: 'zone.created' }]);
    expect((await create('b.quiet.', other)).headers.get('warning')).toBe(WARNING);
  });
});

describe('an expiry', () => {
  const expiredEvents = (id: string) =>
    service.logged.filter(({ event, blacklist: of }) => event === 'blacklist.expired' && of === id);

  it('ends the entry for zones that are created from that instant on, and for none before', async () => {
    const expiresAt = later(now(), 1500);
    const { id } = await blacklist({ pattern: '(^|\\.)ending\\.$', expires_at: expiresAt });
    const statuses: number[] = [];
    const created: string[] = [];
    await eventually(async () => {
      const { status, json } = await create(`z${statuses.length}.ending.`);
      statuses.push(status);
      if (status === 202) created.push(json.created_at);
      return created.length >= 3 ? true : undefined;
    });
    expect(statuses[0]).toBe(400);
    for (const createdAt of created) expect(createdAt >= expiresAt).toBe(true);
    expect((await shown(id)).expires_at).toBe(expiresAt);
  });

  it('is told once, leaves the entry listed, and is told again for another one', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)told\\.$', expires_at: PAST });
    await eventually(() => expiredEvents(id)[0]);
    expect(await shown(id)).toMatchObject({ id, expires_at: PAST });
    expect((await create('a.told.')).status).toBe(202);
    await change(id, { mode: 'warn' });
    expect((await create('b.told.')).headers.get('warning')).toBeNull();
    await change(id, { mode: 'enforce', expires_at: FAR });
    expect((await create('c.told.')).status).toBe(400);
    await change(id, { expires_at: '2002-01-01T00:00:00' });
    expect((await create('c.told.')).status).toBe(202);
    await eventually(() => expiredEvents(id)[1]);
    await change(id, { expires_at: null });
    expect((await create('d.told.')).status).toBe(400);
    // Another entry ends after all that could still be told of this one.
    const last = await blacklist({ pattern: '^last\\.told\\.$', expires_at: PAST });
    await eventually(() => expiredEvents(last.id)[0]);
    expect(expiredEvents(id)).toHaveLength(2);
    expect((await admin('DELETE', `/v2/blacklists/${last.id}`)).status).toBe(204);
  });

  it('is the same after a restart', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)kept\\.$', expires_at: PAST });
    const still = await blacklist({
      pattern: '(^|\\.)held\\.$',
      expires_at: FAR,
      exceptions: [{ name: 'free.held.' }],
    });
    await blacklist({ pattern: '(^|\\.)noted\\.$', mode: 'warn' });
    await eventually(() => expiredEvents(id)[0]);
    await service.restart();
    expect((await create('a.kept.')).status).toBe(202);
    expect((await create('a.held.')).status).toBe(400);
    expect((await create('free.held.')).status).toBe(202);
    expect((await create('a.noted.')).headers.get('warning')).toBe(WARNING);
    expect((await admin('DELETE', `/v2/blacklists/${still.id}`)).status).toBe(204);
    expect((await create('a.held.')).status).toBe(202);
  });
});

describe('the hits of an entry', () => {
  const hitsOf = (id: string, expected: object) =>
    eventually(async () => {
      const { hits } = await shown(id);
      const isThere = Object.entries(expected).every(([key, count]) => hits?.[key] === count);
      return isThere ? hits : undefined;
    });

  it('are counted by what became of the creates, and stay with a change of its terms, not of its pattern', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)hits\\.$' });
    const start = formatMicroseconds(Date.now() * 1000 - 1_000_000);
    for (const name of ['a.hits.', 'b.hits.']) await create(name);
    const first = await hitsOf(id, { refused: 2, warned: 0, audited: 0 });
    expect(Object.keys(first)).toEqual(['refused', 'warned', 'audited', 'last_at']);
    expect(first.last_at > start).toBe(true);
    await change(id, { mode: 'warn' });
    await create('a.hits.');
    await change(id, { mode: 'audit' });
    await create('b.hits.');
    await create('c.hits.');
    const second = await hitsOf(id, { refused: 2, warned: 1, audited: 2 });
    expect(second.last_at > first.last_at).toBe(true);
    await change(id, { description: 'x', exceptions: [{ name: 'free.hits.' }], expires_at: FAR });
    expect((await shown(id)).hits).toEqual(second);
    await change(id, { pattern: '^otherwise\\.hits\\.$' });
    expect((await shown(id)).hits).toBeUndefined();
  });

  it('are counted for every entry that was found, and for none that an exception passes over', async () => {
    const exceptions = [{ project_id: 'mine', expires_at: PAST }];
    const two = [
      await blacklist({ pattern: '(^|\\.)every\\.$', exceptions }),
      await blacklist({ pattern: '(^|\\.)every\\.$|never^', exceptions }),
    ];
    const passed = await blacklist({ pattern: '^a\\.every\\.$', exceptions: [{ project_id: 'mine' }] });
    expect((await create('a.every.')).status).toBe(400);
    for (const { id } of two) await hitsOf(id, { refused: 1 });
    expect((await shown(passed.id)).hits).toBeUndefined();
  });

  it('and marks change no revision: a create goes on meanwhile', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)still\\.$', mode: 'audit' });
    for (let round = 0; round < 5; round++) expect((await create(`z${round}.still.`)).status).toBe(202);
    await hitsOf(id, { audited: 5 });
    expect((await shown(id)).updated_at).toBeNull();
  });

  it('are kept when the service stops', async () => {
    const { id } = await blacklist({ pattern: '(^|\\.)stopped\\.$' });
    await create('a.stopped.');
    await service.restart();
    expect((await shown(id)).hits).toMatchObject({ refused: 1, warned: 0, audited: 0 });
  });
});

describe('a refusal', () => {
  it('says whom to ask where the operator has said so, beside the message of the document', async () => {
    await blacklist({ pattern: '^hinted\\.example\\.$' });
    expect((await create('hinted.example.')).json).not.toHaveProperty('hint');
    await service.restart({
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '0',
      ZONEWARDEN_DEFAULT__BLACKLIST_CONTACT: 'names@example.org',
      ZONEWARDEN_DEFAULT__QUOTA_CONTACT: 'the DNS team',
    });
    expect((await create('hinted.example.')).json).toMatchObject({
      type: 'invalid_zone_name',
      message: 'Blacklisted domain name',
      hint: 'Ask names@example.org.',
    });
    const over = await create('unhinted.example.');
    expect([over.status, over.json.hint]).toEqual([413, 'Ask the DNS team.']);
    expect(eventsOf(over)).toMatchObject([{ event: 'refused.quota' }]);
    await service.restart();
  });
});
