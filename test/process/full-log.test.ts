import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await service.end('SIGKILL');
  folder.remove();
});

it('a service whose log cannot be written serves, and stops when it is told to', async () => {
  service = await startProcess({
    dataDir: folder.path,
    through: ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'],
    env: { ZONEWARDEN_DEFAULT__LOG_LEVEL: 'debug' },
  });
  for (let number = 0; number < 100; number++) {
    expect((await service.request('GET', '/livez')).status).toBe(200);
    expect((await service.create(`zone${number}.example.`)).status).toBe(number < 10 ? 202 : 413);
  }
  expect(await service.end()).toMatchObject({ status: 0, signal: null });
});
