import { userInfo } from 'node:os';
import type { Config } from '../config/options.ts';
import { type UseCases, useCasesOver } from '../domain/use-cases.ts';
import { patternLanguage } from '../matcher/language.ts';
import { PatternChecker } from '../matcher/pattern-checker.ts';
import { PatternScanner } from '../matcher/scan/pattern-scanner.ts';
import { everythingAllowed } from '../model/access/policy.ts';
import { systemClock } from '../model/clock.ts';
import { commandContext, type RequestContext } from '../model/context/request-context.ts';
import { policyReader } from '../policy/read-policy.ts';
import type { Log } from '../runtime/log.ts';
import { openEventKeys } from '../storage/events/event-keys.ts';
import { openExistingStore } from '../storage/open.ts';
import { domainSettings, eventKeySettings, storageSettings } from './settings.ts';

/** What a command works with: its request context, and the use cases of the store. */
export interface CommandSession {
  readonly context: RequestContext;
  readonly useCases: UseCases;
  close(): Promise<void>;
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The user who runs the command: in a container, the number may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/**
 * Opens the store for a command.
 * @throws StorageOpenError with a one-line message
 */
export async function openSession(config: Config): Promise<CommandSession> {
  const store = await openExistingStore(storageSettings(config));
  const index = new PatternChecker();
  const scanner = new PatternScanner();
  const useCases = useCasesOver({
    store,
    index,
    scanner,
    newFilter: () => new PatternChecker(),
    clock: systemClock(),
    log: SILENT,
    policy: everythingAllowed(await policyReader(config.policyFile)),
    sinks: [],
    eventKeys: openEventKeys(eventKeySettings(config)),
    language: patternLanguage,
    settings: domainSettings(config),
  });
  return {
    context: commandContext(userName()),
    useCases,
    async close() {
      await useCases.flushRefusals();
      await useCases.hits.flush();
      await index.close();
      await scanner.close();
      await store.close();
    },
  };
}
