/** What the overview says of refusals, and what it asks for that. */

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  barriersOn,
  logIn,
  openPage,
  overflowOf,
  picture,
  startBrowser,
  type Watched,
} from '../support/console/browser.ts';
import { seeded } from '../support/console/seeded.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';
import { inStoreOf } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
let browser: Browser;
let watched: Watched;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  folder = temporaryFolder();
  service = await startProcess({ dataDir: folder.path });
  watched = await openPage(browser);
});
afterEach(async () => {
  await watched.close();
  await service.end();
  folder.remove();
});

interface Refusal {
  readonly blacklist_id: string | null;
}

/** The entries that have refused, once each of them is counted. */
function refusing(): Promise<readonly string[]> {
  return eventually(async () => {
    const { json } = await service.request('GET', '/v2/statistics', { token: service.admin });
    const ids = json.refusals.flatMap(({ blacklist_id: id }: Refusal) => (id === null ? [] : [id]));
    return ids.length >= 2 ? ids : undefined;
  });
}

it('shows the patterns that refused, and those that are gone, without asking for each', async () => {
  const { page, complaints } = watched;
  await seeded(service);
  await refusing();
  const found = await service.request('GET', '/v2/blacklists?pattern=*example*', { token: service.admin });
  const path = `/v2/blacklists/${found.json.blacklists[0].id}`;
  await service.request('DELETE', path, { token: service.admin });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${service.url}/console`);
  await logIn(page, service.admin);
  await page.getByRole('link', { name: '(^|\\.)paypal\\.' }).waitFor();
  await page.getByText('deleted entry').waitFor();
  expect(asked.filter((one) => one.startsWith('/v2/blacklists'))).toEqual([]);
  expect(asked.filter((one) => one === '/v2/statistics')).toHaveLength(1);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await barriersOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await picture(page, `refusals-${width}`, true);
  }
  expect(complaints).toEqual([]);
});

it('says where zones are published with the placeholder name server, and what to do', async () => {
  const { page, complaints } = watched;
  await page.goto(`${service.url}/console`);
  await logIn(page, service.admin);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const notice = page.locator('.notice', { hasText: 'ns1.invalid.' });
  await page.getByText('Pending publication').waitFor();
  expect(await notice.count()).toBe(0);
  await inStoreOf(folder.path, `update pools set nameservers = '[{"host":"192.0.2.1","port":53}]'`);
  await service.end();
  service = await startProcess({ dataDir: folder.path });
  await page.goto(`${service.url}/console`);
  await logIn(page, service.admin);
  await notice.waitFor();
  expect(await notice.textContent()).toContain('zonewarden pool init --bind DIR --ns ns1.example.net.');
  const opened = page.waitForEvent('popup');
  await notice.getByRole('link', { name: 'docs/name-servers.md' }).click();
  const guide = await opened;
  await guide.getByText('# Name servers').waitFor();
  await guide.close();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await barriersOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await picture(page, `placeholder-${width}`, true);
  }
  expect(complaints).toEqual([]);
});

it('marks a reached quota as bad news, and does not call a project full that may have nothing and has nothing', async () => {
  const { page, complaints } = watched;
  const { admin: token, request } = service;
  await request('PATCH', '/v2/quotas/none', { token, body: { zones: 0 } });
  await request('PATCH', '/v2/quotas/admin', { token, body: { zones: 1 } });
  await service.create('only.example.');
  await eventually(async () => {
    const { json } = await request('GET', '/v2/usage', { token });
    const full = json.usage.filter(({ percentage }: { percentage: number }) => percentage === 100);
    return full.length === 2 || undefined;
  });
  await page.goto(`${service.url}/console`);
  await logIn(page, token);
  const card = page.locator('.card', { hasText: 'Projects closest to their limits' });
  await card.getByText('none').waitFor();
  expect(await card.locator('.number').allTextContents()).toEqual(['100 %', '0 %']);
  await page.goto(`${service.url}/console/quotas`);
  await logIn(page, token);
  await page.getByRole('cell', { name: 'none' }).waitFor();
  const projects = page.locator('tbody tr td:first-child, tbody tr th');
  expect(await projects.allTextContents()).toEqual(['admin', 'none']);
  await page.goto(`${service.url}/console`);
  await logIn(page, token);
  const tag = page.getByText('quota.reached').first();
  await tag.waitFor();
  expect(await tag.getAttribute('class')).toBe('tag refused');
  await page.goto(`${service.url}/console/history`);
  await logIn(page, token);
  const button = page.getByRole('button', { name: /^quota\.reached/ }).first();
  expect(await button.getAttribute('class')).toBe('tag refused');
  await picture(page, 'quota-reached');
  expect(complaints).toEqual([]);
});

it('does not say that everything is published while a secondary zone waits for its master', async () => {
  const { page, complaints } = watched;
  const body = { name: 'waits.example.', type: 'SECONDARY', masters: ['192.0.2.1'] };
  expect((await service.request('POST', '/v2/zones', { token: service.admin, body })).status).toBe(202);
  await page.goto(`${service.url}/console`);
  await logIn(page, service.admin);
  await page.getByText('Secondary zones wait for their masters:').waitFor();
  expect(await page.getByText('Everything is published.').count()).toBe(0);
  expect(complaints).toEqual([]);
});
