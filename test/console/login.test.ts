import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { barriersOn, logIn, openPage, picture, startBrowser } from '../support/console/browser.ts';
import { FakeKeystone, keystoneOptions, projectToken } from '../support/keystone/fake.ts';
import { startProcess, temporaryFolder } from '../support/process.ts';

it('where Keystone is, people log in with user and password', async () => {
  const folder = temporaryFolder();
  const keystone = await FakeKeystone.start();
  const service = await startProcess({ dataDir: folder.path, env: keystoneOptions(keystone.url) });
  const browser = await startBrowser();
  const { page, complaints } = await openPage(browser);
  await page.goto(`${service.url}/console`);
  await page.getByLabel('User').fill('alice');
  await page.getByLabel('Password').fill('wrong horse');
  await page.getByLabel('Project').fill('shop');
  expect(await barriersOn(page)).toEqual([]);
  keystone.isPasswordRight = false;
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Keystone rejected this user').waitFor();
  await picture(page, 'login-refused');
  keystone.isPasswordRight = true;
  keystone.granted = projectToken('shop', 'member');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('the shop').waitFor();
  expect(complaints).toEqual([]);
  await browser.close();
  await service.end();
  await keystone.stop();
  folder.remove();
});

it('the login form says where a token comes from, also to a screen reader', async () => {
  const folder = temporaryFolder();
  const service = await startProcess({ dataDir: folder.path });
  const browser = await startBrowser();
  const { page, complaints } = await openPage(browser);
  await page.goto(`${service.url}/console`);
  const field = page.getByLabel('Token', { exact: true });
  await field.waitFor();
  const note = page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`);
  const text = await note.textContent();
  const [file] = /\b[\w.]+\.token\b/.exec(text ?? '') ?? [];
  expect(text).toContain('data folder');
  // What the file holds is a token that the form accepts.
  await logIn(page, (await readFile(join(folder.path, file ?? 'unnamed'), 'utf8')).trim());
  expect(complaints).toEqual([]);
  await browser.close();
  await service.end();
  folder.remove();
});
