import { afterAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { run, startProcess, temporaryFolder } from '../../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it('answers 503 while nothing can be written, half writes nothing, and goes on when there is room', async () => {
  const service = await startProcess({
    dataDir: folder.path,
    env: { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '1' },
  });
  const limit = (size: string) => run(['prlimit', '--pid', String(service.pid), `--fsize=${size}:`]);
  try {
    expect((await limit('1024')).status).toBe(0);
    for (let time = 0; time < 3; time++) {
      const refused = await service.create('room.example.');
      expect(refused).toMatchObject({ status: 503, json: { code: 503, type: 'service_unavailable' } });
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      const list = await service.request('GET', '/v2/zones', { token: service.admin });
      expect(list).toMatchObject({ status: 200, json: { zones: [], metadata: { total_count: 0 } } });
    }
    // Each refusal is the same error line again.
    const refusals = await Promise.all(Array.from({ length: 40 }, () => service.create('room.example.')));
    for (const { status } of refusals) expect(status).toBe(503);
    const failures = await eventually(() => {
      const lines = service.log.filter(({ msg }) => msg === 'request failed');
      const leftOut = lines.reduce((sum, { left_out = 0 }) => sum + Number(left_out), 0);
      return lines.length + leftOut === 3 + refusals.length ? lines : undefined;
    });
    expect(failures.length).toBeLessThan(3 + refusals.length);
    expect((await limit('unlimited')).status).toBe(0);
    // The quota of one zone has room for it still.
    expect((await service.create('room.example.')).status).toBe(202);
    expect((await service.create('more.example.')).status).toBe(413);
  } finally {
    await service.end('SIGKILL');
  }
});
