import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** `CHROMIUM` names another one. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Where pictures go; with `PICTURES=docs`, those of the README go to docs/images. */
const PICTURES = 'console/pictures';
/** How long anything may take on a machine of any speed, in milliseconds. */
const PATIENCE = 60_000;

export async function startBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}: install Debian's chromium.`);
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** What the page told the browser that it should not have: errors, and what its policy refused. */
export interface Watched {
  readonly page: Page;
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** The browser says so of each refused request; the page shows it to the person. */
const REFUSED_REQUEST = /^Failed to load resource/;

/** Runs in the page. */
const WATCH_POLICY = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  complain(violatedDirective + ' refuses ' + blockedURI));`;

/** Opens a page of its own, which nobody else has logged in to. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isTold = ['error', 'warning'].includes(message.type()) && !REFUSED_REQUEST.test(message.text());
    if (isTold) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(WATCH_POLICY);
  return { page, complaints, close: () => context.close() };
}

/** Logs in with a token, where the form is. */
export async function logIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What keeps people with a screen reader, or without a mouse, from using what is shown. */
export async function barriersOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly Violation[]>('axe.run().then(({ violations }) => violations)');
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** How often a picture is tried: now and then the browser has none to give. */
const MAX_TRIES = 5;

/** Takes a picture of what is in the window, or of the whole page, for people to look at. */
export async function picture(page: Page, name: string, fullPage = false, tries = MAX_TRIES): Promise<void> {
  const path = join(PICTURES, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  try {
    await page.screenshot({ path, fullPage });
  } catch (error) {
    if (tries <= 1) throw error;
    await picture(page, name, fullPage, tries - 1);
  }
}

/** Takes one of the pictures that the README shows, where that is wished. */
export async function pictureForReadme(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== 'docs') return;
  mkdirSync('docs/images', { recursive: true });
  await page.screenshot({ path: `docs/images/${name}.png` });
}

/** How far the page is wider than its window, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
}

/** Runs in the page: ordinary words that are seen in more than one line, and tables that are wider than their place. */
const LOOK_AT_LAYOUT = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (node.parentElement.closest('.unseen, code, .name') !== null) continue;
    for (const { 0: word, index } of node.data.matchAll(/(?<![^\\s(])[\\p{L}\\d]{2,12}(?![^\\s),.:])/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push('broken: ' + word);
    }
  }
  for (const place of document.querySelectorAll('.scrolled'))
    if (innerWidth >= 1280 && place.scrollWidth > place.clientWidth) found.push('cut off: ' + place.textContent.slice(0, 40));
  return found;
})()`;

/** What is badly laid out: words that break within, and at 1,280 pixels or more, tables that have to be scrolled sideways. */
export function faultsOfLayoutOn(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(LOOK_AT_LAYOUT);
}
