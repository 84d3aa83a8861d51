/** Words stay whole, and tables fit, with contents as long as people write them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  barriersOn,
  faultsOfLayoutOn,
  logIn,
  openPage,
  overflowOf,
  picture,
  startBrowser,
} from '../support/console/browser.ts';
import { seeded, seededList, seededZone, type Tokens } from '../support/console/seeded.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

const PROJECT = '7f3c2a90b1d84e6f9a5c0e1d2b3a4c5d';
const folder = temporaryFolder();
let service: ServiceProcess;
let browser: Browser;
let tokens: Tokens;
let zone: string;
beforeAll(async () => {
  service = await startProcess({ dataDir: folder.path });
  tokens = await seeded(service);
  zone = await seededZone(service, tokens.member);
  await seededList(service);
  const asAdmin = (path: string, body: unknown) =>
    service.request('POST', path, { token: service.admin, body });
  await asAdmin('/v2/blacklists', {
    pattern: '^([A-Za-z0-9_\\-]+\\.)*(secure|login|account|verify|update)-[a-z0-9-]+\\.example\\.net\\.$',
    description: 'Names that look like the login page of a bank, requested by the security team',
    mode: 'enforce',
    expires_at: '2030-12-31T23:59:00Z',
    exceptions: [{ project_id: PROJECT, name: null, description: null, expires_at: null }],
  });
  const { json } = await asAdmin('/v2/tokens', {
    project_id: PROJECT,
    user_id: PROJECT,
    roles: ['member', 'reader'],
    expires_at: '90d',
    description: 'Builds',
  });
  await service.create('project-with-a-long-name.example.', json.token);
  const description = 'The shop of the museum, run by the department for communication';
  const path = `/v2/zones/${zone}`;
  await service.request('PATCH', path, { token: tokens.member, body: { description, ttl: 7200 } });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.end();
  folder.remove();
});

const seen = (name: string | RegExp) => (page: Page) => page.getByText(name).first().waitFor();
const click =
  (role: 'button' | 'link', name: string | RegExp, then: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole(role, { name }).first().click();
    await page.getByRole('dialog').getByText(then).first().waitFor();
  };

const SHOWN: readonly (readonly [
  name: string,
  path: string | (() => string),
  show: (page: Page) => Promise<void>,
])[] = [
  ['overview', '', seen('Projects closest to their limits')],
  ['zones', '/zones', seen('project-with-a-long-name')],
  ['zone', () => `/zones/${zone}`, seen('192.0.2.1')],
  ['zone-deletion', '/zones', click('button', 'Delete shop.example.org.', 'Updated')],
  [
    'recordset-deletion',
    () => `/zones/${zone}`,
    click('button', /^Delete www\.shop/, 'It will also disappear'),
  ],
  ['blacklists', '/blacklists', seen('Names that look like')],
  ['entry', '/blacklists', click('link', /secure\|login/, 'zones match')],
  ['lists', '/blacklists/lists', seen('Apply to all')],
  ['quotas', '/quotas', seen(PROJECT)],
  ['history', '/history', seen('blacklist.created')],
  ['event', '/history?type=zone.changed', click('button', /^zone\.changed/, 'Before')],
  ['event-created', '/history?type=blacklist.created', click('button', /^blacklist\.created/, 'Position')],
  ['tokens', '/tokens', seen('yours')],
];

describe.each([1280, 360])('at %i pixels', (width) => {
  it.each(SHOWN)('%s is whole', async (name, path, show) => {
    const { page, complaints, close } = await openPage(browser, { viewport: { width, height: 800 } });
    await page.goto(`${service.url}/console${typeof path === 'string' ? path : path()}`);
    await logIn(page, service.admin);
    await show(page);
    await picture(page, `layout-${name}-${width}`);
    expect(await faultsOfLayoutOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await barriersOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
