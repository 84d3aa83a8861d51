/** Every view as everybody sees it: without complaints of the browser, without barriers, at each width, dark and light. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  barriersOn,
  logIn,
  openPage,
  overflowOf,
  picture,
  startBrowser,
  type Watched,
} from '../support/console/browser.ts';
import { seeded, seededList, seededZone, type Tokens } from '../support/console/seeded.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

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
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.end();
  folder.remove();
});

/** Each view, and what is seen once it is there. */
const VIEWS: readonly (readonly [
  name: string,
  path: string | (() => string),
  seen: (page: Page) => Promise<void>,
])[] = [
  [
    'overview',
    '',
    async (page) => {
      await page.getByText('my.paypal.example.').first().waitFor();
      await page.getByRole('heading', { name: 'Projects closest to their limits' }).waitFor();
      await page.getByText('shop', { exact: true }).first().waitFor();
    },
  ],
  [
    'names',
    '/names?name=x.paypal.bücher.example',
    async (page) => {
      await page.getByText('cannot be created').waitFor();
      await page.locator('mark').nth(1).waitFor();
    },
  ],
  ['zones', '/zones', (page) => page.getByText('casino-royale.example.').first().waitFor()],
  ['zone', () => `/zones/${zone}`, (page) => page.getByRole('cell', { name: '192.0.2.1' }).waitFor()],
  ['recordset-new', () => `/zones/${zone}/new`, (page) => page.getByRole('dialog').waitFor()],
  ['zone-import', '/zones/import', (page) => page.getByRole('dialog').waitFor()],
  ['transfers', '/zones/transfers', (page) => page.getByText('No offers yet.').waitFor()],
  ['transfer-accept', '/zones/transfers/accept', (page) => page.getByRole('dialog').waitFor()],
  [
    'blacklist-lists',
    '/blacklists/lists',
    (page) => page.getByRole('dialog').getByRole('link', { name: 'brands' }).waitFor(),
  ],
  ['zone-new', '/zones/new', (page) => page.getByRole('dialog').waitFor()],
  ['blacklists', '/blacklists', (page) => page.getByText('(^|\\.)paypal\\.').first().waitFor()],
  ['blacklist-new', '/blacklists/new', (page) => page.getByRole('dialog').waitFor()],
  ['blacklist-import', '/blacklists/import', (page) => page.getByRole('dialog').waitFor()],
  ['quotas', '/quotas', (page) => page.getByRole('link', { name: 'shop' }).waitFor()],
  ['limits', '/quotas/shop', (page) => page.getByRole('dialog').getByLabel('Zones').waitFor()],
  ['history', '/history?type=zone.created', (page) => page.getByText('news.example.org.').first().waitFor()],
  ['tokens', '/tokens', (page) => page.getByText('yours').waitFor()],
  ['token-new', '/tokens/new', (page) => page.getByRole('dialog').waitFor()],
  ['nowhere', '/nowhere', (page) => page.getByRole('heading', { name: 'Page not found' }).waitFor()],
];

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
  { width: 2560, height: 1440 },
];
const WINDOWS = SIZES.flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

describe.each(WINDOWS)('at $viewport.width pixels, $colorScheme', ({ viewport, colorScheme }) => {
  const suffix = `${viewport.width}-${colorScheme}`;
  let watched: Watched;
  beforeAll(async () => {
    watched = await openPage(browser, { viewport, colorScheme, reducedMotion: 'reduce' });
  });
  afterAll(() => watched.close());

  async function expectWell(name: string): Promise<void> {
    const { page, complaints } = watched;
    expect(await barriersOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await picture(page, `${name}-${suffix}`);
    expect(complaints).toEqual([]);
  }

  it('the form to log in has no barrier', async () => {
    const { page } = watched;
    await page.goto(`${service.url}/console`);
    await page.getByLabel('Token', { exact: true }).waitFor();
    await expectWell('login');
    await page.getByLabel('Stay logged in').check();
    await logIn(page, service.admin);
  });

  it.each(VIEWS)('%s has no barrier, and no need to scroll sideways', async (name, path, seen) => {
    const { page } = watched;
    await page.goto(`${service.url}/console${typeof path === 'string' ? path : path()}`);
    await seen(page);
    await expectWell(name);
  });
});

describe('who may do less', () => {
  it.each([
    ['member', ['Overview', 'Names', 'Zones', 'History'], true],
    ['reader', ['Overview', 'Zones', 'History'], false],
  ] as const)('as a %s is offered less', async (role, views, canCreate) => {
    const { page, complaints, close } = await openPage(browser);
    await page.goto(`${service.url}/console`);
    await logIn(page, tokens[role]);
    const offered = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents();
    expect(offered).toEqual([...views]);
    await page.getByRole('link', { name: 'Zones', exact: true }).click();
    await page.getByText('shop.example.org.').first().waitFor();
    expect(await page.getByRole('link', { name: 'Create zone' }).count()).toBe(canCreate ? 1 : 0);
    expect(complaints).toEqual([]);
    await close();
  });

  it.each(['/zones/new', '/zones/import', '/zones/transfers/accept', '/blacklists/new', '/quotas/shop'])(
    'as a reader is not shown the form at %s',
    async (path) => {
      const { page, close } = await openPage(browser);
      await page.goto(`${service.url}/console${path}`);
      await logIn(page, tokens.reader);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await picture(page, 'reader-new');
      await close();
    },
  );

  it('as a reader is not shown the form of a new recordset', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${service.url}/console/zones/${zone}/new`);
    await logIn(page, tokens.reader);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await close();
  });
});
