// Every route of the compiled source, as it serves, v1 included. Nothing is asked of the use cases, so they have no store.
import { loadConfig } from '../build/src/config/load.js';
import { useCasesOver } from '../build/src/domain/use-cases.js';
import { PerAddress } from '../build/src/http/per-address.js';
import { routesOf } from '../build/src/http/routes.js';
import { patternLanguage } from '../build/src/matcher/language.js';
import { domainSettings } from '../build/src/settings.js';

export function allRoutes() {
  const config = loadConfig(undefined, {});
  const useCases = useCasesOver({ settings: domainSettings(config), language: patternLanguage, sinks: [] });
  const pages = { default: config.defaultLimit, max: config.maxLimit };
  return routesOf(useCases, {
    pages,
    maxImportSize: config.maxImportSize,
    maxBodySize: config.maxBodySize,
    isV1Enabled: true,
    publicUrl: '',
    accessDeniedStatus: 401,
    figures: { contentType: 'text/plain', text: async () => '' },
    failures: new PerAddress(config.failedTokensPerSecond),
  });
}
