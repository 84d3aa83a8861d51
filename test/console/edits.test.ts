/** What a person edits while somebody else changes it: nothing that was typed is lost, and saving works again. */
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
  expect(watched.complaints).toEqual([]);
  await watched.close();
  await service.end();
  folder.remove();
});

const asMember = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token: tokens.member, body });
const asAdmin = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token: service.admin, body });

async function open(path: string, token: string): Promise<void> {
  await page.goto(`${service.url}/console${path}`);
  await logIn(page, token);
}

/** Each row of what is different now, as it is read. */
async function differencesIn(dialog: Locator): Promise<readonly string[][]> {
  await dialog.getByText('Someone else changed this').waitFor();
  const rows = await dialog.getByRole('row').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save' }).click();
const HEAD = ['Field', 'Before', 'Now'];

async function zoneBeingEdited(): Promise<Locator> {
  await open(`/zones/${zone}`, tokens.member);
  await page.getByRole('button', { name: 'Edit zone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit zone' });
  await dialog.getByLabel('Description').fill('mine');
  await asMember('PATCH', `/v2/zones/${zone}`, { description: 'theirs', ttl: 7200 });
  await save(dialog);
  return dialog;
}

it('gives a zone the timers of its SOA, says which is wrong, and takes those of the service again', async () => {
  await open(`/zones/${zone}`, tokens.member);
  const edit = async (timers: string) => {
    await page.getByRole('button', { name: 'Edit zone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit zone' });
    await dialog.getByLabel('SOA refresh').fill(timers);
    await save(dialog);
    return dialog;
  };
  await page.getByText('default', { exact: true }).waitFor();
  const dialog = await edit('7200 900 100');
  await dialog.getByText('expire: Must be at least 360. minimum: Must be an integer.').waitFor();
  await dialog.getByLabel('SOA refresh').fill('7200 900 2419200 300');
  await save(dialog);
  await page.getByText('refresh 7,200, retry 900, expire 2,419,200, minimum 300 seconds').waitFor();
  const soa = { refresh: 7200, retry: 900, expire: 2_419_200, minimum: 300 };
  expect((await asMember('GET', `/v2/zones/${zone}`)).json.soa).toEqual(soa);
  await edit('');
  await page.getByText('default', { exact: true }).waitFor();
  expect((await asMember('GET', `/v2/zones/${zone}`)).json).not.toHaveProperty('soa');
});

it('warns of a zone that would hide recordsets of the zone above it, and marks them once it does', async () => {
  const body = { name: 'www.dept.shop.example.org.', type: 'A', records: ['192.0.2.1'] };
  await asMember('POST', `/v2/zones/${zone}/recordsets`, body);
  await open('/zones/new', tokens.member);
  const dialog = page.getByRole('dialog', { name: 'Create zone' });
  await dialog.getByLabel('Name').fill('dept.shop.example.org.');
  await dialog
    .getByText('This zone hides 1 recordset of shop.example.org.: www.dept.shop.example.org.')
    .waitFor();
  await asMember('POST', '/v2/zones', { name: 'dept.shop.example.org.', email: 'a@example.org' });
  await open(`/zones/${zone}`, tokens.member);
  await page.getByText('hidden by zone dept.shop.example.org.').waitFor();
});

describe('a zone that somebody else has changed since it was read', () => {
  it('keeps what the person typed, says what is different now, and takes it with the rest of the other one', async () => {
    const dialog = await zoneBeingEdited();
    await dialog.getByText('may have changed since it was read').waitFor();
    expect(await differencesIn(dialog)).toEqual([
      HEAD,
      ['TTL (seconds)', '3600', '7200'],
      ['Description', 'empty', 'theirs'],
    ]);
    expect(await dialog.getByLabel('Description').inputValue()).toBe('mine');
    await dialog.getByRole('button', { name: 'Keep my edit' }).click();
    await dialog.getByText('now includes the latest changes').waitFor();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('mine');
    expect(await dialog.getByLabel('TTL').inputValue()).toBe('7200');
    expect((await asMember('GET', `/v2/zones/${zone}`)).json.description).toBe('theirs');
    // The keyboard is where it goes on.
    await page.keyboard.press('Enter');
    await page.getByText('Saved shop.example.org.').waitFor();
    expect((await asMember('GET', `/v2/zones/${zone}`)).json).toMatchObject({
      description: 'mine',
      ttl: 7200,
    });
  });

  it('lets the person drop the edit', async () => {
    const dialog = await zoneBeingEdited();
    await dialog.getByRole('button', { name: 'Discard my edit' }).click();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('theirs');
    expect(await dialog.getByLabel('TTL').inputValue()).toBe('7200');
    await dialog.getByLabel('Description').fill('both of us');
    await save(dialog);
    await page.getByText('Saved shop.example.org.').waitFor();
    expect((await asMember('GET', `/v2/zones/${zone}`)).json.description).toBe('both of us');
  });

  it('says so again where it changes once more before it is saved', async () => {
    const dialog = await zoneBeingEdited();
    await dialog.getByRole('button', { name: 'Keep my edit' }).click();
    await asMember('PATCH', `/v2/zones/${zone}`, { ttl: 60 });
    await save(dialog);
    expect(await differencesIn(dialog)).toEqual([HEAD, ['TTL (seconds)', '7200', '60']]);
    expect(await dialog.getByLabel('Description').inputValue()).toBe('mine');
    expect((await asMember('GET', `/v2/zones/${zone}`)).json.description).toBe('theirs');
  });

  it('is told without barriers, in a window of any width', async () => {
    await zoneBeingEdited();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const buttons = page.getByRole('button', { name: 'Discard my edit' });
      await buttons.scrollIntoViewIfNeeded();
      expect(await barriersOn(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await picture(page, `edit-overtaken-${width}`);
    }
  });
});

it('a recordset that somebody else has changed is saved once that has been seen', async () => {
  const found = await asMember('GET', `/v2/zones/${zone}/recordsets?name=www*`);
  const { id } = found.json.recordsets[0];
  const path = `/v2/zones/${zone}/recordsets/${id}`;
  await open(`/zones/${zone}/${id}`, tokens.member);
  const dialog = page.getByRole('dialog', { name: 'Edit www.shop.example.org. A' });
  await dialog.getByLabel('Records').fill('192.0.2.9\n192.0.2.10');
  await asMember('PUT', path, { records: ['192.0.2.77'], ttl: 60 });
  await save(dialog);
  expect(await differencesIn(dialog)).toEqual([
    HEAD,
    ['Records', '192.0.2.1, 192.0.2.2', '192.0.2.77'],
    ['TTL (seconds)', 'empty', '60'],
  ]);
  await dialog.getByRole('button', { name: 'Keep my edit' }).click();
  await save(dialog);
  await page.getByText('Saved www.shop.example.org. A').waitFor();
  expect((await asMember('GET', path)).json).toMatchObject({ records: ['192.0.2.9', '192.0.2.10'], ttl: 60 });
});

it('an entry that somebody else has changed is saved once that has been seen, and taken back to what it was then', async () => {
  const found = await asAdmin('GET', '/v2/blacklists?pattern=casino');
  const path = `/v2/blacklists/${found.json.blacklists[0].id}`;
  // The field for it has no seconds.
  const expires_at = '2999-07-01T00:00:37.123456';
  await asAdmin('PATCH', path, { expires_at });
  await open(`/blacklists/${found.json.blacklists[0].id}`, service.admin);
  const dialog = page.getByRole('dialog', { name: 'Edit entry' });
  await dialog.getByLabel('Description').fill('mine');
  const exceptions = [{ project_id: 'shop', name: 'casino.example.' }];
  await asAdmin('PATCH', path, { mode: 'warn', exceptions });
  await save(dialog);
  expect(await differencesIn(dialog)).toEqual([
    HEAD,
    ['Mode', 'audit', 'warn'],
    ['Exceptions', 'empty', 'shop casino.example.'],
  ]);
  await dialog.getByRole('button', { name: 'Keep my edit' }).click();
  await save(dialog);
  await page.getByText('Saved casino').waitFor();
  expect((await asAdmin('GET', path)).json).toMatchObject({ mode: 'warn', description: 'mine', expires_at });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Change undone.').waitFor();
  expect((await asAdmin('GET', path)).json).toMatchObject({ mode: 'warn', description: null, expires_at });
});

it('limits that somebody else has changed are saved once that has been seen', async () => {
  await asAdmin('PATCH', '/v2/quotas/shop', { zones: 10 });
  await open('/quotas/shop', service.admin);
  const dialog = page.getByRole('dialog', { name: 'Limits of shop' });
  await dialog.getByLabel('Records per zone').fill('70');
  await asAdmin('PATCH', '/v2/quotas/shop', { zones: 20 });
  await dialog.getByRole('button', { name: 'Reset to defaults' }).click();
  expect(await differencesIn(dialog)).toEqual([HEAD, ['Zones', '10', '20']]);
  await dialog.getByRole('button', { name: 'Keep my edit' }).click();
  await save(dialog);
  await page.getByText('Saved the limits of shop').waitFor();
  expect((await asAdmin('GET', '/v2/quotas/shop')).json).toMatchObject({ zones: 20, zone_records: 70 });
});
