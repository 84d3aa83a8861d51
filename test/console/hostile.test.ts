/** What others have stored, in every view: it stays text, is seen whole, and turns nothing beside it. */
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
import { deceptionsOn, hostile, SHOWN, type Stored, storeHostile } from '../support/console/hostile.ts';
import { seeded, type Tokens } from '../support/console/seeded.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

const folder = temporaryFolder();
let service: ServiceProcess;
let browser: Browser;
let tokens: Tokens;
let stored: Stored;
beforeAll(async () => {
  service = await startProcess({ dataDir: folder.path });
  tokens = await seeded(service);
  stored = await storeHostile(service, tokens);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.end();
  folder.remove();
});

const TYPED = encodeURIComponent(hostile(300));
const shown = (page: Page) => page.getByText(SHOWN).first().waitFor();
const dialogShown = (page: Page) => page.getByRole('dialog').waitFor();
const refused = (page: Page) => page.getByRole('alert').first().waitFor();

type View = readonly [
  name: string,
  path: (stored: Stored) => string,
  seen: (page: Page) => Promise<void>,
  context?: (page: Page) => Promise<void>,
];

async function openEvent(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^zone\.created/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('Changes', { exact: true }).waitFor();
}

async function askToDelete(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Delete / })
    .last()
    .click();
  await page.getByRole('dialog').locator('button.danger:enabled').waitFor();
}

/** For everybody. */
const VIEWS: readonly View[] = [
  ['overview', () => '', (page) => page.getByText('Latest events').waitFor()],
  ['names', () => `/names?name=${TYPED}`, refused],
  ['zones', () => '/zones', (page) => page.getByRole('heading', { name: 'Zones' }).waitFor()],
  ['zones-of-a-name', () => `/zones?name=${TYPED}`, refused],
  ['zone', ({ zone }) => `/zones/${zone}`, shown],
  [
    'zone-properties',
    ({ zone }) => `/zones/${zone}`,
    shown,
    (page) => page.getByRole('button', { name: 'Edit zone' }).click(),
  ],
  ['recordset', ({ zone, recordset }) => `/zones/${zone}/${recordset}`, dialogShown],
  ['recordset-deletion', ({ zone }) => `/zones/${zone}`, shown, askToDelete],
  [
    'history',
    () => '/history?type=zone.created',
    (page) =>
      page
        .getByRole('button', { name: /^zone\.created/ })
        .first()
        .waitFor(),
  ],
  ['event', () => '/history?type=zone.created', () => Promise.resolve(), openEvent],
  ['nowhere', () => `/${TYPED}`, (page) => page.getByRole('heading', { name: 'Page not found' }).waitFor()],
];
const OF_TENANTS: readonly View[] = [
  ['own-zones', () => '/zones', shown],
  ['own-zone-deletion', () => '/zones', shown, askToDelete],
  ['transfers', () => '/zones/transfers', shown],
];
const OF_ADMINISTRATORS: readonly View[] = [
  ['all-zones', () => '/zones', shown],
  ['blacklists', () => '/blacklists', shown],
  ['entry', ({ entry }) => `/blacklists/${entry}`, dialogShown],
  [
    'names-matched',
    () => '/names?name=hostile.example',
    (page) => page.getByText('cannot be created').waitFor(),
  ],
  ['entry-deletion', () => '/blacklists?pattern=hostile', shown, askToDelete],
  [
    'lists',
    () => '/blacklists/lists',
    (page) => page.getByRole('dialog').getByText('l'.repeat(64)).first().waitFor(),
  ],
  ['quotas', () => '/quotas', (page) => page.getByRole('heading', { name: 'Default limits' }).waitFor()],
  ['limits', () => `/quotas/${TYPED}`, dialogShown],
  [
    'events-of-all',
    () => '/history',
    (page) =>
      page
        .getByRole('button', { name: /^pool\.created/ })
        .first()
        .waitFor(),
  ],
  ['tokens', () => '/tokens', (page) => page.getByText('p'.repeat(64)).first().waitFor()],
];
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
];
const WHO = [
  ['an administrator', () => service.admin, [...VIEWS, ...OF_ADMINISTRATORS]],
  ['a tenant', () => tokens.member, [...VIEWS, ...OF_TENANTS]],
] as const;

describe.each(WHO)('as %s', (who, token, views) => {
  describe.each(SIZES)('at $width pixels', (viewport) => {
    let watched: Watched;
    beforeAll(async () => {
      watched = await openPage(browser, { viewport, reducedMotion: 'reduce' });
      await watched.page.goto(`${service.url}/console`);
      await watched.page.getByLabel('Stay logged in').check();
      await logIn(watched.page, token());
    });
    afterAll(() => watched.close());

    const named = views.map((view) => [view[0], view] as const);
    it.each(named)('%s shows what others have stored as it is', async (_, [name, path, seen, context]) => {
      const { page, complaints } = watched;
      await page.goto(`${service.url}/console${path(stored)}`);
      await seen(page);
      await context?.(page);
      await picture(page, `hostile-${who.split(' ')[1]}-${name}-${viewport.width}`, true);
      const found = {
        deceptions: await deceptionsOn(page),
        barriers: await barriersOn(page),
        overflow: Math.max(0, await overflowOf(page)),
        complaints,
      };
      expect(found).toEqual({ deceptions: [], barriers: [], overflow: 0, complaints: [] });
    });
  });
});

describe('a file of others', () => {
  it('is named and refused as what it is', async () => {
    const { page, complaints, close } = await openPage(browser, { viewport: SIZES[0]! });
    await page.goto(`${service.url}/console/blacklists/import`);
    await logIn(page, service.admin);
    const dialog = page.getByRole('dialog', { name: 'Import entries' });
    const file = {
      name: '<img src=x>\u202Etxt.exe',
      mimeType: 'text/plain',
      buffer: Buffer.from(`(${hostile(900)}\n`),
    };
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file);
    await dialog.getByText('⟨U+202E⟩txt.exe').waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Line 1:').waitFor();
    await picture(page, 'hostile-import-360');
    expect(await deceptionsOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
