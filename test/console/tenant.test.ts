/** What a tenant does in the console: zones, their records, their files, and what is handed over. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RCODE } from '../../src/dns/wire/codes.ts';
import {
  barriersOn,
  logIn,
  openPage,
  overflowOf,
  picture,
  startBrowser,
  type Watched,
} from '../support/console/browser.ts';
import { seeded, type Tokens } from '../support/console/seeded.ts';
import { sealed } from '../support/events.ts';
import { type ScriptedServer, startNameServer } from '../support/name-server.ts';
import { commandsOn, type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

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
  await watched.close();
  await service.end();
  folder.remove();
});

/** Opens a view, and logs in there. */
async function open(path: string, token: string): Promise<void> {
  await page.goto(`${service.url}/console${path}`);
  await logIn(page, token);
}

async function zoneId(name: string): Promise<string> {
  const path = `/v2/zones?name=${encodeURIComponent(name)}`;
  return (await service.request('GET', path, { token: tokens.member })).json.zones[0].id;
}

const zoneFile = (text: string) => ({
  name: 'zone.db',
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

describe('a zone of a tenant', () => {
  it('is refused where an entry says so, and created by another name', async () => {
    await open('/zones/new', tokens.member);
    const dialog = page.getByRole('dialog', { name: 'Create zone' });
    await dialog.getByLabel('Name').fill('our.paypal.example');
    await dialog.getByText('Blacklisted domain name').first().waitFor();
    await dialog.getByLabel('Email').fill('hostmaster@example.org');
    await dialog.getByRole('button', { name: 'Create zone' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByText('Blacklisted domain name').count()).toBe(1);
    expect((await service.create('our.paypal.example.', tokens.member)).status).toBe(400);
    await dialog.getByLabel('Name').fill('ours.example');
    await dialog.getByRole('button', { name: 'Create zone' }).click();
    await page.getByText('Created ours.example.').waitFor();
    await page.getByRole('heading', { name: 'ours.example.' }).waitFor();
    await page.getByRole('heading', { name: 'Recordsets' }).waitFor();
    await page.getByRole('link', { name: 'Zones', exact: true }).click();
    await page.getByRole('heading', { name: 'Zones 7' }).waitFor();
    await page.getByRole('button', { name: 'Delete ours.example.' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Zones 6' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });
});

describe('the zone page', () => {
  it('creates, changes and deletes a recordset, and shows a fault at its line', async () => {
    await open('/zones', tokens.member);
    await page.getByRole('link', { name: 'shop.example.org.' }).click();
    await page.getByRole('heading', { name: 'shop.example.org.' }).waitFor();
    await page.getByRole('link', { name: 'Create recordset' }).click();
    const create = page.getByRole('dialog', { name: 'Create recordset' });
    await create.getByLabel('Name').fill('www');
    await create.getByLabel('Records').fill('192.0.2.1\n\n192.0.2.300');
    await create.getByRole('button', { name: 'Create recordset' }).click();
    await create.getByText(/^Line 3: /).waitFor();
    expect(await create.getByLabel('Records').getAttribute('aria-invalid')).toBe('true');
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'recordset-fault');
    await create.getByLabel('Records').fill('192.0.2.1\n192.0.2.3');
    await create.getByRole('button', { name: 'Create recordset' }).click();
    await page.getByText('Created www.shop.example.org. A').waitFor();

    await page.getByRole('link', { name: 'www.shop.example.org.' }).click();
    const change = page.getByRole('dialog', { name: 'Edit www.shop.example.org. A' });
    await change.getByLabel('Records').fill('192.0.2.7');
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved www.shop.example.org. A').waitFor();
    await page.getByRole('cell', { name: '192.0.2.7' }).waitFor();

    await page.getByRole('button', { name: 'Delete www.shop.example.org. A' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted www.shop.example.org. A').waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('creates a recordset of a type that has only a number', async () => {
    await open(`/zones/${await zoneId('shop.example.org.')}`, tokens.member);
    await page.getByRole('link', { name: 'Create recordset' }).click();
    const create = page.getByRole('dialog', { name: 'Create recordset' });
    await create.getByLabel('Name').fill('numbered');
    await create.getByLabel('Type', { exact: true }).selectOption('by number');
    await create.getByLabel('Number of the type').fill('65280');
    await create.getByLabel('Records').fill('\\# 2 0a0b');
    expect(await barriersOn(page)).toEqual([]);
    await create.getByRole('button', { name: 'Create recordset' }).click();
    await page.getByText('Created numbered.shop.example.org. TYPE65280').waitFor();
    await page.getByRole('button', { name: 'Delete numbered.shop.example.org. TYPE65280' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted numbered.shop.example.org. TYPE65280').waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('does not overwrite what somebody else has changed since', async () => {
    const id = await zoneId('shop.example.org.');
    await open(`/zones/${id}`, tokens.member);
    await page.getByRole('button', { name: 'Edit zone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit zone' });
    await dialog.getByLabel('Description').fill('mine');
    const body = { description: 'theirs' };
    await service.request('PATCH', `/v2/zones/${id}`, { token: tokens.member, body });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('may have changed since it was read').waitFor();
    const { json } = await service.request('GET', `/v2/zones/${id}`, { token: tokens.member });
    expect(json.description).toBe('theirs');
  });

  it('gives the zone file as a download', async () => {
    await open(`/zones/${await zoneId('shop.example.org.')}`, tokens.member);
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download zone file' }).click();
    const download = await arriving;
    expect(download.suggestedFilename()).toBe('shop.example.org.zone');
    expect(await readFile(await download.path(), 'utf8')).toContain('SOA');
    expect(watched.complaints).toEqual([]);
  });

  it('shares the zone, and ends the share', async () => {
    await open(`/zones/${await zoneId('shop.example.org.')}`, tokens.member);
    await page.getByLabel('Share with project').fill('partner');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Stop sharing with partner' }).click();
    await page.getByText('Stopped sharing with partner').waitFor();
    await page.getByText('Not shared.').waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('is where events lead', async () => {
    await sealed(folder.path);
    await open('/history?type=zone.created&target_name=news.example.org.', service.admin);
    await page.getByRole('link', { name: 'news.example.org.' }).click();
    await page.getByRole('heading', { name: 'news.example.org.' }).waitFor();
    await page.getByRole('heading', { name: 'Recordsets' }).waitFor();
  });
});

describe('a zone that is being published', () => {
  let server: ScriptedServer;
  let publishing: ServiceProcess;
  const own = temporaryFolder();
  beforeAll(async () => {
    server = await startNameServer();
    publishing = await startProcess({
      dataDir: own.path,
      env: { ZONEWARDEN_SERVICE_MDNS__LISTEN: '127.0.0.1:0' },
    });
    const pool = `- name: default
  ns_records: [{ hostname: ns1.example.net., priority: 1 }]
  nameservers: [{ host: 127.0.0.1, port: ${server.port} }]
`;
    const applied = await commandsOn(own.path)(['pool', 'apply', '-', '--yes'], { input: pool });
    expect(applied).toMatchObject({ status: 0 });
  });
  afterAll(async () => {
    await publishing.end();
    await server.close();
    own.remove();
  });

  it('is PENDING until its server has it, and then ACTIVE without being asked for', async () => {
    server.answer = () => ({ rcode: RCODE.REFUSED });
    const { json } = await publishing.create('waiting.example.');
    await page.goto(`${publishing.url}/console/zones/${json.id}`);
    await logIn(page, publishing.admin);
    const head = page.locator('main header').first();
    await head.getByText('PENDING create').waitFor();
    await page.getByRole('rowheader', { name: '127.0.0.1' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'zone-pending');
    server.answer = () => ({ serial: json.serial });
    await head.getByText('ACTIVE', { exact: true }).waitFor();
    await page.getByRole('cell', { name: String(json.serial), exact: true }).waitFor();
    expect(await page.locator('main').getByText('PENDING').count()).toBe(0);
    expect(watched.complaints).toEqual([]);
  });
});

describe('a zone file', () => {
  const LINES = [
    '$ORIGIN file.example.',
    '@ 3600 IN SOA ns1.example.net. hostmaster.file.example. 1 3600 600 86400 3600',
    'www 3600 IN A 192.0.2.300',
    '@ 3600 IN NS ns1.example.net.',
  ];

  it('with a fault in line 3 is told so, and imported once that is corrected', async () => {
    await open('/zones/import', tokens.member);
    const dialog = page.getByRole('dialog', { name: 'Import zone file' });
    const file = dialog.getByLabel('Zone file', { exact: true });
    await file.setInputFiles(zoneFile(`${LINES.join('\n')}\n`));
    await dialog.getByRole('button', { name: 'Import zone' }).click();
    await dialog.getByText('Line 3:', { exact: true }).waitFor();
    await picture(page, 'zone-import-fault');
    await file.setInputFiles(zoneFile(`${LINES.join('\n').replace('300\n', '30\n')}\n`));
    await dialog.getByRole('button', { name: 'Import zone' }).click();
    await page.getByRole('heading', { name: 'file.example.' }).waitFor();
    await page.getByRole('cell', { name: '192.0.2.30' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });
});

describe('a transfer', () => {
  it('is offered with a key that is shown once, and accepted by another project', async () => {
    await open(`/zones/${await zoneId('shop.example.org.')}`, tokens.member);
    await page.getByRole('button', { name: 'Offer zone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Offer zone' });
    await dialog.getByRole('button', { name: 'Offer zone' }).click();
    const [id, key] = [dialog.locator('code').first(), dialog.locator('code').last()];
    await id.waitFor();
    const offer = { id: (await id.textContent()) ?? '', key: (await key.textContent()) ?? '' };
    expect(await barriersOn(page)).toEqual([]);
    await picture(page, 'offer');
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByText(offer.key).count()).toBe(0);

    const body = { project_id: 'buyer', roles: ['member'] };
    const { json } = await service.request('POST', '/v2/tokens', { token: service.admin, body });
    const other = await openPage(browser);
    await other.page.goto(`${service.url}/console/zones/transfers/accept`);
    await logIn(other.page, json.token);
    const accept = other.page.getByRole('dialog', { name: 'Accept zone' });
    await accept.getByLabel('Offer ID').fill(offer.id);
    await accept.getByLabel('Key').fill('wrong');
    await accept.getByRole('button', { name: 'Accept zone' }).click();
    await accept.getByRole('alert').waitFor();
    await accept.getByLabel('Key').fill(offer.key);
    await accept.getByRole('button', { name: 'Accept zone' }).click();
    await other.page.getByRole('heading', { name: 'shop.example.org.' }).waitFor();
    expect(other.complaints).toEqual([]);
    await other.close();
  });

  it('can be withdrawn', async () => {
    const path = `/v2/zones/${await zoneId('shop.example.org.')}/tasks/transfer_requests`;
    await service.request('POST', path, { token: tokens.member, body: { target_project_id: 'buyer' } });
    await open('/zones/transfers', tokens.member);
    await page.getByRole('button', { name: 'Withdraw the offer of shop.example.org.' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw offer' }).click();
    await page.getByText('No offers yet.').waitFor();
    expect(watched.complaints).toEqual([]);
  });
});

describe('what others have stored', () => {
  it('stays text on the zone page', async () => {
    const id = await zoneId('shop.example.org.');
    const description = '<img src=x onerror=alert(1)> \u202Eevil\u202C';
    const token = tokens.member;
    await service.request('PATCH', `/v2/zones/${id}`, { token, body: { description } });
    const body = {
      name: 'a.shop.example.org.',
      type: 'TXT',
      records: [`"<b>${'x'.repeat(200)}"`],
      description,
    };
    await service.request('POST', `/v2/zones/${id}/recordsets`, { token, body });
    const offer = { description };
    await service.request('POST', `/v2/zones/${id}/tasks/transfer_requests`, { token, body: offer });
    for (const view of [id, 'transfers']) {
      await page.goto(`${service.url}/console/zones/${view}`);
      await logIn(page, token);
      await page.getByText('⟨U+202E⟩evil⟨U+202C⟩').first().waitFor();
      expect(await page.locator('main img, main b').count()).toBe(0);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await picture(page, `hostile-${view === id ? 'zone' : view}`);
    }
    expect(watched.complaints).toEqual([]);
  });
});

describe('a low window', () => {
  it('keeps the way out in sight', async () => {
    await page.setViewportSize({ width: 1280, height: 420 });
    await open('', service.admin);
    const box = await page.getByRole('button', { name: 'Log out' }).boundingBox();
    expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThanOrEqual(420);
    await picture(page, 'low-window');
  });
});
