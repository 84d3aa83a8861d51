import { everythingAllowed, type Policy } from '../model/access/policy.ts';
import type { BlacklistIndex, NameExplainer } from '../model/blacklists/name-index.ts';
import type { PatternLanguage } from '../model/blacklists/pattern-language.ts';
import type { Clock } from '../model/clock.ts';
import type { Sink } from '../model/event-types/event.ts';
import type { EventKeys } from '../model/events/event-key.ts';
import type { MetricsRecorder } from '../model/metrics/metrics-recorder.ts';
import type { Store } from '../model/store.ts';
import type { Log } from '../runtime/log.ts';
import { accessControl } from './access/access-control.ts';
import { callerUseCases } from './access/callers.ts';
import { accessCheckUseCases } from './access-checks/access-checks.ts';
import { zoneAccessUseCases } from './access-checks/zone-access.ts';
import { adoptionUseCases } from './adoption/adoptions.ts';
import { blacklistListUseCases } from './blacklist-lists/blacklist-lists.ts';
import { stagedImportUseCases } from './blacklist-lists/staged-imports.ts';
import { blacklistChecker } from './blacklists/blacklist-checker.ts';
import { blacklistUseCases } from './blacklists/blacklists.ts';
import { blacklistExpiryJob } from './blacklists/expiries.ts';
import { hitCounter } from './blacklists/hit-counter.ts';
import type { PatternFilter } from './blacklists/many-names.ts';
import { type NameAdmissionDeps, nameAdmission, OWNER_NAMES } from './blacklists/name-admission.ts';
import { nameCheckUseCases } from './blacklists/name-checks.ts';
import type { NameScanner, NameSurveyor } from './blacklists/name-scanner.ts';
import { nameTestUseCases } from './blacklists/name-tests.ts';
import { changeSetUseCases } from './changes/change-sets.ts';
import { ChangeTurns } from './changes/change-turns.ts';
import type { ChangeDeps } from './changes/execution.ts';
import { expiryJob } from './changes/expiry.ts';
import { contentsUseCases } from './contents/contents.ts';
import { type DeletedZoneDeps, deletedZoneUseCases } from './deleted-zones/deleted-zones.ts';
import type { DomainSettings } from './domain-settings.ts';
import { hostUpdateUseCases } from './dyndns/host-updates.ts';
import { eventsTo } from './events/events.ts';
import { RefusalRecorder } from './events/refusal-recorder.ts';
import { type RefusalReporter, refusalsTo } from './events/refusals.ts';
import { eventSealing } from './events/sealing.ts';
import { guardrailChecks } from './guardrails/guardrails.ts';
import { guardrailUseCases } from './guardrails/zone-guardrails.ts';
import { pastEventUseCases } from './history/past-events.ts';
import { undoUseCases } from './history/undo.ts';
import { zoneHistoryUseCases } from './history/zone-history.ts';
import { idempotencyKeyUseCases } from './idempotency/idempotency-keys.ts';
import { poolFileUseCases } from './pools/pool-files.ts';
import { poolUseCases } from './pools/pools.ts';
import { previewRuns } from './previews/preview-runs.ts';
import { previewUseCases } from './previews/previews.ts';
import { afreshUseCases } from './publication/afresh.ts';
import { orderEnds } from './publication/order-ends.ts';
import { poolJobs } from './publication/pool-jobs.ts';
import { poolMoveUseCases } from './publication/pool-moves.ts';
import { publicationUseCases } from './publication/publications.ts';
import { serverStateUseCases } from './publication/server-states.ts';
import type { ProjectDirectory } from './quotas/project-directory.ts';
import { quotaUseCases } from './quotas/quotas.ts';
import { recordsetUseCases } from './recordsets/recordsets.ts';
import * as resources from './resources.ts';
import { WriteRates } from './scopes/write-rates.ts';
import { secondaryUseCases } from './secondaries/secondaries.ts';
import { storeHealth } from './service-statuses/health.ts';
import { serviceStatusUseCases } from './service-statuses/service-statuses.ts';
import { shareUseCases } from './shares/shares.ts';
import { statisticsUseCases } from './statistics/statistics.ts';
import { tokenUseCases } from './tokens/tokens.ts';
import { transferAcceptUseCases } from './transfers/transfer-accepts.ts';
import { transferRequestUseCases } from './transfers/transfer-requests.ts';
import { tsigKeyUseCases } from './tsig-keys/tsig-keys.ts';
import { unitOfWorkOver } from './unit-of-work/unit-of-work.ts';
import type { UseCaseDeps } from './unit-of-work/use-case.ts';
import { updateUseCases } from './updates/updates.ts';
import { usageUseCases } from './usage/usages.ts';
import { verificationUseCases } from './verification/verifications.ts';
import { deliveryUseCases } from './webhooks/deliveries.ts';
import { webhookUseCases } from './webhooks/webhooks.ts';
import { exportUseCases } from './zone-files/exports.ts';
import { importUseCases } from './zone-files/imports.ts';
import { zoneChanges } from './zones/zone-changes.ts';
import { zoneCheckUseCases } from './zones/zone-checks.ts';
import { zoneCreation } from './zones/zone-creation.ts';
import { zoneUseCases } from './zones/zones.ts';

export interface DomainDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: Policy;
  /** Where events are published. */
  readonly sinks: readonly Sink[];
  /** Keys that authenticate events. */
  readonly eventKeys: EventKeys;
  readonly index: BlacklistIndex & NameExplainer & NameSurveyor;
  readonly scanner: NameScanner;
  /** Creates an empty index, for a subset of the patterns. */
  readonly newFilter: () => PatternFilter;
  readonly language: PatternLanguage;
  readonly settings: DomainSettings;
  /** If set, quotas can only be set for projects it knows. */
  readonly projects?: ProjectDirectory | undefined;
  readonly meter?: Pick<MetricsRecorder, 'nameChecked' | 'guardrailFound'>;
}

type ResourceUseCases = { readonly [N in keyof typeof resources]: ReturnType<(typeof resources)[N]> };

/** The use cases of every resource in `resources.ts`, by its name there. */
function resourceUseCases(deps: UseCaseDeps): ResourceUseCases {
  const made = Object.entries(resources).map(([name, useCasesOf]) => [name, useCasesOf(deps)] as const);
  return Object.fromEntries(made) as ResourceUseCases;
}

/** The blacklist check of record names; undefined if it is off. */
function ownerNameCheck({ settings, newFilter }: DomainDeps, deps: NameAdmissionDeps) {
  if (!settings.checksOwnerNames) return undefined;
  return { ...deps, newFilter, admitName: nameAdmission(deps, OWNER_NAMES) };
}

/** The ways to change many recordsets together. */
function changeUseCases(
  { settings, policy, log }: DomainDeps,
  deps: ChangeDeps & Pick<DeletedZoneDeps, 'ownerNames'>,
  createZone: ReturnType<typeof zoneCreation>,
  refusals: RefusalReporter,
) {
  const { maySendTo } = settings.secondary;
  // No policy restricts what the service does by itself.
  const access = accessControl({ policy: everythingAllowed(() => policy), refusals });
  const ofService = { ...deps, access, guardrails: guardrailChecks({ access, ...settings }) };
  return {
    changeSets: changeSetUseCases(deps),
    contents: contentsUseCases({ ...settings, ...deps }),
    deletedZones: deletedZoneUseCases({ ...settings, ...deps, createZone, maySendTo }),
    hostUpdates: hostUpdateUseCases(deps),
    expiry: expiryJob({ ...ofService, ownerNames: undefined, log }),
    undo: undoUseCases(deps),
  };
}

/** Every use case, over one store. */
export function useCasesOver(deps: DomainDeps) {
  const { store, clock, log, policy, sinks, index, scanner, language, projects, eventKeys: keys } = deps;
  const { defaultTtl, quotas, maxZoneSize, supportedTypes, apex, secondary, storedResponses, contacts } =
    deps.settings;
  const refused = new RefusalRecorder({ store, keys, log });
  const events = eventsTo([...sinks, (event) => refused.take(event)], clock);
  const refusals = refusalsTo(events);
  const access = accessControl({ policy, refusals });
  const unitOfWork = unitOfWorkOver({ store, events, refusals, keys, contacts });
  const checker = blacklistChecker({ store, index, log, clock, ...(deps.meter && { meter: deps.meter }) });
  const changes = zoneChanges({ clock, ...deps.settings });
  const shared = { store, clock, access, unitOfWork, changes, quotas };
  const ofMeter = deps.meter && { meter: deps.meter };
  const guardrails = guardrailChecks({ access, ...deps.settings, ...ofMeter });
  const hits = hitCounter({ store, clock, log });
  const createZone = zoneCreation({ ...shared, checker, hits, log, defaultTtl });
  const ownerNames = ownerNameCheck(deps, { ...shared, checker, hits, log });
  const changeTurns = new ChangeTurns();
  const writeRates = new WriteRates();
  const ofChanges = { ...shared, supportedTypes, ownerNames, guardrails, changeTurns };
  const zoneChecks = zoneCheckUseCases({ ...shared, checker, defaultTtl, contacts });
  const adopted = {
    blacklists: blacklistUseCases({ ...shared, language }),
    pools: poolUseCases({ ...shared, nameServers: apex.nameServers }),
    quotas: quotaUseCases({ ...shared, defaults: quotas, maxZoneSize, projects }),
    ...resourceUseCases(shared),
    transferRequests: transferRequestUseCases(shared),
    tsigKeys: tsigKeyUseCases(shared),
  };
  return {
    ...adopted,
    access,
    accessChecks: accessCheckUseCases({ ...ofChanges, zoneChecks }),
    checker,
    hits,
    adoptions: adoptionUseCases({
      ...shared,
      ...adopted,
      createZone,
      apex,
      maxZoneSize,
      maySendTo: secondary.maySendTo,
    }),
    blacklistExpiry: blacklistExpiryJob(shared),
    blacklistLists: blacklistListUseCases({ ...shared, language, log }),
    blacklistImports: stagedImportUseCases({ ...shared, language, log, newFilter: deps.newFilter }),
    callers: callerUseCases({ access }),
    /** Writes the refusals recorded so far. */
    flushRefusals: () => refused.flush(),
    ...changeUseCases(deps, ofChanges, createZone, refusals),
    deliveries: deliveryUseCases(shared),
    exports: exportUseCases(shared),
    guardrails: guardrailUseCases({ ...shared, guardrails: deps.settings.guardrails }),
    idempotencyKeys: idempotencyKeyUseCases({ store, clock, log, limits: storedResponses }),
    imports: importUseCases({ ...shared, createZone, apex, maxZoneSize, supportedTypes, ownerNames }),
    nameChecks: nameCheckUseCases({ ...shared, checker, surveyor: index, scanner }),
    nameTests: nameTestUseCases({ ...shared, checker, explainer: index }),
    orderEnds: orderEnds({ ...shared, apex }),
    pastEvents: pastEventUseCases(shared),
    poolJobs: poolJobs({ ...shared, apex, log }),
    poolMoves: poolMoveUseCases({ ...shared, apex }),
    poolFiles: poolFileUseCases({ ...shared, nameServers: apex.nameServers }),
    previewRuns: previewRuns({ ...shared, scanner }),
    previews: previewUseCases({ ...shared, language, scanner }),
    publications: publicationUseCases(shared),
    recordsets: recordsetUseCases(ofChanges),
    requireHealth: storeHealth(store),
    sealing: eventSealing({ ...shared, keepDays: deps.settings.keepEvents }),
    secondaries: secondaryUseCases({ ...shared, maxZoneSize, settings: secondary }),
    serverStates: { ...serverStateUseCases(shared), ...afreshUseCases(shared) },
    serviceStatuses: serviceStatusUseCases(shared),
    statistics: statisticsUseCases(shared),
    shares: shareUseCases({ ...shared, projects }),
    tokens: tokenUseCases({ ...shared, policy, tokens: deps.settings.tokens }),
    transferAccepts: transferAcceptUseCases(shared),
    updates: updateUseCases({ ...ofChanges, log, rates: writeRates, maxChanges: deps.settings.maxChanges }),
    usages: usageUseCases(shared),
    verifications: verificationUseCases({ ...shared, apex, language, keys, maySendTo: secondary.maySendTo }),
    writeRates,
    webhooks: webhookUseCases({ ...shared, webhooks: deps.settings.webhooks }),
    zoneAccess: zoneAccessUseCases(shared),
    zoneHistory: zoneHistoryUseCases(shared),
    zoneChecks,
    zones: zoneUseCases({ ...shared, createZone, apex, maySendTo: secondary.maySendTo }),
  };
}

export type UseCases = ReturnType<typeof useCasesOver>;
