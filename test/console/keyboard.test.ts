/** A first day by the keyboard alone: what has the focus is seen, in an order that makes sense, and comes back. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage, picture, startBrowser, type Watched } from '../support/console/browser.ts';
import { seeded, type Tokens } from '../support/console/seeded.ts';
import { until } from '../support/eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
let browser: Browser;
let watched: Watched;
let page: Page;
let tokens: Tokens;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  folder = temporaryFolder();
  service = await startProcess({ dataDir: folder.path });
  tokens = await seeded(service);
  watched = await openPage(browser);
  page = watched.page;
});
afterEach(async () => {
  expect(watched.complaints).toEqual([]);
  await watched.close();
  await service.end();
  folder.remove();
});

interface Focused {
  readonly name: string;
  /** Whether somebody who looks can tell. */
  readonly isSeen: boolean;
  readonly isInDialog: boolean;
}

/** Runs in the page. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const isInside = box.width > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return {
    name: (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim(),
    isSeen: one === document.body || (isInside && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2),
    isInDialog: one === document.body || one.closest('dialog') !== null,
  };
})()`;

const focused = () => page.evaluate<Focused>(FOCUSED);

/** More than any view has to stop at. */
const MAX_STOPS = 120;

/** Presses a key until something has the focus; it is seen all the way. */
async function goTo(name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    const present = await focused();
    if (typeof name === 'string' ? present.name === name : name.test(present.name)) return;
    await page.keyboard.press(key);
    const next = await focused();
    expect(next).toMatchObject({ isSeen: true });
    passed.push(next.name);
  }
  throw new Error(`Nothing that is called ${name} comes after ${passed.join(', ')}.`);
}

async function press(name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await goTo(name, key);
  await page.keyboard.press('Enter');
}

async function write(text: string): Promise<void> {
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** The view has come when its heading has the focus. */
async function view(title: string): Promise<void> {
  await press(title, 'Shift+Tab');
  await page.locator('h1:focus').filter({ hasText: title }).waitFor();
}

const nameOfFocus = async () => (await focused()).name;
const dialog = (name: string) => page.getByRole('dialog', { name });
const closed = (name: string) => dialog(name).waitFor({ state: 'detached' });

async function logIn(token: string): Promise<void> {
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

describe('by the keyboard alone', () => {
  it('an administrator tests a name, adds an entry, gives a quota, and sees the history', async () => {
    await page.goto(`${service.url}/console`);
    await logIn(service.admin);
    await page.keyboard.press('Tab');
    await until(async () => expect(await nameOfFocus()).toBe('Skip to content'));
    await picture(page, 'keyboard-skip');
    await press('Names');
    await page.locator('h1:focus').filter({ hasText: 'Names' }).waitFor();
    await page.keyboard.press('/');
    await write('www.new.example');
    await page.getByText('can be created').waitFor();

    await view('Blacklists');
    await press('Add entry');
    await dialog('Add entry').waitFor();
    await until(async () => expect(await nameOfFocus()).toBe('Pattern'));
    await page.keyboard.type('(^|\\.)example\\.org\\.$');
    await dialog('Add entry')
      .getByText(/2 of 6 existing zones match/)
      .waitFor();
    await press('Add entry');
    await dialog('This pattern matches many zones').waitFor();
    await until(async () => expect(await nameOfFocus()).toBe('Type 2 to confirm'));
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.getByText('Added (^|\\.)example\\.org\\.$').waitFor();
    await closed('Add entry');
    await until(async () => expect(await nameOfFocus()).toBe('Add entry'));

    await view('Quotas');
    await goTo('Edit limits of project');
    await page.keyboard.type('shop');
    await page.keyboard.press('Enter');
    await dialog('Limits of shop').getByLabel('Zones', { exact: true }).waitFor();
    await goTo('Zones');
    await write('250');
    await picture(page, 'keyboard-limits');
    await page.keyboard.press('Enter');
    await page.getByText('Saved the limits of shop').waitFor();
    await closed('Limits of shop');
    await until(async () => expect(await nameOfFocus()).toBe('Edit limits of project'));

    await view('History');
    await page.getByRole('button', { name: /^quotas\.changed/ }).waitFor();
    await press(/^quotas\.changed/);
    await dialog('quotas.changed').getByRole('row', { name: 'zones 10 250' }).waitFor();
    await page.keyboard.press('Escape');
    await closed('quotas.changed');
    await until(async () => expect(await nameOfFocus()).toMatch(/^quotas\.changed/));
    await press('Log out', 'Shift+Tab');
    await page.getByLabel('Token', { exact: true }).waitFor();
  });

  it('a tenant creates a zone, is refused, and edits a record', async () => {
    await page.goto(`${service.url}/console`);
    await logIn(tokens.member);
    await press('Zones');
    await page.locator('h1:focus').filter({ hasText: 'Zones' }).waitFor();
    await press('Create zone');
    await dialog('Create zone').waitFor();
    await until(async () => expect(await nameOfFocus()).toBe('Name'));
    await page.keyboard.type('our.paypal.example');
    await goTo('Email');
    await page.keyboard.type('hostmaster@example.org');
    await page.keyboard.press('Enter');
    await dialog('Create zone').getByRole('alert').waitFor();
    await picture(page, 'keyboard-refused');
    await goTo('Name', 'Shift+Tab');
    await write('ours.example');
    await page.keyboard.press('Enter');
    await page.getByText('Created ours.example.').waitFor();
    await closed('Create zone');
    await page.locator('h1:focus').filter({ hasText: 'ours.example.' }).waitFor();
    await press('Create recordset');
    await dialog('Create recordset').waitFor();
    await page.keyboard.type('www');
    await goTo('Records');
    await page.keyboard.type('192.0.2.300');
    await press('Create recordset');
    await dialog('Create recordset')
      .getByText(/^Line 1: /)
      .waitFor();
    await goTo('Records', 'Shift+Tab');
    await write('192.0.2.3');
    await press('Create recordset');
    await page.getByText('Created www.ours.example. A').waitFor();
    await page.getByRole('link', { name: 'www.ours.example.' }).waitFor();
    await press('www.ours.example.');
    await dialog('Edit www.ours.example. A').waitFor();
    await until(async () => expect(await nameOfFocus()).toBe('Records'));
    await write('192.0.2.7');
    await press('Save');
    await page.getByText('Saved www.ours.example. A').waitFor();
    await page.getByRole('cell', { name: '192.0.2.7' }).waitFor();
    await until(async () => expect(await nameOfFocus()).toBe('www.ours.example.'));
  });

  it('a window that asks whether something goes keeps the focus, gives it back, and leads on once it is gone', async () => {
    await page.goto(`${service.url}/console/zones`);
    await logIn(tokens.member);
    const name = 'Delete news.example.org.';
    await page.getByRole('button', { name }).waitFor();
    await press(name);
    await dialog('Delete zone').getByText('hostmaster@example.org').waitFor();
    const inside: boolean[] = [];
    for (let stops = 0; stops < 12; stops++) {
      await page.keyboard.press(stops % 2 === 0 ? 'Tab' : 'Shift+Tab');
      await page.keyboard.press('Tab');
      inside.push((await focused()).isInDialog);
    }
    expect(inside).not.toContain(false);
    await page.keyboard.press('Escape');
    await closed('Delete zone');
    await until(async () => expect(await nameOfFocus()).toBe(name));
    await page.keyboard.press('Enter');
    await dialog('Delete zone').getByText('hostmaster@example.org').waitFor();
    await press('Delete');
    await page.getByText('Deleted news.example.org.').waitFor();
    await page.getByRole('button', { name }).waitFor({ state: 'detached' });
    await until(async () => expect(await nameOfFocus()).toMatch(/^Zones/));
  });

  it('what can have the focus comes in the order in which it is seen', async () => {
    await page.goto(`${service.url}/console/zones`);
    await logIn(tokens.member);
    await page.getByRole('link', { name: 'shop.example.org.' }).waitFor();
    const names: string[] = [];
    for (let stops = 0; stops < 13; stops++) {
      await page.keyboard.press('Tab');
      names.push(await nameOfFocus());
    }
    expect(names).toEqual([
      'Skip to content',
      'Zonewarden',
      'Overview',
      'Names',
      'Zones',
      'History',
      'Log out',
      'Transfers',
      'Import zone file',
      'Create zone',
      'Name',
      'Status',
      'Name',
    ]);
  });
});
