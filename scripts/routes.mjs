// Every route of the API, as it serves, v1 included. Nothing is asked of the use cases, so they have no store.

import { domainSettings } from '../src/assembly/settings.ts';
import { loadConfig } from '../src/config/load.ts';
import { useCasesOver } from '../src/domain/use-cases.ts';
import { PerAddress } from '../src/http/edge/per-address.ts';
import { routesOf } from '../src/http/routes.ts';
import { patternLanguage } from '../src/matcher/language.ts';

export function allRoutes() {
  const config = loadConfig(undefined, {});
  const useCases = useCasesOver({ settings: domainSettings(config), language: patternLanguage, sinks: [] });
  const pages = { default: config.defaultLimit, max: config.maxLimit };
  return routesOf(useCases, {
    pages,
    maxImportSize: config.maxImportSize,
    maxBodySize: config.maxBodySize,
    isV1Enabled: true,
    dyndns: true,
    showTsigSecrets: true,
    publicUrl: '',
    accessDeniedStatus: 401,
    metrics: { contentType: 'text/plain', text: async () => '' },
    failures: new PerAddress(config.failedTokensPerSecond),
  });
}
