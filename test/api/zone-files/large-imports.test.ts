import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { itInFullRun } from '../../support/in-full-run.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_SERVICE_API__MIN_UPLOAD_RATE: '8192' });
});
afterAll(() => service.remove());

const LARGE = 2_000_000;
/** More than a body may have without a place, and less than the whole. */
const HALF = 1_080_000;
const padded = (name: string) => zoneFile(name, `; ${'x'.repeat(LARGE)}`);

interface Upload {
  /** The status and headers of the answer, if there is one. */
  readonly answer: Promise<{ status: number | undefined; headers: IncomingHttpHeaders }>;
  destroy(): void;
}

/** Announces a large zone file, sends so many bytes of it, and stops. */
function send(token: string, bytes: number): Upload {
  const uploading = httpRequest(`${service.url}/v2/zones/tasks/imports`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'text/dns', 'content-length': LARGE },
  });
  const answer = new Promise<Awaited<Upload['answer']>>((resolve) => {
    uploading.on('response', ({ statusCode: status, headers }) => resolve({ status, headers }));
  });
  uploading.on('error', () => {});
  uploading.write(Buffer.alloc(bytes, ';'));
  return { answer, destroy: () => uploading.destroy() };
}

/** Sends a file in pieces, several times as fast as it has to arrive, and for longer than that is looked at. */
async function sendSteadily(token: string, file: string): Promise<number | undefined> {
  const uploading = httpRequest(`${service.url}/v2/zones/tasks/imports`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'text/dns' },
  });
  const answer = once(uploading, 'response');
  uploading.write(file.slice(0, HALF));
  for (let start = HALF; start < file.length; start += 50_000) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    uploading.write(file.slice(start, start + 50_000));
  }
  uploading.end();
  const [{ statusCode }] = await answer;
  return statusCode;
}

/** Holds a place: sends half of a large zone file, and does so again whenever it is refused. */
function beginUpload(token: string): { destroy(): void } {
  let present = send(token, HALF);
  let isOver = false;
  void (async () => {
    while (!isOver) {
      await present.answer;
      present.destroy();
      if (!isOver) present = send(token, HALF);
    }
  })();
  return {
    destroy() {
      isOver = true;
      present.destroy();
    },
  };
}

/** Imports again and again until there is a place, or none: an upload that is refused leaves its place for a moment. */
function importedWith(status: number, token: string, name: string) {
  return until(async () => {
    const answer = await importFile(service, token, padded(name));
    expect(answer.status).toBe(status);
    return answer;
  });
}

it('takes so many large files at a time and no more, fewer of one project, and small ones always', async () => {
  const [one, two, three] = await Promise.all(
    ['one', 'two', 'three'].map((project) => service.token(project, 'member')),
  );
  const first = [beginUpload(one!), beginUpload(one!)];
  const refused = await importedWith(503, one!, 'a.example.');
  expect(refused.json).toMatchObject({ code: 503, type: 'service_unavailable' });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await importFile(service, one!, zoneFile('small.example.'))).status).toBe(202);
  expect((await importFile(service, two!, padded('two.example.'))).status).toBe(202);
  const second = [beginUpload(two!), beginUpload(two!)];
  await importedWith(503, three!, 'three.example.');
  for (const upload of [...first, ...second]) upload.destroy();
  await importedWith(202, one!, 'after.example.');
  // The places of those that were taken are free again.
  for (const at of [1, 2, 3]) await importedWith(202, three!, `after${at}.example.`);
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

it('whoever only announces large files takes no place, however many do', async () => {
  const tokens = await Promise.all(['idle1', 'idle2', 'idle3'].map((one) => service.token(one, 'member')));
  const idle = tokens.flatMap((token) => [1, 1000, 1_000_000].map((bytes) => send(token, bytes)));
  for (const [at, token] of tokens.entries()) {
    expect((await importFile(service, token, padded(`idle${at}.example.`))).status).toBe(202);
  }
  for (const upload of idle) upload.destroy();
});

itInFullRun(
  'a large file that stops arriving is refused, and its place is free again; a slow one is taken',
  async () => {
    const token = await service.token('stalled', 'member');
    const stalled = [send(token, HALF), send(token, HALF)];
    const other = await service.token('steady', 'member');
    const steady = sendSteadily(other, padded('steady.example.'));
    for (const { answer } of stalled) {
      expect(await answer).toMatchObject({ status: 408, headers: { connection: 'close' } });
    }
    expect((await importFile(service, token, padded('moving.example.'))).status).toBe(202);
    expect(await steady).toBe(202);
  },
);

it('a file that is refused for want of a place is read to its end, on a connection that serves on', async () => {
  const token = await service.token('refused', 'member');
  const held = [beginUpload(token), beginUpload(token)];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const upload = () =>
    new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
      const headers = { 'x-auth-token': token, 'content-type': 'text/dns' };
      const request = httpRequest(`${service.url}/v2/zones/tasks/imports`, {
        method: 'POST',
        headers,
        agent,
      });
      request.on('response', (response) => {
        const { localPort: port } = response.socket;
        response.resume().on('end', () => resolve({ status: response.statusCode, port }));
      });
      request.on('error', reject).end('; '.repeat(8_000_000));
    });
  await until(async () => {
    const [one, other] = [await upload(), await upload()];
    expect([one.status, other.status, other.port]).toEqual([503, 503, one.port]);
  });
  for (const upload of held) upload.destroy();
  agent.destroy();
});
