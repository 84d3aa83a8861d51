// Every route of the built program, as it serves, v1 included. Nothing is asked of the use cases, so they have no store.
import { loadConfig } from '../dist/config/load.js';
import { useCasesOver } from '../dist/domain/use-cases.js';
import { PerAddress } from '../dist/http/per-address.js';
import { routesOf } from '../dist/http/routes.js';
import { patternLanguage } from '../dist/matcher/language.js';
import { domainSettings } from '../dist/settings.js';

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
