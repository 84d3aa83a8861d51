/** Certificates for names of zones that a name server really answers. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { account, type Desk, follow, newDesk, shown } from '../../support/clients/page.ts';
import { type Pebble, startPebble } from '../../support/clients/pebble.ts';

/** Each call of the openstack command takes a second or two, and they wait for one another. */
const PATIENCE = { timeout: 600_000 };
const SERVER = 'https://acme.example.com/directory';

let pebble: Pebble;
let desk: Desk;
beforeAll(async () => {
  pebble = await startPebble();
  desk = newDesk();
  await follow(desk, 'lego', 'The script');
});
afterAll(async () => {
  desk?.remove();
  await pebble?.remove();
});

/** The account, its zone, and trust in the authority. */
function withZone(name: string): string {
  const create = `openstack zone create --email hostmaster@example.org ${name} -f value -c name > zone`;
  return [account(), pebble.trust, create].join('\n');
}

async function challengesIn(zone: string): Promise<string> {
  return (await desk.sh(`${account()}\nopenstack recordset list ${zone} --type TXT -f value -c name`)).out;
}

it('lego obtains one for a name and its wildcard', PATIENCE, async () => {
  const { host, port } = inject('cloud').nameServer;
  const own = { [SERVER]: pebble.directory, '--dns exec': `--dns exec --dns.resolvers ${host}:${port}` };
  const out = await follow(desk, 'lego', 'A certificate', own, withZone('lego.example.org.'));
  expect(out.endsWith(shown('lego', 'A certificate')), out).toBe(true);
  expect(await challengesIn('lego.example.org.')).toBe('');
});

it('dehydrated obtains one', PATIENCE, async () => {
  const own = { [SERVER]: pebble.directory };
  const out = await follow(desk, 'dehydrated', 'dehydrated', own, withZone('dehydrated.example.org.'));
  expect(out.endsWith(shown('dehydrated', 'dehydrated')), out).toBe(true);
  expect(await challengesIn('dehydrated.example.org.')).toBe('');
});
