/** What two people change at once: nobody deletes what they have not seen. */
import type { Browser, Page } from 'playwright-core';
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
import { seeded, seededZone, type Tokens } from '../support/console/seeded.ts';
import { type Answer, type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
let browser: Browser;
let watched: Watched;
let page: Page;
let tokens: Tokens;
let zone: string;
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
  await watched.close();
  await service.end();
  folder.remove();
});

const asMember = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token: tokens.member, body });

async function open(path: string): Promise<void> {
  await page.goto(`${service.url}/console${path}`);
  await logIn(page, tokens.member);
}

const CHANGED = 'Someone changed this since you opened it';

describe('a recordset that somebody else changes while one is asked whether it goes', () => {
  it('stays, is shown as it is now, and goes once that has been seen', async () => {
    await open(`/zones/${zone}`);
    await page.getByRole('button', { name: 'Delete www.shop.example.org. A' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete recordset' });
    await dialog.getByText('192.0.2.2').waitFor();
    const found = await asMember('GET', `/v2/zones/${zone}/recordsets?name=www*`);
    const path = `/v2/zones/${zone}/recordsets/${found.json.recordsets[0].id}`;
    await asMember('PUT', path, { records: ['192.0.2.77'] });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: CHANGED }).waitFor();
    await dialog.getByText('192.0.2.77').waitFor();
    expect(await dialog.getByText('192.0.2.2').count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'changed-meanwhile');
    expect((await asMember('GET', path)).json.records).toEqual(['192.0.2.77']);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted www.shop.example.org. A').waitFor();
    expect((await asMember('GET', path)).status).toBe(404);
    expect(watched.complaints).toEqual([]);
  });
});

describe('a zone', () => {
  it('that is shared says with whom, and goes with its shares', async () => {
    await open('/zones');
    await page.getByRole('button', { name: 'Delete shop.example.org.' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete zone' });
    await dialog.getByRole('listitem').filter({ hasText: 'partner' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await barriersOn(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await picture(page, `delete-shared-${width}`);
    }
    expect((await asMember('DELETE', `/v2/zones/${zone}`)).json.type).toBe('zone_is_shared');
    await dialog.getByRole('button', { name: 'Stop sharing and delete' }).click();
    await page.getByText('Deleted shop.example.org.').waitFor();
    expect((await asMember('GET', `/v2/zones/${zone}`)).status).toBe(404);
    expect(watched.complaints).toEqual([]);
  });

  it('that somebody shares while one is asked whether it goes stays, and is said to be shared', async () => {
    await open('/zones');
    await page.getByRole('button', { name: 'Delete news.example.org.' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete zone' });
    const sure = dialog.getByRole('button', { name: 'Delete', exact: true });
    await dialog.getByText('hostmaster@example.org').waitFor();
    const found = await asMember('GET', '/v2/zones?name=news.example.org.');
    const path = `/v2/zones/${found.json.zones[0].id}`;
    for (let number = 0; number < 12; number += 1)
      await asMember('POST', `${path}/shares`, { target_project_id: `project-${number}` });
    await sure.click();
    await dialog.getByRole('alert').filter({ hasText: CHANGED }).waitFor();
    await dialog.getByText('project-9').waitFor();
    await dialog.getByText('and 2 more projects').waitFor();
    expect(await sure.count()).toBe(0);
    expect((await asMember('GET', path)).json.shared).toBe(true);
  });

  it('that somebody else changes while one is asked whether it goes stays, and is shown as it is now', async () => {
    await open('/zones');
    await page.getByRole('button', { name: 'Delete shop.example.org.' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete zone' });
    await dialog.getByText('hostmaster@example.org').waitFor();
    await asMember('PATCH', `/v2/zones/${zone}`, { description: 'needed after all' });
    await dialog.getByRole('button', { name: 'Stop sharing and delete' }).click();
    await dialog.getByRole('alert').filter({ hasText: CHANGED }).waitFor();
    await dialog.getByText('needed after all').waitFor();
    expect((await asMember('GET', `/v2/zones/${zone}`)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await asMember('GET', `/v2/zones/${zone}`)).json.description).toBe('needed after all');
  });

  it('that is not any more as the list shows it is said to be so before it goes', async () => {
    await open('/zones');
    const button = page.getByRole('button', { name: 'Delete shop.example.org.' });
    await button.waitFor();
    await asMember('PATCH', `/v2/zones/${zone}`, { description: 'needed after all' });
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Delete zone' });
    await dialog.getByRole('alert').filter({ hasText: CHANGED }).waitFor();
    await dialog.getByText('needed after all').waitFor();
  });

  it('that has only been published meanwhile goes without another question', async () => {
    await open('/zones');
    await page.getByRole('button', { name: 'Delete news.example.org.' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete zone' });
    await dialog.getByText('hostmaster@example.org').waitFor();
    const tags: string[] = [];
    await page.route('**/v2/zones/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      tags.push(route.request().headers()['if-match'] ?? '');
      // As if publication had changed the ETag in between.
      const headers = { ...route.request().headers(), 'if-match': '"of-a-moment-ago"' };
      return tags.length === 1 ? route.continue({ headers }) : route.continue();
    });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted news.example.org.').waitFor();
    expect(tags).toHaveLength(2);
    expect(tags[0]).toMatch(/^"[\w-]{22}"$/);
    expect(await page.getByRole('heading', { name: 'Zones' }).evaluate((one) => one.matches(':focus'))).toBe(
      true,
    );
  });
});
