/** Nothing that a person typed, or that is shown only once, is lost without a question. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  barriersOn,
  logIn,
  openPage,
  overflowOf,
  picture,
  startBrowser,
  type Watched,
} from '../support/console/browser.ts';
import { until } from '../support/eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

const folder = temporaryFolder();
let service: ServiceProcess;
let browser: Browser;
let watched: Watched;
let page: Page;
beforeAll(async () => {
  service = await startProcess({ dataDir: folder.path });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.end();
  folder.remove();
});
beforeEach(async () => {
  watched = await openPage(browser);
  page = watched.page;
});
afterEach(async () => {
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

async function open(path: string): Promise<void> {
  await page.goto(`${service.url}/console${path}`);
  await logIn(page, service.admin);
}

const dialog = (name: string) => page.getByRole('dialog', { name });
/** Clicks beside a dialog, in the corner of the window. */
const clickOutside = () => page.mouse.click(3, 3);

/** Ways out that are easily taken by mistake. */
const WAYS: readonly (readonly [string, (shown: Locator) => Promise<void>])[] = [
  ['Escape', () => page.keyboard.press('Escape')],
  ['the close button', (shown) => shown.getByRole('button', { name: 'Close' }).first().click()],
];

describe('a token that is shown once', () => {
  it('is not lost to a reload without a question', async () => {
    await open('/tokens/new');
    const shown = dialog('Create token');
    await shown.getByLabel('Project').fill('shop');
    await shown.getByRole('button', { name: 'Create token' }).click();
    const token = (await shown.locator('code').textContent()) ?? '';
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload().catch(() => {});
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await reloaded;
    expect(await shown.locator('code').textContent()).toBe(token);
  });

  it.each(WAYS)('is not lost to %s, nor to a click outside', async (name, leave) => {
    await open('/tokens/new');
    const shown = dialog('Create token');
    await shown.getByLabel('Project').fill('shop');
    await shown.getByRole('button', { name: 'Create token' }).click();
    const token = (await shown.locator('code').textContent()) ?? '';
    await clickOutside();
    expect(await shown.locator('code').textContent()).toBe(token);

    const question = dialog('Have you copied it?');
    await leave(shown);
    await question.waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await barriersOn(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await picture(page, `close-secret-${name.length}-${width}`);
    }
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    // A browser closes a dialog at once if Escape is pressed again and again.
    for (let presses = 0; presses < 3; presses++) {
      await page.keyboard.press('Escape');
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
    }
    expect(await shown.locator('code').isVisible()).toBe(true);
    await leave(shown);
    await question.getByRole('button', { name: 'Close', exact: true }).last().click();
    await shown.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/console/tokens');
  });
});

describe('a form that somebody has filled in', () => {
  it.each(WAYS)('is not lost to %s, nor to a click outside', async (_, leave) => {
    await open('/zones');
    const opener = page.getByRole('link', { name: 'Create zone' });
    await opener.click();
    const form = dialog('Create zone');
    await form.getByLabel('Email').fill('hostmaster@example.org');
    await clickOutside();
    await leave(form);
    const question = dialog('Discard your input?');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Email').inputValue()).toBe('hostmaster@example.org');
    await leave(form);
    await question.getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'detached' });
    await until(async () => expect(await opener.evaluate((link) => link.matches(':focus'))).toBe(true));
  });

  it('closes at once if it is as it was', async () => {
    await open('/zones/new');
    const form = dialog('Create zone');
    await form.getByLabel('Email').fill('hostmaster@example.org');
    await form.getByLabel('Email').fill('');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  it('is not lost if its contents came late', async () => {
    await open('/quotas/shop');
    const form = dialog('Limits of shop');
    await form.getByLabel('Zones', { exact: true }).fill('250');
    await page.keyboard.press('Escape');
    await dialog('Discard your input?').getByRole('button', { name: 'Keep editing' }).click();
    expect(await form.getByLabel('Zones', { exact: true }).inputValue()).toBe('250');
  });
});
