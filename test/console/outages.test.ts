/** A service that stops, is slow, or refuses while the page is open: what people are told, what they keep, and how it goes on. */
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  barriersOn,
  logIn,
  openPage,
  picture,
  startBrowser,
  type Watched,
} from '../support/console/browser.ts';
import { seeded, seededZone, type Tokens } from '../support/console/seeded.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
let browser: Browser;
let watched: Watched;
let page: Page;
let tokens: Tokens;
let zone: string;
let loads = 0;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  folder = temporaryFolder();
  service = await startProcess({ dataDir: folder.path });
  tokens = await seeded(service);
  zone = await seededZone(service, tokens.member);
  watched = await openPage(browser);
  page = watched.page;
});
afterEach(async () => {
  expect(watched.complaints).toEqual([]);
  expect(loads).toBe(1);
  await watched.close();
  await service.end();
  folder.remove();
});

/** Opens a view. From then on nothing loads the page again. */
async function open(path: string, token = tokens.member): Promise<void> {
  loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.goto(`${service.url}/console${path}`);
  await logIn(page, token);
}

/** The service again, where it was. */
async function startAgain(): Promise<void> {
  const listen = new URL(service.url).host;
  service = await startProcess({
    dataDir: folder.path,
    env: { ZONEWARDEN_SERVICE_API__LISTEN: listen },
  });
}

const banner = (text: string): Locator => page.locator('.trouble').filter({ hasText: text });
const UNREACHABLE = 'The service cannot be reached.';

/** Opens the recordset of www, and writes another record. */
async function edit(): Promise<Locator> {
  await page.getByRole('link', { name: 'www.shop.example.org.' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit www.shop.example.org. A' });
  await dialog.getByLabel('Records').fill('192.0.2.99');
  return dialog;
}

async function expectSaved(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved www.shop.example.org. A').waitFor();
  await page.getByRole('cell', { name: '192.0.2.99' }).waitFor();
}

const unavailable = (route: Route) =>
  route.fulfill({
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
    body: JSON.stringify({
      code: 503,
      type: 'service_unavailable',
      message: 'The storage cannot be reached.',
      hint: 'Try again in a moment.',
    }),
  });

describe('a service that stops while somebody writes', () => {
  it('is said to be away, costs nothing of what was written, and is used again once it is back', async () => {
    await open(`/zones/${zone}`);
    const dialog = await edit();
    await service.end();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: UNREACHABLE }).waitFor();
    await dialog.getByText('Your input is still here.').waitFor();
    expect(await page.getByText(UNREACHABLE).count()).toBe(1);
    // The page has asked again by itself for what the window shows.
    await page.waitForEvent('requestfailed', (request) => /\/recordsets\/[\w-]+$/.test(request.url()));
    expect(await dialog.getByLabel('Records').inputValue()).toBe('192.0.2.99');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'outage-stopped');
    await startAgain();
    await dialog.getByText('You can try again now.').waitFor();
    await banner(UNREACHABLE).waitFor({ state: 'detached' });
    await picture(page, 'outage-back');
    expect(await dialog.getByLabel('Records').inputValue()).toBe('192.0.2.99');
    await expectSaved(dialog);
  });

  it('shows what is there once it is back, without being asked', async () => {
    await open('/names', service.admin);
    await page.getByLabel('Name', { exact: true }).fill('one.example');
    await page.getByText('can be created').waitFor();
    await service.end();
    await page.getByLabel('Name', { exact: true }).fill('my.paypal.example');
    await banner(UNREACHABLE).waitFor();
    expect(await page.getByText(UNREACHABLE).count()).toBe(1);
    expect(await page.getByText('Your input is still here.').count()).toBe(0);
    await picture(page, 'outage-names');
    await startAgain();
    await page.getByText('cannot be created').waitFor();
    await banner(UNREACHABLE).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('my.paypal.example');
  });
});

describe('a service that answers 503 while somebody writes', () => {
  it('is quoted, and goes on where it was', async () => {
    await open(`/zones/${zone}`);
    const dialog = await edit();
    await page.route('**/v2/**', unavailable);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Try again in a moment.' }).waitFor();
    await picture(page, 'outage-503');
    await page.unroute('**/v2/**');
    await dialog.getByText('You can try again now.').waitFor();
    await expectSaved(dialog);
  });

  it('is asked again by the button of the banner, which can be used in a dialog, too', async () => {
    await open(`/zones/${zone}`);
    const dialog = await edit();
    await page.route('**/v2/**', unavailable);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The storage cannot be reached.').waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await barriersOn(page)).toEqual([]);
      await picture(page, `outage-dialog-${width}`);
    }
    const asked = page.waitForRequest('**/v2/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await asked;
    expect(await dialog.getByLabel('Records').inputValue()).toBe('192.0.2.99');
  });

  it('is told of once on a page that asks for many things', async () => {
    await open('/quotas', service.admin);
    await page.getByText('Records per recordset').waitFor();
    await page.route('**/v2/**', unavailable);
    await page.getByRole('link', { name: 'Overview' }).click();
    await banner('The storage cannot be reached.').waitFor();
    await picture(page, 'outage-overview');
    expect(await page.getByText('The storage cannot be reached.').count()).toBe(1);
  });

  it('keeps a preview that was under way for later', async () => {
    await open('/blacklists/new', service.admin);
    const dialog = page.getByRole('dialog', { name: 'Add entry' });
    await page.route('**/v2/**', unavailable);
    await dialog.getByLabel('Pattern').fill('casino');
    await dialog.getByText('The storage cannot be reached.').waitFor();
    await picture(page, 'outage-preview');
    await page.unroute('**/v2/**');
    await dialog.getByText(/1 of 6 existing zones match/).waitFor();
    expect(await dialog.getByLabel('Pattern').inputValue()).toBe('casino');
  });

  it('for one thing alone is asked for that again, whatever else it answers meanwhile', async () => {
    await open('', service.admin);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/v2/usage*', unavailable);
    await page.getByRole('link', { name: 'Quotas' }).click();
    // The defaults are answered beside.
    await page.getByText('Records per recordset').waitFor();
    await page.unroute('**/v2/usage*');
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
  });
});

describe('a service that answers late', () => {
  /** Holds all requests back, until the function that it gives is called. */
  async function holdAnswers(): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.unroute('**/v2/**');
    await page.route('**/v2/**', async (route) => {
      await released;
      await route.continue();
    });
    return release;
  }

  it('is said to be waited for, whatever somebody does', async () => {
    await open(`/zones/${zone}`);
    const dialog = await edit();
    const answer = await holdAnswers();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('waiting for the service').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Records').inputValue()).toBe('192.0.2.99');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'outage-slow-save');
    answer();
    await page.getByText('Saved www.shop.example.org. A').waitFor();
    const answerHistory = await holdAnswers();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Loading…').waitFor();
    await picture(page, 'outage-slow-list');
    answerHistory();
    await page
      .getByRole('button', { name: /^recordset\.changed/ })
      .first()
      .waitFor();
    expect(await page.getByText('Loading…').count()).toBe(0);
  });
});

describe('a token that ends while somebody writes', () => {
  it('is asked for in front of what was written, which is saved afterwards', async () => {
    await open(`/zones/${zone}`);
    const dialog = await edit();
    const path = `/v2/tokens/${tokens.member.split('_')[1]}`;
    await service.request('DELETE', path, { token: service.admin });
    await dialog.getByRole('button', { name: 'Save' }).click();
    const again = page.getByRole('dialog', { name: 'Log in again' });
    await again.getByText('Your work is still here.').waitFor();
    await again.getByLabel('Token', { exact: true }).fill('zw_0000000000000000_wrong');
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.getByText('Invalid token: it may be mistyped').waitFor();
    await picture(page, 'outage-401');
    await again.getByLabel('Token', { exact: true }).fill(service.admin);
    await again.getByRole('button', { name: 'Log in' }).click();
    await again.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Records').inputValue()).toBe('192.0.2.99');
    await expectSaved(dialog);
  });
});
