/**
 * The console over many zones and patterns, in the browser that is installed (Debian: chromium): the time to the first view with an empty
 * cache and a processor that is slower, what is loaded, the time to the first rows of the long lists, each page and each search,
 * and the memory of the page and its nodes when so many rows have gone by. Times are the page's own: from the navigation, or from
 * the act, until what was waited for is painted. Filling a store takes minutes: --fill only does that, in a folder that a later run finds.
 *
 *     npm run bench -- console [--zones 1000000] [--patterns 1000000] [--rounds 7] [--rows 5000] [--slowness 4] [--data DIR] [--fill]
 */

import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../test/support/console/browser.ts';
import { eventually } from '../test/support/eventually.ts';
import { quantile, table } from '../test/support/figures.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../test/support/process.ts';
import { filled, zoneNameAt } from './console/stored.ts';
import { type Visitor, visitor } from './console/visitor.ts';

const PER_PAGE = 50;

const { values: options } = parseArgs({
  options: {
    zones: { type: 'string', default: '1000000' },
    patterns: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
    rows: { type: 'string', default: '5000' },
    slowness: { type: 'string', default: '4' },
    data: { type: 'string' },
    fill: { type: 'boolean', default: false },
  },
});
const zones = Number(options.zones);
const patterns = Number(options.patterns);
const rounds = Number(options.rounds);
const rows = Number(options.rows);
const slowness = Number(options.slowness);

const LOGIN = "document.querySelector('form.login input') !== null";
const SHELL = "document.querySelector('nav[aria-label=Views]') !== null";
const FIGURES = "/[0-9]/.test(document.querySelector('.figure dd a')?.textContent)";
const WHOLE = `${FIGURES} && document.querySelector('.events li') !== null
  && document.querySelector('.measures li') !== null && document.querySelector('code.pattern') !== null`;
const ROWS = "document.querySelector('tbody tr') !== null";
const OTHER_ROWS = `document.querySelector('tbody tr') !== before`;
const NEXT = `globalThis.before = document.querySelector('tbody tr'); [...document.querySelectorAll('.pages a')].at(-1).click();`;

const ms = (times: readonly number[], share = 0.5): string => quantile(times, share).toFixed(0);
const spread = (times: readonly number[]): string => `${ms(times)} (${ms(times, 0)} to ${ms(times, 1)})`;

/** Types a text at once. */
function typing(selector: string, text: string): string {
  return `globalThis.before = document.querySelector('tbody tr');
    const field = document.querySelector(${JSON.stringify(selector)});
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));`;
}

async function firstViews(browser: Browser, { url, admin }: ServiceProcess): Promise<void> {
  const login: Record<string, number>[] = [];
  const overview: Record<string, number>[] = [];
  const entering: number[] = [];
  let last: Visitor['loaded'] = [];
  // The first round warms the service up.
  for (let round = 0; round <= rounds; round++) {
    const stranger = await visitor(browser, '', slowness);
    const seenByStranger = await stranger.open(`${url}/console`, { there: LOGIN });
    await stranger.page.getByLabel('Token', { exact: true }).fill(admin);
    const entered = await stranger.context(
      "document.querySelector('form.login button[type=submit]').click()",
      WHOLE,
    );
    await stranger.close();
    const known = await visitor(browser, admin, slowness);
    const seen = await known.open(`${url}/console`, { shell: SHELL, figures: FIGURES, there: WHOLE });
    last = [...known.loaded];
    if (round === rounds) await requestsOf(known);
    await known.close();
    if (round === 0) continue;
    login.push({ ...seenByStranger });
    entering.push(entered);
    overview.push({ ...seen });
  }
  const of = (all: readonly Record<string, number>[], name: string) =>
    spread(all.map((one) => one[name] ?? Number.NaN));
  table(
    [
      'first view, empty cache',
      'first contentful paint, ms',
      'largest contentful paint, ms',
      'all of it there, ms',
    ],
    [
      ['the form to log in', of(login, 'first'), of(login, 'largest'), of(login, 'there')],
      [
        'the overview, to who is logged in',
        of(overview, 'first'),
        of(overview, 'largest'),
        of(overview, 'there'),
      ],
      ['the overview, from the click on "Log in"', '', '', spread(entering)],
    ],
  );
  console.log(`Of the overview: frame ${of(overview, 'shell')} ms, figures ${of(overview, 'figures')} ms.\n`);
  table(
    ['loaded by the overview', 'bytes as sent'],
    last.map(({ path, bytes }) => [path, bytes.toLocaleString('en')]),
  );
}

/** When the page asked, and when it was answered. */
async function requestsOf({ page }: Visitor): Promise<void> {
  const entries = await page.evaluate<
    readonly { name: string; at: number; answered: number; done: number }[]
  >(
    `performance.getEntriesByType('resource').map(({ name, startTime, responseStart, responseEnd }) =>
      ({ name: name.replace(location.origin, ''), at: startTime, answered: responseStart, done: responseEnd }))`,
  );
  table(
    ['request', 'asked at, ms', 'answered at', 'done at'],
    entries.map(({ name, at, answered, done }) => [
      name,
      at.toFixed(0),
      answered.toFixed(0),
      done.toFixed(0),
    ]),
  );
}

interface LongList {
  readonly title: string;
  readonly path: string;
  /** What is searched, where. */
  readonly search: readonly [selector: string, text: string];
}

const LISTS: readonly LongList[] = [
  { title: 'zones', path: '/zones', search: ['search input', zoneNameAt(zones - 1).slice(0, -9)] },
  { title: 'blacklists', path: '/blacklists', search: ['search input', 'shop'] },
];

/** How long each page of a list takes, until so many rows have gone by. */
async function paging(visitor: Visitor): Promise<number[]> {
  const times: number[] = [];
  for (let seen = PER_PAGE; seen < rows; seen += PER_PAGE)
    times.push(await visitor.context(NEXT, OTHER_ROWS));
  return times;
}

async function listRow(browser: Browser, service: ServiceProcess, list: LongList): Promise<string[]> {
  const { title, path, search } = list;
  const first: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await visitor(browser, service.admin, 1);
    first.push((await one.open(`${service.url}/console${path}`, { rows: ROWS })).rows!);
    await one.close();
  }
  const reader = await visitor(browser, service.admin, 1);
  await reader.open(`${service.url}/console${path}`, { rows: ROWS });
  const before = await reader.footprint();
  const pages = await paging(reader);
  const after = await reader.footprint();
  const searched = await reader.context(typing(...search), `${OTHER_ROWS} && ${ROWS}`);
  await reader.close();
  return [
    title,
    spread(first),
    `${ms(pages)} / ${ms(pages, 0.99)}`,
    searched.toFixed(0),
    `${before.megabytes.toFixed(1)} / ${after.megabytes.toFixed(1)}`,
    `${before.shown} / ${after.shown}`,
    `${before.kept} / ${after.kept}`,
  ];
}

async function measure(service: ServiceProcess): Promise<void> {
  const browser = await startBrowser();
  try {
    console.log(`\n${zones.toLocaleString('en')} zones, ${patterns.toLocaleString('en')} patterns\n`);
    console.log(
      `First views, processor of the page ${slowness} times slower; ${rounds} rounds: median (range)\n`,
    );
    await firstViews(browser, service);
    const found = [];
    for (const list of LISTS) found.push(await listRow(browser, service, list));
    const heads = ['first rows, ms', 'each page, p50 / p99 ms', 'search, ms'];
    const bounds = ['MB before / after', 'elements before / after', 'nodes before / after'];
    console.log(
      `Lists, processor as it is; ${rows.toLocaleString('en')} rows go by, ${PER_PAGE} to a page\n`,
    );
    table(['list', ...heads, ...bounds], found);
  } finally {
    await browser.close();
  }
}

/** The service listens before it has read its patterns. */
function ready({ request, admin: token }: ServiceProcess): Promise<true> {
  return eventually(
    async () => (await request('GET', '/v2/statistics', { token })).status === 200 || undefined,
  );
}

async function main(): Promise<void> {
  const folder = options.data === undefined ? temporaryFolder() : { path: options.data, remove: () => {} };
  mkdirSync(folder.path, { recursive: true });
  try {
    await filled(folder.path, { zones, patterns });
    if (options.fill) return;
    const service = await startProcess({ dataDir: folder.path });
    await ready(service);
    await measure(service).finally(() => service.end());
  } finally {
    folder.remove();
  }
}

await main();
