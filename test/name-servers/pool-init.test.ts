import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { copyOfNamed, newPlace, type Place } from '../support/name-servers/place.ts';
import { commandsOn, run, type ServiceProcess, startProcess } from '../support/process.ts';

let place: Place | undefined;
let service: ServiceProcess | undefined;
afterEach(async () => {
  await service?.end();
  await place?.clear();
});

it.each(['bind', 'knot', 'powerdns'])(
  'pool init --%s writes what makes a server answer for new zones',
  async (brand) => {
    place = newPlace(await freePort());
    const { dataDir: home, port } = place;
    const data = join(dirname(home), 'store');
    const env = { ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}` };
    service = await startProcess({ dataDir: data, env });
    const command = commandsOn(data);
    const own = join(home, 'server');
    const listen = ['--listen', `127.0.0.1:${port}`];
    const made = await command(['pool', 'init', `--${brand}`, own, '--ns', 'ns1.example.net.', ...listen], {
      env,
    });
    expect([made.status, made.err]).toEqual([0, '']);
    const [start, apply] = made.out.trim().split('\n');
    const [program, ...args] = start!.split(' ');
    await place.start([program === 'named' ? copyOfNamed(dirname(home)) : program!, ...args]);
    const [, words] = / (pool apply .*)$/.exec(apply!)!;
    expect(await command(words!.split(' '), { env })).toMatchObject({ status: 0, err: '' });
    expect((await service.create('shop.example.org.')).status).toBe(202);
    const asked = ['dig', '@127.0.0.1', '-p', String(port), 'shop.example.org', 'NS', '+short'];
    const answer = await eventually(async () => {
      const { out } = await run(asked);
      return out.includes('example') ? out : undefined;
    });
    expect(answer).toBe('ns1.example.net.\n');
  },
);
