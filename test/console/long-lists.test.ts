/** However many rows go by, the page holds those of one page of the list. */

import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../../src/storage/open.ts';
import { logIn, openPage, startBrowser } from '../support/console/browser.ts';
import { until } from '../support/eventually.ts';
import { commandsOn, type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';
import { makeStore, storeSettings } from '../support/store.ts';
import { emptyZone } from '../support/zone.ts';

const ROWS = 5000;
const PER_PAGE = 50;
/** What the collector, the compiler and the caches of the browser may move, in bytes: the rows of all pages would be more. */
const SLACK = 3_000_000;
const FACTOR = 2;

const folder = temporaryFolder();
let service: ServiceProcess;
let browser: Browser;

async function fill(): Promise<void> {
  await makeStore(folder.path);
  const store = await openStore(storeSettings(folder.path));
  await store.transaction(async (tx) => {
    for (let number = 0; number < ROWS; number++) {
      tx.zones.insert(emptyZone(`zone-${number}.example.`, { projectId: 'shop' }));
    }
    tx.projects.grow('shop', { zones: ROWS });
  });
  await store.close();
  const input = Array.from({ length: ROWS }, (_, number) => `^name-${number}\\.test\\.$\n`).join('');
  const { status } = await commandsOn(folder.path)(['blacklist', 'import', '-'], { input });
  if (status !== 0) throw new Error('The entries are not imported.');
}

beforeAll(async () => {
  await fill();
  service = await startProcess({ dataDir: folder.path });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service.end();
  folder.remove();
});

interface Footprint {
  readonly shown: number;
  readonly kept: number;
  readonly heap: number;
}

async function footprintOf(page: Page, cdp: CDPSession): Promise<Footprint> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)!.value;
  const shown = await page.evaluate<number>("document.querySelectorAll('*').length");
  return { shown, kept: metric('Nodes'), heap: metric('JSHeapUsedSize') };
}

/** Goes to the next page of the list. @returns whether there was one */
async function goOn(page: Page): Promise<boolean> {
  const next = page.getByRole('link', { name: 'Next page' });
  if ((await next.count()) === 0) return false;
  const first = page.locator('tbody tr a').first();
  const before = await first.textContent();
  await next.click();
  await until(async () => expect((await first.textContent()) !== before).toBeTruthy());
  return true;
}

it.each([
  ['zones', '/zones'],
  ['blacklists', '/blacklists'],
])('the list of %s grows neither in nodes nor in memory', async (_, path) => {
  const { page, complaints, close } = await openPage(browser);
  await page.goto(`${service.url}/console${path}`);
  await logIn(page, service.admin);
  await page.locator('tbody tr').first().waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  // What the page makes once is made by then.
  for (let pages = 0; pages < 5; pages++) await goOn(page);
  const before = await footprintOf(page, cdp);
  let pages = 6;
  while (await goOn(page)) pages++;
  const after = await footprintOf(page, cdp);
  expect(pages).toBe(ROWS / PER_PAGE);
  expect(await page.locator('tbody tr').count()).toBe(PER_PAGE);
  expect(after.shown).toBeLessThan(before.shown * FACTOR);
  expect(after.kept).toBeLessThan(before.kept * FACTOR);
  expect(after.heap).toBeLessThan(before.heap + SLACK);
  expect(complaints).toEqual([]);
  await close();
});
