import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('SIGHUP is logged and changes nothing: the service goes on with the options that it has read', async () => {
  const service = await startProcess({ dataDir: folder.path });
  service.child.kill('SIGHUP');
  await eventually(() => service.log.find(({ signal }) => signal === 'SIGHUP'));
  expect((await service.create('still.example.')).status).toBe(202);
  expect(await service.end()).toMatchObject({ status: 0, signal: null });
});
