/** What people do in the console, and what they see when something goes wrong. */

import type { Browser, Page, Route } from 'playwright-core';
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
import { seeded, seededList } from '../support/console/seeded.ts';
import { until } from '../support/eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
let browser: Browser;
let watched: Watched;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  folder = temporaryFolder();
  service = await startProcess({ dataDir: folder.path });
  watched = await openPage(browser);
  page = watched.page;
});
afterEach(async () => {
  await watched.close();
  await service.end();
  folder.remove();
});

/** Opens a view, and logs in there. */
async function open(path: string, token: string): Promise<void> {
  await page.goto(`${service.url}/console${path}`);
  await logIn(page, token);
}

describe('a token', () => {
  it('that is not taken is told so, and nothing else is shown', async () => {
    await page.goto(`${service.url}/console/zones`);
    await page.getByLabel('Token', { exact: true }).fill('zw_0000000000000000_wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Invalid token: it may be mistyped').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('is kept in memory alone, unless the person asks for more', async () => {
    await open('', service.admin);
    const kept = () =>
      page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])');
    expect(await kept()).toBe('[{},{},""]');
    await page.reload();
    await page.getByLabel('Stay logged in while this tab is open').check();
    await page.getByLabel('Token', { exact: true }).fill(service.admin);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Token', { exact: true }).waitFor();
    expect(await kept()).toBe('[{},{},""]');
  });

  it('that ends while somebody writes costs nothing of what was written', async () => {
    const { member } = await seeded(service);
    await open('/zones/new', member);
    const dialog = page.getByRole('dialog', { name: 'Create zone' });
    await dialog.getByLabel('Email').fill('hostmaster@example.org');
    const id = member.split('_')[1];
    await service.request('DELETE', `/v2/tokens/${id}`, { token: service.admin });
    await dialog.getByLabel('Name').fill('later.example');
    const again = page.getByRole('dialog', { name: 'Log in again' });
    await again.getByLabel('Token', { exact: true }).fill(service.admin);
    await picture(page, 'token-over');
    await again.getByRole('button', { name: 'Log in' }).click();
    await dialog.getByRole('button', { name: 'Create zone' }).click();
    await page.getByText('Created later.example.').waitFor();
    expect(watched.complaints).toEqual([]);
  });
});

it('the first link of the page leads past the navigation', async () => {
  await open('/blacklists', service.admin);
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('main:focus').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.locator('main :focus').count()).toBe(1);
  expect(new URL(page.url()).pathname).toBe('/console/blacklists');
});

describe('an administrator', () => {
  it('previews and adds an entry, sees it refuse, and takes it back', async () => {
    await seeded(service);
    await open('/blacklists', service.admin);
    await page.getByRole('link', { name: 'Add entry' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add entry' });
    await dialog.getByLabel('Pattern').fill('(^|\\.)example\\.org\\.$');
    await dialog.getByText(/2 of 6 existing zones match/).waitFor();
    expect(await dialog.getByText('news.example.org.').count()).toBe(1);
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'preview');
    await dialog.getByLabel('Description').fill('ours');
    await dialog.getByRole('button', { name: 'Add entry' }).click();
    const sure = page.getByRole('dialog', { name: 'This pattern matches many zones' });
    await sure.getByText('2 of 6 existing zones').waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await barriersOn(page)).toEqual([]);
      await picture(page, `wide-pattern-${width}`);
    }
    expect(await sure.getByRole('button', { name: 'Add entry' }).isDisabled()).toBe(true);
    expect((await service.create('second.example.org.')).status).toBe(202);
    await sure.getByLabel('Type 2 to confirm').fill('3');
    expect(await sure.getByRole('button', { name: 'Add entry' }).isDisabled()).toBe(true);
    await sure.getByLabel('Type 2 to confirm').fill('2');
    await sure.getByRole('button', { name: 'Add entry' }).click();
    await page.getByText('Added (^|\\.)example\\.org\\.$').waitFor();
    expect((await service.create('third.example.org.')).status).toBe(400);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone.').waitFor();
    expect((await service.create('third.example.org.')).status).toBe(202);
    expect(watched.complaints).toEqual([]);
  });

  it('waits for the preview before an entry is added, and is asked if that fails', async () => {
    await seeded(service);
    await open('/blacklists/new', service.admin);
    const entries = async () =>
      (await service.request('GET', '/v2/blacklists?pattern=^free*', { token: service.admin })).json
        .blacklists.length;
    const dialog = page.getByRole('dialog', { name: 'Add entry' });
    const waiting: Route[] = [];
    await page.route('**/v2/blacklists/previews', (route) => void waiting.push(route));
    await dialog.getByLabel('Pattern').fill('^free\\.');
    await dialog.getByRole('button', { name: 'Add entry' }).click();
    await dialog.getByText('Checking existing zones…').waitFor();
    await until(() => expect(waiting).toHaveLength(1));
    expect(await entries()).toBe(0);
    await picture(page, 'waiting-for-preview');
    await waiting[0]!.continue();
    await page.getByText('Added ^free\\.').waitFor();
    expect(await entries()).toBe(1);

    await page.unroute('**/v2/blacklists/previews');
    await page.route('**/v2/blacklists/previews', (route) =>
      route.fulfill({
        status: 409,
        json: { code: 409, type: 'preview_running', message: 'Another one runs.' },
      }),
    );
    await page.getByRole('link', { name: 'Add entry' }).click();
    await dialog.getByLabel('Pattern').fill('^free-too\\.');
    await dialog.getByRole('button', { name: 'Add entry' }).click();
    const sure = page.getByRole('dialog', { name: 'This pattern could not be checked' });
    await sure.getByRole('button', { name: 'Cancel' }).click();
    expect(await entries()).toBe(1);
    await dialog.getByRole('button', { name: 'Add entry' }).click();
    await sure.getByLabel('Type unchecked to confirm').fill('unchecked');
    await sure.getByRole('button', { name: 'Add entry' }).click();
    await page.getByText('Added ^free-too\\.').waitFor();
    expect(await entries()).toBe(2);
  });

  it('does not undo what somebody else has changed since', async () => {
    await open('/blacklists/new', service.admin);
    const dialog = page.getByRole('dialog', { name: 'Add entry' });
    await dialog.getByLabel('Pattern').fill('^mine\\.example\\.$');
    await dialog.getByRole('button', { name: 'Add entry' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const { json } = await service.request('GET', '/v2/blacklists', { token: service.admin });
    const body = { description: 'mine, now' };
    await service.request('PATCH', `/v2/blacklists/${json.blacklists[0].id}`, { token: service.admin, body });
    await undo.click();
    await page.getByText('may have changed since it was read').waitFor();
  });

  it('takes a deletion back', async () => {
    await seeded(service);
    await open('/blacklists?pattern=casino', service.admin);
    await page.getByRole('button', { name: 'Delete casino' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted casino').waitFor();
    await page.getByText('No entries match.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'casino' }).waitFor();
    await page.getByRole('cell', { name: 'audit' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('gives a whole list another mode, and takes it back', async () => {
    await seededList(service);
    await open('/blacklists/lists', service.admin);
    const dialog = page.getByRole('dialog', { name: 'Lists' });
    await dialog.getByLabel('Mode of all entries on brands').selectOption('warn');
    await dialog.getByRole('button', { name: 'Apply to all' }).click();
    await page.getByText('Changed 2 entries on brands').waitFor();
    expect((await service.create('visa.example.')).status).toBe(202);
    await dialog.getByRole('button', { name: 'Delete list brands' }).click();
    await dialog.getByRole('button', { name: /^Delete brands and/ }).click();
    await page.getByText('Deleted the list brands').waitFor();
    await dialog.getByText('No lists yet.').waitFor();
    const { json } = await service.request('GET', '/v2/blacklists', { token: service.admin });
    expect(json.blacklists).toEqual([]);
  });

  it('is told at the field what is wrong', async () => {
    await open('/blacklists/new', service.admin);
    const dialog = page.getByRole('dialog', { name: 'Add entry' });
    await dialog.getByLabel('Pattern').fill('(unfinished');
    await dialog.getByRole('button', { name: 'Add entry' }).click();
    const pattern = dialog.getByRole('textbox', { name: 'Pattern' });
    await dialog.locator('[aria-invalid=true]').waitFor();
    expect(await pattern.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a first day as an administrator', () => {
  it('imports a list, gives a quota, and finds both in the history', async () => {
    await seeded(service);
    await open('/blacklists', service.admin);
    await page.getByRole('link', { name: 'Import entries' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import entries' });
    const lines = [
      '// ===BEGIN===',
      ...Array.from({ length: 500 }, (_, place) => `s${place}.example`),
      '-bad-',
    ];
    const file = (text: string) => ({
      name: 'suffixes.dat',
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file(lines.join('\n')));
    await dialog.getByLabel('File format').selectOption('psl');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Line 502:', { exact: true }).waitFor();
    await dialog.getByText('Nothing was changed').waitFor();
    await picture(page, 'import-faults');
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file(lines.slice(0, -1).join('\n')));
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('500 new entries').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'Names' }).click();
    await page.getByLabel('Name', { exact: true }).fill('s7.example');
    await page.getByText('cannot be created').waitFor();

    await page.getByRole('link', { name: 'Quotas' }).click();
    await page.getByLabel('Edit limits of project').fill('shop');
    await page.getByRole('button', { name: 'Edit' }).click();
    const limits = page.getByRole('dialog', { name: 'Limits of shop' });
    await limits.getByLabel('Zones', { exact: true }).fill('many');
    await limits.getByRole('button', { name: 'Save' }).click();
    await limits.locator('[aria-invalid=true]').waitFor();
    await limits.getByLabel('Zones', { exact: true }).fill('250');
    await limits.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved the limits of shop').waitFor();

    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: /^blacklists\.imported/ }).waitFor();
    await page.getByRole('button', { name: /^quotas\.changed/ }).click();
    const event = page.getByRole('dialog', { name: 'quotas.changed' });
    await event.getByRole('row', { name: 'zones 10 250' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'event');
    expect(watched.complaints).toEqual([]);
  });

  it('makes a token, which is shown once, and revokes it', async () => {
    await open('/tokens/new', service.admin);
    const dialog = page.getByRole('dialog', { name: 'Create token' });
    await dialog.getByLabel('Project').fill('shop');
    await dialog.getByLabel('Description').fill('x'.repeat(1025));
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Use at most 1024 characters.').waitFor();
    await dialog.getByLabel('Description').fill('Builds of the shop');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Copy the token now.').waitFor();
    const token = (await dialog.locator('code').textContent()) ?? '';
    expect((await service.request('GET', '/v2/caller', { token })).json.project_id).toBe('shop');
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByText(token).count()).toBe(0);
    const row = page.getByRole('row').filter({ hasText: token.split('_')[1]! });
    await row.getByText('Builds of the shop').waitFor();
    await page.getByRole('button', { name: `Revoke ${token.split('_')[1]}` }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText(`Revoked ${token.split('_')[1]}`).waitFor();
    expect((await service.request('GET', '/v2/caller', { token })).status).toBe(401);
  });
});

describe('a window', () => {
  it('keeps the focus until Escape gives it back', async () => {
    await open('/zones', service.admin);
    const opener = page.getByRole('link', { name: 'Create zone' });
    await opener.click();
    await page.getByRole('dialog').waitFor();
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      const isOutside = await page.evaluate<boolean>(
        "document.activeElement !== document.body && document.activeElement.closest('dialog') === null",
      );
      expect(isOutside).toBe(false);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(async () => expect(await opener.evaluate((link) => link.matches(':focus'))).toBe(true));
  });
});

describe('the list of zones', () => {
  it('starts with all projects for an administrator, and with the own one at will', async () => {
    await seeded(service);
    await service.create('own.example.');
    await open('', service.admin);
    await page.getByRole('link', { name: 'Zones', exact: true }).click();
    await page.getByRole('heading', { name: 'Zones 7' }).waitFor();
    await page.getByRole('link', { name: 'shop.example.org.' }).waitFor();
    await picture(page, 'zones-of-all');
    await page.getByLabel('All projects').uncheck();
    await page.getByRole('heading', { name: 'Zones 1' }).waitFor();
    await page.getByRole('link', { name: 'shop.example.org.' }).waitFor({ state: 'detached' });
    await page.reload();
    await logIn(page, service.admin);
    await page.getByRole('heading', { name: 'Zones 1' }).waitFor();
    await page.getByLabel('All projects').check();
    await page.getByRole('heading', { name: 'Zones 7' }).waitFor();
  });
});

describe('the address of a view', () => {
  it('brings its filters back, and the button that goes back leads there', async () => {
    await seeded(service);
    await open('/zones?name=news', service.admin);
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'news.example.org.' }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('heading', { name: 'Tokens' }).waitFor();
    await page.goBack();
    await rows.filter({ hasText: 'news.example.org.' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('news');
  });
});

describe('a service that does not answer', () => {
  it('is told of above what was there, and asked again by itself', async () => {
    await seeded(service);
    await open('/zones', service.admin);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('shop.example.org.').waitFor();
    await page.route('**/v2/**', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'content-type': 'application/json', 'retry-after': '1' },
        body: JSON.stringify({
          code: 503,
          type: 'service_unavailable',
          message: 'The storage cannot be reached.',
        }),
      }),
    );
    await page.getByLabel('Name').fill('news');
    const banner = page.getByRole('alert').filter({ hasText: 'The storage cannot be reached.' }).first();
    await banner.waitFor();
    expect(await row('shop.example.org.').count()).toBe(1);
    await picture(page, 'unavailable');
    await page.unroute('**/v2/**');
    await row('shop.example.org.').waitFor({ state: 'detached' });
    await row('news.example.org.').waitFor();
    await banner.waitFor({ state: 'detached' });
  });

  it('does not log out who has asked to stay', async () => {
    await page.goto(`${service.url}/console`);
    await page.getByLabel('Stay logged in while this tab is open').check();
    await logIn(page, service.admin);
    await page.route('**/v2/**', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' } }));
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'temporarily unavailable' }).waitFor();
    await page.unroute('**/v2/**');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('that has been stopped is told of, too', async () => {
    await open('/names', service.admin);
    await service.end();
    await page.getByLabel('Name', { exact: true }).fill('a.example');
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).first().waitFor();
    await picture(page, 'stopped');
  });
});

describe('what others have stored', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '\u202Eevil\u202C',
    '"><script>alert(1)</script>',
    'x'.repeat(1000),
    'a\u0001b\nc',
  ];

  it('stays text', async () => {
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    for (const [place, description] of HOSTILE.entries()) {
      const pattern = `^${'(<b>|x)'.repeat(place + 1)}hostile${place}\\.$`;
      await service.request('POST', '/v2/blacklists', {
        token: service.admin,
        body: { pattern, description },
      });
      const body = { name: `hostile${place}.example.`, email: 'a@example.org', description };
      await service.request('POST', '/v2/zones', { token: service.admin, body });
    }
    for (const view of ['blacklists', 'zones']) {
      await open(`/${view}`, service.admin);
      await page.getByText('hostile0').first().waitFor();
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
      expect(await page.getByText('⟨U+202E⟩evil⟨U+202C⟩').count()).toBe(1);
      expect(await page.getByText('a⟨U+0001⟩b⟨U+000A⟩c').count()).toBe(1);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await picture(page, `hostile-${view}`);
    }
    expect(dialogs).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });
});
