import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Desk, follow, newDesk, resolved, shown } from '../../support/clients/page.ts';
import { documented, withOwn } from '../../support/name-servers/document.ts';

const SECTION = 'ddclient';
const HOST = 'home.ddclient.example.org';
const OTHER = 'office.ddclient.example.org';

let desk: Desk;
/** The command that sets the token. */
let token: string;
beforeAll(() => {
  desk = newDesk();
});
afterAll(() => desk?.remove());

/** Where the service of the tests is, by words of the page. */
const place = () => ({ 'ssl=yes': 'ssl=no', 'dns.example.com': new URL(inject('cloud').dns).host });

/** What ddclient says if it runs as the page shows, but with other words, and for the first time. */
async function told(own: Readonly<Record<string, string>> = {}, before = token): Promise<string> {
  const all = { ...place(), ...own, ' | grep SUCCESS': ' 2>&1 || true' };
  const commands = withOwn(documented(SECTION, 'sh', 0, 'docs/clients/ddclient.md'), all);
  return (await desk.sh(`${before}\nrm -f ddclient.cache\n${commands}`)).out;
}

it('does what the page shows', async () => {
  const own = { 'https://dns.example.com': inject('cloud').dns, '> zone.json': '> zone.json; echo "$TOKEN"' };
  token = `TOKEN=${(await follow(desk, 'ddclient', 'A token and a zone', own)).trim()}`;
  expect(await follow(desk, 'ddclient', SECTION, place(), token)).toBe(shown('ddclient', SECTION));
  for (const host of [HOST, OTHER]) expect(await resolved(`${host}.`, 'A')).toEqual(['192.0.2.80']);
});

it('is told that nothing changed, and sets what did', async () => {
  expect(await told()).toContain(`updating ${HOST}: nochg`);
  const out = await told({ '192.0.2.80': '192.0.2.81', [`, ${OTHER}`]: '' });
  expect(out).toContain(`updating ${HOST}: good: IP address set to 192.0.2.81`);
});

it('leaves it to the service to find its address', async () => {
  const out = await told({ 'use=ip, ip=192.0.2.80': "usev4=cmdv4, cmdv4='echo 192.0.2.82'" });
  expect(out).toContain(`updating ${HOST}: good: IP address set to 127.0.0.1`);
});

it('understands what is refused', async () => {
  expect(await told({ [OTHER]: 'home.nowhere.test' })).toContain('updating home.nowhere.test: nohost');
  expect(await told({}, 'TOKEN=zw_wrong')).toContain('authorization failed (HTTP/1.1 401 Unauthorized');
});
