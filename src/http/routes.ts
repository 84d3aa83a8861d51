import type { PasswordLogin } from '../domain/access/password-login.ts';
import type { UseCases } from '../domain/use-cases.ts';
import { accessCheckRoute } from './access-checks.ts';
import { blacklistListRoutes } from './blacklist-lists.ts';
import { blacklistRoutes } from './blacklists/blacklists.ts';
import { nameCheckRoute } from './blacklists/name-checks.ts';
import { callerRoute } from './caller.ts';
import { changeSetRoutes } from './changes/change-sets.ts';
import { contentsRoutes } from './contents/contents.ts';
import { deletedZoneRoutes } from './deleted-zones.ts';
import { dyndnsRoute } from './dyndns/dyndns.ts';
import type { PerAddress } from './edge/per-address.ts';
import type { Route } from './edge/route.ts';
import { eventRoutes } from './events.ts';
import { guardrailRoutes } from './guardrails.ts';
import { historyRoutes } from './history/history.ts';
import { undoRoutes } from './history/undo.ts';
import type { PageLimits } from './lists/list-query.ts';
import { loginRoutes } from './login.ts';
import { type Exposition, metricsRoute } from './metrics.ts';
import type { DocumentSettings } from './openapi/document.ts';
import { describedBy } from './openapi/route.ts';
import { poolRoutes } from './pools.ts';
import { previewRoutes } from './previews.ts';
import { publicationRoutes } from './publications.ts';
import { quotaDefaultsRoute, quotaRoutesV1, quotaRoutesV2 } from './quotas/quotas.ts';
import { recordsetRoutes } from './recordsets.ts';
import * as resources from './resources.ts';
import { serviceStatusRoutes } from './service-statuses.ts';
import { shareRoutes } from './shares.ts';
import { statisticsRoutes } from './statistics.ts';
import { tokenRoutes } from './tokens.ts';
import { transferRoutes } from './transfers.ts';
import { tsigKeyRoutes } from './tsig-keys.ts';
import { usageRoute } from './usage.ts';
import { versionRoutes } from './versions.ts';
import { zoneAccessRoute } from './zone-access.ts';
import { exportRoutes } from './zone-files/exports.ts';
import { importRoutes } from './zone-files/imports.ts';
import { zoneCheckRoute } from './zones/zone-checks.ts';
import { transferAnewRoute, zoneRoutes } from './zones/zones.ts';

/** The operator's settings for the routes. */
export interface RouteSettings extends DocumentSettings {
  readonly pages: PageLimits;
  /** Maximum size of a zone file, in bytes. */
  readonly maxImportSize: number;
  /** Maximum size of a pattern file, in bytes. */
  readonly maxBlacklistImportSize: number;
  /** Maximum number of changes in a set. */
  readonly maxChanges: number;
  /** True if the secrets of TSIG keys are shown after their creation. */
  readonly showTsigSecrets: boolean;
  /** Maximum size of all other bodies, in bytes. */
  readonly maxBodySize: number;
  /** True if the v1 quotas extension is served. */
  readonly isV1Enabled: boolean;
  /** True if dyndns2 is served. */
  readonly dyndns: boolean;
  /** Maximum rate at which one project may check if a zone could be created, in requests per second. */
  readonly zoneChecksPerSecond: number;
  /** Metrics for /metrics; if undefined, the path does not exist. */
  readonly metrics?: Exposition | undefined;
  /** Password login, if available. */
  readonly login?: PasswordLogin | undefined;
  /** Failed credentials per address. */
  readonly failures: PerAddress;
}

/** All routes of the API, as listed in docs/api.md and the API document. */
export function routesOf(useCases: UseCases, settings: RouteSettings): readonly Route[] {
  const {
    pages,
    maxImportSize,
    maxBlacklistImportSize,
    maxBodySize,
    isV1Enabled,
    dyndns,
    zoneChecksPerSecond,
    metrics: metricsReaders,
    login,
    failures,
  } = settings;
  const routes = [
    ...versionRoutes(isV1Enabled, useCases.requireHealth),
    ...blacklistRoutes(useCases.blacklists, pages),
    ...blacklistListRoutes(useCases.blacklistLists, useCases.blacklistImports, maxBlacklistImportSize),
    nameCheckRoute(useCases.nameChecks),
    ...previewRoutes(useCases.previews, pages),
    ...zoneRoutes(useCases.zones, useCases.poolMoves, pages),
    zoneCheckRoute(useCases.zoneChecks, zoneChecksPerSecond),
    transferAnewRoute(useCases.secondaries),
    ...shareRoutes(useCases.shares, pages),
    zoneAccessRoute(useCases.zoneAccess),
    ...guardrailRoutes(useCases.guardrails),
    ...recordsetRoutes(useCases.recordsets, pages),
    ...changeSetRoutes(useCases.changeSets, settings),
    ...(dyndns ? [dyndnsRoute(useCases.hostUpdates)] : []),
    ...historyRoutes(useCases.zoneHistory, pages),
    ...contentsRoutes(useCases.contents, useCases.zoneHistory, settings),
    ...undoRoutes(useCases.undo, settings),
    ...deletedZoneRoutes(useCases.deletedZones, useCases.zones, pages),
    ...importRoutes(useCases.imports, pages, { asText: maxImportSize, inJson: maxBodySize }),
    ...exportRoutes(useCases.exports, pages),
    ...transferRoutes(useCases, pages),
    ...poolRoutes(useCases.pools, pages),
    ...publicationRoutes(useCases.serverStates),
    ...serviceStatusRoutes(useCases.serviceStatuses, pages),
    ...eventRoutes(useCases.pastEvents, pages),
    ...statisticsRoutes(useCases.statistics),
    ...Object.values(resources).flatMap((one) => one.routes(useCases, pages)),
    ...tsigKeyRoutes(useCases.tsigKeys, settings),
    callerRoute(useCases.callers),
    accessCheckRoute(useCases.accessChecks, zoneChecksPerSecond),
    ...loginRoutes(login, failures),
    ...tokenRoutes(useCases.tokens, pages),
    usageRoute(useCases.usages, pages),
    ...(metricsReaders === undefined ? [] : [metricsRoute(metricsReaders)]),
    ...quotaRoutesV2(useCases.quotas, pages),
    quotaDefaultsRoute(useCases.quotas),
    ...(isV1Enabled ? quotaRoutesV1(useCases.quotas) : []),
  ];
  return describedBy(routes, settings);
}
