import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const REQUESTS = '/v2/zones/tasks/transfer_requests';
const ACCEPTS = '/v2/zones/tasks/transfer_accepts';

let service: TestService;
let seller: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  seller = await service.token('seller', 'member');
});
afterAll(() => service.remove());

interface Offer {
  readonly id: string;
  readonly key: string;
  readonly zone_id: string;
}

let zonesMade = 0;
const ask = (method: string, path: string, token: string, body?: unknown) =>
  service.request(method, path, { token, body });
async function makeOffer(records: readonly string[][] = [], body?: object): Promise<Offer> {
  const name = `zone-${++zonesMade}.example.org.`;
  const zone = (await ask('POST', '/v2/zones', seller, { name, email: 'a@example.org' })).json;
  for (const [place, texts] of records.entries()) {
    const recordset = { name: `r${place}.${name}`, type: 'A', records: texts };
    await ask('POST', `/v2/zones/${zone.id}/recordsets`, seller, recordset);
  }
  return (await ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, seller, body)).json;
}
const accept = (request: Offer, token: string, key = request.key) =>
  ask('POST', ACCEPTS, token, { zone_transfer_request_id: request.id, key });
const setQuotas = (project: string, quotas: object) =>
  ask('PATCH', `/v2/quotas/${project}`, service.admin, quotas);
const usedZones = async (project: string) =>
  (await ask('GET', `/v2/quotas/${project}/usage`, service.admin)).json.usage.zones;
const count = (answers: Answer[], status: number) => answers.filter((one) => one.status === status).length;

it('lets exactly one of two projects have a zone that both accept at once', async () => {
  const projects = ['left', 'right'];
  const tokens = await Promise.all(projects.map((project) => service.token(project, 'member')));
  for (let round = 0; round < 10; round++) {
    const request = await makeOffer();
    const answers = await Promise.all(tokens.map((token) => accept(request, token)));
    expect([count(answers, 201), count(answers, 400)]).toEqual([1, 1]);
    const winner = answers.findIndex(({ status }) => status === 201);
    const seen = await Promise.all(tokens.map((token) => ask('GET', `/v2/zones/${request.zone_id}`, token)));
    expect(seen.map(({ status }) => status)).toEqual(winner === 0 ? [200, 404] : [404, 200]);
  }
  expect((await usedZones('left')) + (await usedZones('right'))).toBe(10);
});

it('either hands over a zone or deletes it when both are asked for at once', async () => {
  const taker = await service.token('taker', 'member');
  const before = await usedZones('seller');
  let taken = 0;
  for (let round = 0; round < 10; round++) {
    const request = await makeOffer([['192.0.2.1']]);
    const remove = () => ask('DELETE', `/v2/zones/${request.zone_id}`, seller);
    const take = () => accept(request, taker);
    const answers =
      round % 2 === 0
        ? await Promise.all([take(), remove()])
        : (await Promise.all([remove(), take()])).reverse();
    const [accepted, deleted] = answers.map(({ status }) => status);
    expect([
      [201, 404],
      [404, 202],
    ]).toContainEqual([accepted, deleted]);
    if (accepted === 201) taken++;
  }
  expect([await usedZones('taker'), await usedZones('seller')]).toEqual([taken, before]);
});

it('fills the quota of the receiver exactly when many zones are accepted at once', async () => {
  const token = await service.token('small', 'member');
  await setQuotas('small', { zones: 4 });
  const requests: Offer[] = [];
  for (let n = 0; n < 12; n++) requests.push(await makeOffer());
  const sold = await usedZones('seller');
  const answers = await Promise.all(requests.map((request) => accept(request, token)));
  expect([count(answers, 201), count(answers, 413)]).toEqual([4, 8]);
  expect([await usedZones('small'), await usedZones('seller')]).toEqual([4, sold - 4]);
  const refused = requests[answers.findIndex(({ status }) => status === 413)]!;
  const answer = await accept(refused, token);
  expect(answer.json).toMatchObject({ code: 413, type: 'over_quota' });
  expect(answer.json.message).toContain('zones: the limit is 4, the usage is 4, and 5 would be needed');
  await setQuotas('small', { zones: 5 });
  expect((await accept(refused, token)).status).toBe(201);
});

it.each([
  ['zone_recordsets', 2, 'zone_recordsets: the limit is 2, the usage is 0, and 3 would be needed'],
  ['zone_records', 4, 'zone_records: the limit is 4, the usage is 0, and 5 would be needed'],
  ['recordset_records', 2, 'recordset_records: the limit is 2, the usage is 0, and 3 would be needed'],
])('refuses a zone that is beyond the limit %s of the receiver', async (key, limit, message) => {
  const project = `narrow-${key}`;
  const token = await service.token(project, 'member');
  const request = await makeOffer([['192.0.2.1', '192.0.2.2', '192.0.2.3'], ['192.0.2.1'], ['192.0.2.1']]);
  await setQuotas(project, { [key]: limit });
  expect((await accept(request, token)).json).toMatchObject({
    code: 413,
    message: expect.stringContaining(message),
  });
  expect(await usedZones(project)).toBe(0);
  await setQuotas(project, { [key]: limit + 1 });
  expect((await accept(request, token)).status).toBe(201);
});

it('takes no key any more after ten wrong ones, and says so', async () => {
  const token = await service.token('guesser', 'member');
  const request = await makeOffer();
  for (let left = 9; left > 0; left--) {
    const { json } = await accept(request, token, request.key.toLowerCase());
    expect(json).toMatchObject({
      code: 403,
      type: 'invalid_key',
      message: expect.stringContaining(`${left} more`),
    });
  }
  expect((await accept(request, token, '')).json.message).toContain('accepts no more');
  expect((await accept(request, token)).json).toMatchObject({
    code: 403,
    type: 'invalid_key',
    message: expect.stringContaining('create a new request'),
  });
  expect((await ask('GET', `${REQUESTS}/${request.id}`, seller)).json.status).toBe('ERROR');
  const again = await ask('POST', `/v2/zones/${request.zone_id}/tasks/transfer_requests`, seller);
  expect((await accept(again.json, token)).status).toBe(201);
});

it('counts the wrong keys of all who guess at once, and after a restart', async () => {
  const tokens = await Promise.all(['a', 'b', 'c'].map((one) => service.token(`guesser-${one}`, 'member')));
  const request = await makeOffer();
  const spare = await makeOffer();
  const guesses = await Promise.all(
    tokens.flatMap((token) => [1, 2, 3].map(() => accept(request, token, 'NO'))),
  );
  expect(count(guesses, 403)).toBe(9);
  expect((await accept(spare, tokens[0]!, 'NO')).json.message).toContain('9 more');
  await service.restart();
  expect((await accept(request, tokens[0]!, 'NO')).json.message).toContain('accepts no more');
  expect((await accept(request, tokens[0]!)).status).toBe(403);
  expect((await accept(spare, tokens[0]!)).status).toBe(201);
});

it('counts no guess of a project that the request is not for', async () => {
  const request = await makeOffer([], { target_project_id: 'invited' });
  const stranger = await service.token('stranger', 'member');
  for (let n = 0; n < 11; n++) expect((await accept(request, stranger, 'NO')).json.type).toBe('forbidden');
  expect((await accept(request, await service.token('invited', 'member'))).status).toBe(201);
});

it('writes no key into the log', async () => {
  const request = await makeOffer();
  const token = await service.token('logged', 'member');
  await accept(request, token, 'WRONGWRONGWRONG');
  await accept(request, token);
  const lines = JSON.stringify(service.logged);
  expect(lines).toContain('transferred a zone');
  expect(lines).not.toContain(request.key);
  expect(lines).not.toContain('WRONGWRONGWRONG');
});
