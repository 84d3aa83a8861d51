import { symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { withOwn } from '../support/name-servers/document.ts';
import { copyOfNamed, newPlace, type Place } from '../support/name-servers/place.ts';
import { commandBlocks } from '../support/packed.ts';
import { processesOf, signalAll } from '../support/postgres/keeper.ts';
import { run, type ServiceProcess, startProcess } from '../support/process.ts';
import { readmeSteps } from '../support/readme-steps.ts';

let place: Place | undefined;
let service: ServiceProcess | undefined;
afterEach(async () => {
  // In the background of a shell it ignores the signal with which its folder is cleared.
  if (place !== undefined) signalAll(processesOf(join(place.dataDir, 'bind')), 'SIGTERM');
  await service?.end();
  await place?.clear();
});

it('puts a BIND behind the service by the three lines of the README, word by word', async () => {
  place = newPlace(await freePort());
  const { dataDir: home, port } = place;
  const primary = await freePort();
  const data = join(dirname(home), 'store');
  service = await startProcess({
    dataDir: data,
    env: { ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${primary}` },
  });
  symlinkSync(resolve('dist'), join(home, 'dist'));
  const [lines] = commandBlocks('README.md', 'With a name server');
  expect(lines!.trim().split('\n')).toHaveLength(3);
  const own = withOwn(lines!, { '--bind bind': `--bind bind --listen 127.0.0.1:${port}` });
  const steps = readmeSteps(service.url).replace('data/admin.token', `${data}/admin.token`);
  const env = {
    ZONEWARDEN_DEFAULT__DATA_DIR: data,
    ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${primary}`,
    PATH: `${dirname(copyOfNamed(dirname(home)))}${delimiter}${process.env.PATH}`,
  };
  // What runs in the background would keep the output open.
  const { err } = await run(['sh', '-c', `(${steps}\n${own}) > out`], { cwd: home, env });
  const asked = ['dig', '@127.0.0.1', '-p', String(port), 'www.shop.example.org', '+short'];
  const answer = await eventually(async () => {
    const { out } = await run(asked);
    return /^192/.test(out) ? out : undefined;
  });
  expect([answer.trim().split('\n').sort(), err]).toEqual([['192.0.2.1', '192.0.2.2'], '']);
});
