/** A browser that looks at the console, and notes in the page itself when something is seen. */
import type { Browser, CDPSession, Page } from 'playwright-core';

const PATIENCE = 120_000;

/**
 * Runs in the page before anything else: each frame it tries what is waited for, and notes the time once that has been painted.
 * What is waited for after an act counts from the act.
 */
const WATCH = `
  const times = {};
  const awaited = new Map();
  const look = () => {
    for (const [name, isThere] of awaited) {
      if (!isThere()) continue;
      awaited.delete(name);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { times[name] = performance.now(); };
      port2.postMessage(0);
    }
    requestAnimationFrame(look);
  };
  window.watching = {
    times,
    await: (name, isThere) => { delete times[name]; awaited.set(name, isThere); },
    async all(names) {
      while (!names.every((name) => name in times)) await new Promise(requestAnimationFrame);
      // The browser tells of its own times a little later.
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    async act(act, isThere) {
      const start = performance.now();
      this.await('act', isThere);
      act();
      while (times.act === undefined) await new Promise(requestAnimationFrame);
      return times.act - start;
    },
  };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) times.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  look();
`;

export interface Loaded {
  readonly path: string;
  /** As it was sent. */
  readonly bytes: number;
}

export interface Visitor {
  readonly page: Page;
  readonly loaded: readonly Loaded[];
  /** Opens a page, and returns after how many milliseconds each thing was seen. */
  open(url: string, seen: Readonly<Record<string, string>>): Promise<Readonly<Record<string, number>>>;
  /** Does something in the page, and returns after how many milliseconds something was seen. */
  context(context: string, seen: string): Promise<number>;
  /** The memory of the page after a collection, in MB, and its nodes: those in the document, and all that are kept. */
  footprint(): Promise<{
    readonly megabytes: number;
    readonly shown: number;
    readonly kept: number;
  }>;
  close(): Promise<void>;
}

/** The parts of what was loaded, as the browser's own protocol tells of them. */
async function noteLoaded(cdp: CDPSession): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  const paths = new Map<string, string>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname, search } = new URL(request.url);
    paths.set(requestId, `${pathname}${search}`);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loaded.push({ path: paths.get(requestId) ?? '', bytes: encodedDataLength });
  });
  await cdp.send('Network.enable');
  return loaded;
}

async function footprintOf(cdp: CDPSession, page: Page) {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const shown = await page.evaluate<number>("document.querySelectorAll('*').length");
  return { megabytes: metric('JSHeapUsedSize') / 1e6, shown, kept: metric('Nodes') };
}

/**
 * Somebody with an empty cache.
 * @param token what is kept for the tab; '' for somebody who has to log in
 * @param slowness how many times slower the processor of the page is
 */
export async function visitor(browser: Browser, token: string, slowness: number): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const loaded = await noteLoaded(cdp);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  await page.addInitScript(WATCH);
  if (token !== '')
    await page.addInitScript(`sessionStorage.setItem('zonewarden-token', ${JSON.stringify(token)})`);
  return {
    page,
    loaded,
    async open(url, seen) {
      const awaits = Object.entries(seen).map(
        ([name, test]) => `watching.await(${JSON.stringify(name)}, () => ${test});`,
      );
      await page.addInitScript(awaits.join('\n'));
      await page.goto(url, { waitUntil: 'commit' });
      const names = JSON.stringify(Object.keys(seen));
      await page.evaluate(`watching.all(${names})`);
      return page.evaluate(`({ ...watching.times,
        first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime })`);
    },
    context: (context, seen) => page.evaluate<number>(`watching.act(() => { ${context} }, () => ${seen})`),
    footprint: () => footprintOf(cdp, page),
    close: () => context.close(),
  };
}
