import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { useCasesOver } from '../../src/domain/use-cases.ts';
import { PerAddress } from '../../src/http/edge/per-address.ts';
import type { Route } from '../../src/http/edge/route.ts';
import { routesOf } from '../../src/http/routes.ts';
import { patternLanguage } from '../../src/matcher/language.ts';
import { everythingAllowed } from '../../src/model/access/policy.ts';
import { systemClock } from '../../src/model/clock.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';

/** Every route of the API, v1 included, to be looked at: behind them is no store. */
export function everyRoute(): readonly Route[] {
  const nothing = Object.create(null);
  const useCases = useCasesOver({
    store: nothing,
    index: nothing,
    scanner: nothing,
    newFilter: () => nothing,
    log: nothing,
    clock: systemClock(),
    policy: everythingAllowed(() => loadPolicy()),
    sinks: [],
    eventKeys: nothing,
    language: patternLanguage,
    settings: domainSettings(loadConfig(undefined, {})),
  });
  return routesOf(useCases, {
    pages: { default: 20, max: 1000 },
    maxImportSize: 1,
    maxChanges: 1000,
    maxBlacklistImportSize: 134217728,
    maxBodySize: 1,
    isV1Enabled: true,
    dyndns: true,
    showTsigSecrets: true,
    publicUrl: '',
    accessDeniedStatus: 401,
    zoneChecksPerSecond: 20,
    failures: new PerAddress(10),
    metrics: { contentType: 'text/plain', text: async () => '' },
  });
}
