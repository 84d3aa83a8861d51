/** Certificates for names of zones that a name server really answers. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { account, type Desk, follow, newDesk, shown } from '../../support/clients/page.ts';
import { type Pebble, startPebble } from '../../support/clients/pebble.ts';
import {
  environmentOf,
  makeKey,
  makeZone,
  narrower,
  type Permissions,
  permissionsOf,
  recordsIn,
} from '../../support/clients/updating.ts';

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

/** A client that writes by DNS UPDATE, and what stands in the place of words of its page. */
interface UpdatingClient {
  readonly page: string;
  readonly section: string;
  readonly zone: string;
  /** Refusals that are tried, at most: each takes some clients many seconds. */
  readonly refusals: number;
  own(): Readonly<Record<string, string>>;
}

const toPrimary = { '192.0.2.10': '127.0.0.1' };
const CLIENTS: readonly UpdatingClient[] = [
  {
    page: 'certbot',
    section: 'A certificate',
    zone: 'certbot.example.org.',
    refusals: 3,
    own: () => ({ ...toPrimary, '5354': `${inject('cloud').primaryPort}` }),
  },
  {
    page: 'lego',
    section: 'With a TSIG key',
    zone: 'lego-key.example.org.',
    refusals: 3,
    own() {
      const { host, port } = inject('cloud').nameServer;
      return {
        '192.0.2.11:53': `${host}:${port}`,
        '--dns rfc2136': `--dns rfc2136 --dns.resolvers ${host}:${port}`,
      };
    },
  },
  {
    page: 'dehydrated',
    section: 'dehydrated with a TSIG key',
    zone: 'dehydrated-key.example.org.',
    refusals: 1,
    own() {
      const { nameServer, primaryPort } = inject('cloud');
      const server = `${nameServer.host} -p ${nameServer.port}`;
      return { ...toPrimary, '5354': `${primaryPort}`, '@192.0.2.11': `@${server}` };
    },
  },
];

describe.each(CLIENTS)('$page with a TSIG key', ({ page, section, zone, refusals, own }) => {
  const permissions = permissionsOf(page, section);
  let zoneId: string;
  beforeAll(async () => {
    zoneId = await makeZone(zone);
  });

  async function obtain(allowed: Permissions): Promise<string> {
    const before = [environmentOf(await makeKey(zoneId, allowed)), pebble.trust].join('\n');
    return follow(desk, page, section, { [SERVER]: pebble.directory, ...own() }, before);
  }

  it.each(narrower(permissions).slice(0, refusals))(
    'is refused with less in "%s"',
    PATIENCE,
    async (_, less) => {
      await expect(obtain(less)).rejects.toThrow('REFUSED');
      expect(await recordsIn(zoneId)).toEqual({});
    },
  );

  it('obtains a certificate with the permissions of the page', PATIENCE, async () => {
    const out = await obtain(permissions);
    expect(out.endsWith(shown(page, section)), out).toBe(true);
    expect(await recordsIn(zoneId)).toEqual({});
  });
});
