import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { importFile, zoneFile } from '../support/zone-files.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

const LARGE = 2_000_000;
const padded = (name: string) => zoneFile(name, `; ${'x'.repeat(LARGE)}`);

/** Begins to send a large zone file and stops halfway; begins again when it finds no place. */
function beginUpload(token: string): { destroy(): void } {
  const uploading = httpRequest(`${service.url}/v2/zones/tasks/imports`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'text/dns', 'content-length': LARGE },
  });
  let present: { destroy(): void } = uploading;
  uploading.on('error', () => {});
  uploading.on('response', () => {
    uploading.destroy();
    present = beginUpload(token);
  });
  uploading.write('; half');
  return { destroy: () => present.destroy() };
}

const PATIENT = { timeout: 60_000 };

/** Imports again and again until there is a place. */
async function imported(token: string, name: string) {
  for (let attempt = 0; ; attempt++) {
    const answer = await importFile(service, token, padded(name));
    if (answer.status !== 503 || attempt === 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('takes so many large files at a time and no more, fewer of one project, and small ones always', async () => {
  const [one, two, three] = await Promise.all(
    ['one', 'two', 'three'].map((project) => service.token(project, 'member')),
  );
  const first = [beginUpload(one!), beginUpload(one!)];
  await expect
    .poll(async () => (await importFile(service, one!, padded('a.example.'))).status, PATIENT)
    .toBe(503);
  const refused = await importFile(service, one!, padded('b.example.'));
  expect(refused.json).toMatchObject({ code: 503, type: 'service_unavailable' });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await importFile(service, one!, zoneFile('small.example.'))).status).toBe(202);
  expect((await importFile(service, two!, padded('two.example.'))).status).toBe(202);
  const second = [beginUpload(two!), beginUpload(two!)];
  await expect
    .poll(async () => (await importFile(service, three!, padded('three.example.'))).status, PATIENT)
    .toBe(503);
  for (const upload of [...first, ...second]) upload.destroy();
  expect((await imported(one!, 'after.example.')).status).toBe(202);
  // The places of those that were taken are free again.
  for (const at of [1, 2, 3]) expect((await imported(three!, `after${at}.example.`)).status).toBe(202);
});

it('takes several large files of different projects one after the other', async () => {
  const tokens = await Promise.all(
    ['p1', 'p2', 'p3', 'p4'].map((project) => service.token(project, 'member')),
  );
  const answers = await Promise.all(
    tokens.map((token, at) => importFile(service, token, padded(`many${at}.example.`))),
  );
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
});
