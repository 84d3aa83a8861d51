/** The pictures of the README, from the page itself over a service that is in use. `PICTURES=docs` renews them. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn, openPage, pictureForReadme, startBrowser, type Watched } from '../support/console/browser.ts';
import { applyPool, livedIn } from '../support/console/lived-in.ts';
import { eventually } from '../support/eventually.ts';
import { type ScriptedServer, startNameServer } from '../support/name-server.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

const folder = temporaryFolder();
let server: ScriptedServer;
let service: ServiceProcess;
let browser: Browser;
let watched: Watched;

/** Usage is counted now and then: the picture shows that of all four projects. */
async function usageIsCounted(): Promise<void> {
  await eventually(async () => {
    const { json } = await service.request('GET', '/v2/usage', { token: service.admin });
    const counted = json.usage.filter(({ percentage }: { percentage: number }) => percentage > 0);
    return counted.length >= 4 ? true : undefined;
  });
}

beforeAll(async () => {
  server = await startNameServer();
  const env = { ZONEWARDEN_SERVICE_MDNS__LISTEN: '127.0.0.1:0' };
  service = await startProcess({ dataDir: folder.path, env });
  await applyPool(folder.path, server);
  await livedIn(service, server);
  await usageIsCounted();
  browser = await startBrowser();
  watched = await openPage(browser, { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 });
  await watched.page.goto(`${service.url}/console`);
  await logIn(watched.page, service.admin);
});
afterAll(async () => {
  await watched?.close();
  await browser?.close();
  await service.end();
  await server.close();
  folder.remove();
});

it('the overview shows what waits, what is full and what was refused', async () => {
  const { page, complaints } = watched;
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.getByText('2 zones pending').waitFor();
  await page.getByText('tram-bergen.no.').first().waitFor();
  await page.getByText('nordlys-hosting').first().waitFor();
  await page.getByRole('link', { name: 'münchen', exact: true }).waitFor();
  await pictureForReadme(page, 'overview');
  expect(complaints).toEqual([]);
});

it('the name tester shows which entries match, and where', async () => {
  const { page, complaints } = watched;
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.getByRole('link', { name: 'Names', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('portal.stadtwerke-münchen.de');
  await page.getByText('cannot be created').waitFor();
  await page.locator('mark').nth(1).waitFor();
  await pictureForReadme(page, 'names');
  expect(complaints).toEqual([]);
});

it('the preview shows what a new entry would hit', async () => {
  const { page, complaints } = watched;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'Blacklists' }).click();
  await page.getByRole('link', { name: 'Add entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add entry' });
  await dialog.getByLabel('Description').fill('Names of the city');
  await dialog.getByLabel('Pattern').fill('bergen');
  await dialog.getByText(/7 of 23 existing zones match/).waitFor();
  await pictureForReadme(page, 'preview');
  expect(complaints).toEqual([]);
});
