import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type UseCases, useCasesOver } from '../../src/domain/use-cases.ts';
import { patternLanguage } from '../../src/matcher/language.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { PatternScanner } from '../../src/matcher/scan/pattern-scanner.ts';
import { everythingAllowed } from '../../src/model/access/policy.ts';
import { systemClock } from '../../src/model/clock.ts';
import { commandContext } from '../../src/model/context/request-context.ts';
import type { Store } from '../../src/model/store.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import type { Jobs } from '../../src/runtime/jobs.ts';
import { openEventKeys } from '../../src/storage/events/event-keys.ts';
import { openStore } from '../../src/storage/open.ts';
import { webhookJob } from '../../src/webhooks/deliverer.ts';
import { DELIVERY, type DeliverySettings, type Receiver } from '../../src/webhooks/settings.ts';
import { parseSecrets } from '../../src/webhooks/signature.ts';
import { jobsOfTest } from './jobs.ts';
import { inStoreOf, storeOptions, storeSettings } from './store.ts';

/** Short waits, so that tests need not wait; none of them decides whether a test passes. */
const QUICK: DeliverySettings = {
  ...DELIVERY,
  lease: 2000,
  takeOver: 50,
  poll: 10,
  idlePoll: 20,
  keep: 30,
  keepPassed: 60,
  attempt: { firstMs: 5, factor: 1.5, maxMs: 30 },
  retry: { firstMs: 10, factor: 1, maxMs: 10 },
  grace: 500,
};

export const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** A receiver as the configuration would have it. */
export function receiverAt(url: string, more: Partial<Receiver> = {}): Receiver {
  return {
    name: 'one',
    url,
    types: ['*'],
    from: 'head',
    allowPrivate: true,
    secrets: parseSecrets(SECRET)!,
    ca: undefined,
    timeoutMs: 10_000,
    giveUpAfterMs: 3_600_000,
    source: 'https://dns.example.com',
    ...more,
  };
}

interface Line {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A store whose events are sent. */
export interface Deliveries {
  readonly dataDir: string;
  readonly store: Store;
  readonly useCases: UseCases;
  readonly logged: readonly Line[];
  /** Does so many things, each of which is an event, and seals them. */
  happen(count: number): Promise<void>;
  /** The ids of the sealed events, in their order. */
  ids(condition?: string): Promise<readonly string[]>;
  /** Starts what sends, as one process has it. */
  start(receivers: readonly Receiver[], settings?: Partial<DeliverySettings>): Promise<Jobs>;
  /** Removes the events up to a position, as if they were too old. */
  forget(upTo: number): Promise<void>;
  close(): Promise<void>;
}

/** @param types what the configuration says that they are sent */
export async function startDeliveries(
  names: readonly string[] = ['one'],
  types: readonly string[] = ['*'],
): Promise<Deliveries> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deliveries-'));
  const store = await openStore(storeSettings(dataDir), true);
  const index = new PatternChecker();
  const clock = systemClock();
  const logged: Line[] = [];
  const write = (fields: object, message: string) =>
    void logged.push({ fields: fields as Line['fields'], message });
  const log = { debug: write, info: write, warn: write, error: write };
  const useCases = useCasesOver({
    store,
    index,
    clock,
    log,
    policy: everythingAllowed(() => loadPolicy()),
    sinks: [],
    eventKeys: openEventKeys({ dataDir, keyFile: '' }),
    language: patternLanguage,
    newFilter: () => new PatternChecker(),
    scanner: new PatternScanner(),
    settings: {
      ...domainSettings(loadConfig(undefined, storeOptions(dataDir))),
      webhooks: names.map((name) => ({ name, types })),
    },
  });
  await useCases.checker.catchUp();
  const context = commandContext('test');
  const started: Jobs[] = [];
  let number = 0;
  return {
    dataDir,
    store,
    useCases,
    logged,
    async happen(count) {
      for (let done = 0; done < count; done++) {
        number += 1;
        await useCases.tlds.create(context, { name: `tld${number}`, description: null });
      }
      while (await useCases.sealing.seal());
    },
    async ids(condition = 'true') {
      const rows = await inStoreOf(dataDir, `select id from events where ${condition} order by position`);
      return rows.map(({ id }) => String(id));
    },
    async start(receivers, settings = {}) {
      const { deliveries } = useCases;
      await deliveries.begin(receivers);
      const jobs = jobsOfTest(log);
      jobs.start(webhookJob({ store, clock, log, deliveries }, receivers, { ...QUICK, ...settings }));
      started.push(jobs);
      return jobs;
    },
    async forget(upTo) {
      const [last] = await inStoreOf(dataDir, `select hash from events where position = ${upTo}`);
      await store.transaction(async (tx) =>
        tx.events.removeUpTo({ position: upTo, hash: String(last!.hash) }),
      );
    },
    async close() {
      for (const jobs of started) await jobs.stop();
      await index.close();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
