import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask, spawnService, startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it.each(['SIGTERM', 'SIGINT'] as const)('%s: finishes what is in flight, then exits 0', async (signal) => {
  const service = await startProcess({ dataDir: folder.path });
  const text = JSON.stringify({ name: 'flight.example.', email: 'a@example.org' });
  const headers = {
    'x-auth-token': service.admin,
    'content-type': 'application/json',
    'content-length': text.length,
    expect: '100-continue',
  };
  const flight = httpRequest(`${service.url}/v2/zones`, { method: 'POST', headers });
  flight.flushHeaders();
  await once(flight, 'continue');
  service.child.kill(signal);
  while (!service.output.err.includes('stopping')) await once(service.child.stderr!, 'data');
  flight.end(text);
  const [response] = await once(flight, 'response');
  response.resume();
  expect(response.statusCode).toBe(202);
  expect(await service.ended).toMatchObject({ status: 0, signal: null });
});

it('SIGTERM: a connection on which nothing was asked holds nobody up', async () => {
  const service = await startProcess({ dataDir: folder.path });
  const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'connect');
  await service.request('GET', '/healthcheck');
  expect(await service.end()).toMatchObject({ status: 0 });
});

it('says in one line that the port is taken', async () => {
  const service = await startProcess({ dataDir: folder.path });
  const other = temporaryFolder();
  const env = { ZONEWARDEN_SERVICE_API__LISTEN: new URL(service.url).host };
  const { status, err } = await spawnService({ dataDir: other.path, env }).ended;
  expect({ status }).toEqual({ status: 2 });
  expect(err).toMatch(/^zonewarden: \[service:api\] listen: [^\n]*EADDRINUSE[^\n]*\n$/);
  await service.end('SIGKILL');
  other.remove();
});

it('logs one line a request, and never a token', async () => {
  const service = await startProcess({ dataDir: folder.path });
  const tokens = [service.admin, `zw_${'0'.repeat(16)}_${'s'.repeat(43)}`];
  const answers = [];
  for (const token of tokens) answers.push(await ask(service.url, 'GET', '/v2/zones', { token }));
  const { out, err } = await service.end();
  for (const token of tokens) expect(out + err).not.toContain(token.slice(20));
  const lines = err
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const answer of answers) {
    const id = answer.headers.get('x-openstack-request-id');
    const own = lines.filter((line) => line.request_id === id && line.msg === 'request');
    expect(own).toEqual([expect.objectContaining({ status: answer.status, ms: expect.any(Number) })]);
  }
  expect(lines.find((line) => line.status === 200)).toMatchObject({ project: 'admin' });
});

it('loses no acknowledged zone to kill -9', async () => {
  const kept: string[] = [];
  for (let round = 0; round < 3; round++) {
    const service = await startProcess({
      dataDir: folder.path,
      env: { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' },
    });
    for (const name of kept) expect((await service.create(name)).status).toBe(409);
    const burst = Array.from({ length: 40 }, async (_, number) => {
      const name = `z${round}-${number}.example.`;
      const answer = await service.create(name).catch(() => undefined);
      if (answer?.status === 202) kept.push(name);
      if (kept.length === round * 15 + 15) service.child.kill('SIGKILL');
    });
    await Promise.all(burst);
    await service.end('SIGKILL');
  }
  expect(kept.length).toBeGreaterThan(0);
});
