import { PUBLIC } from '../config/kinds.ts';
import type { Config } from '../config/options.ts';
import type { DomainSettings } from '../domain/domain-settings.ts';
import type { Limits } from '../model/quotas/quota.ts';
import { type AllowedMasters, masterRule } from '../model/secondaries/master-address.ts';
import type { PrimarySettings } from '../publisher/primary/settings.ts';
import type { SecondaryOptions } from '../publisher/secondary/settings.ts';
import type { WorkerOptions } from '../publisher/worker/settings.ts';
import type { EventKeySettings } from '../storage/events/event-keys.ts';
import type { StorageSettings } from '../storage/open.ts';

/** Limits of a project that has no limits of its own. */
function quotaDefaults(config: Config): Limits {
  return {
    zones: config.quotaZones,
    zone_recordsets: config.quotaZoneRecordsets,
    zone_records: config.quotaZoneRecords,
    recordset_records: config.quotaRecordsetRecords,
    api_export_size: config.quotaApiExportSize,
  };
}

function allowedMasters({ allowedMasters: listed }: Config): AllowedMasters {
  return {
    isPublicAllowed: listed.length === 0 || listed.includes(PUBLIC),
    networks: listed.filter((one) => one !== PUBLIC),
  };
}

/** The options for all zones. */
export function domainSettings(config: Config): DomainSettings {
  return {
    defaultTtl: config.defaultTtl,
    quotas: quotaDefaults(config),
    maxZoneSize: config.maxZoneSize,
    supportedTypes: new Set(config.supportedRecordTypes),
    maxChanges: config.maxChanges,
    apex: {
      nameServers: config.nsRecords,
      soaRefreshMin: config.soaRefreshMin,
      soaRefreshMax: config.soaRefreshMax,
      soaRetry: config.soaRetry,
      soaExpire: config.soaExpire,
      soaMinimum: config.soaMinimum,
    },
    publication: {
      journal: { changes: config.journalChanges, bytes: config.journalBytes },
      formerNames: config.formerNames,
    },
    history: {
      days: config.historyDays,
      maxBytesPerZone: config.historyBytesPerZone,
      maxBytesPerProject: config.historyBytesPerProject,
    },
    deletedZoneDays: config.deletedZoneDays,
    tokens: {
      maxPerProject: config.maxTokensPerProject,
      maxDaysFromKeystone: config.maxTokenDaysFromKeystone,
    },
    secondary: {
      maySendTo: masterRule(allowedMasters(config)),
      refresh: { min: config.minRefreshTime, max: config.maxRefreshTime },
      retry: { min: config.minRetryTime, max: config.maxRetryTime },
      expire: { min: config.minExpireTime, max: config.maxExpireTime },
    },
    storedResponses: { responses: config.maxIdempotencyKeys, bytes: config.maxIdempotencyBytes },
    keepEvents: config.eventKeep,
    checksOwnerNames: config.blacklistsApplyTo.includes('recordsets'),
    guardrails: {
      in_use: config.guardrailInUse,
      dangling_target: config.guardrailDanglingTarget,
      lame_delegation: config.guardrailLameDelegation,
      mass_deletion: config.guardrailMassDeletion,
      mail_policy: config.guardrailMailPolicy,
    },
    webhooks: config.webhooks.map(({ name, types }) => ({ name, types })),
    contacts: { blacklist: config.blacklistContact, quota: config.quotaContact },
  };
}

/** The location and timeouts of the store. */
export function storageSettings(config: Config): StorageSettings {
  const { connection, dataDir, poolSize, poolQueue } = config;
  const readTimeoutMs = config.readTimeout * 1000;
  const postgres = {
    connection,
    poolSize,
    transferPoolSize: config.mdnsMaxTransfers + 4,
    poolQueue,
    poolTimeoutMs: config.poolTimeout * 1000,
    statementTimeoutMs: config.statementTimeout * 1000,
    startTimeoutMs: config.startTimeout * 1000,
    preparedStatements: config.preparedStatements === 'on',
    readTimeoutMs,
  };
  const busyTimeoutMs = config.busyTimeout * 1000;
  return { dataDir, busyTimeoutMs, readTimeoutMs, ...(connection === '' ? {} : { postgres }) };
}

/** The location of the event keys. */
export function eventKeySettings({ dataDir, eventKeyFile: keyFile }: Config): EventKeySettings {
  return { dataDir, keyFile };
}

/** The settings of the hidden primary. */
export function primarySettings(config: Config): PrimarySettings {
  return {
    listen: config.mdnsListen,
    allowNetworks: config.mdnsAllowNetworks,
    maxUdpQueries: 1000,
    maxConnections: config.mdnsMaxConnections,
    maxConnectionsPerClient: config.mdnsMaxConnectionsPerClient,
    idleMs: config.mdnsIdleTimeout * 1000,
    messageMs: 5000,
    takesUpdates: config.mdnsUpdate,
    failedSignaturesPerSecond: config.failedTokensPerSecond,
    maxTransfers: config.mdnsMaxTransfers,
    maxTransfersPerServer: config.mdnsMaxTransfersPerServer,
    maxWaitingTransfers: 1000,
    transferWaitMs: 10_000,
    maxTransferMs: config.mdnsTransferTimeout * 1000,
    minTransferRate: config.mdnsTransferRate,
    rateWindowMs: 10_000,
  };
}

/** The publication options that operators set. */
export function workerOptions(config: Config): WorkerOptions {
  return {
    errorAfter: config.publishErrorAfter,
    maxQuestions: config.maxQuestions,
    sweepHours: config.sweepHours,
    sweepRate: config.sweepRate,
    formerDays: config.formerDays,
  };
}

/** The options that operators set for secondary zones. */
export function secondaryOptions(config: Config): SecondaryOptions {
  return {
    maxQuestions: config.secondaryMaxQuestions,
    maxTransfers: config.secondaryMaxTransfers,
    maxTransfersPerMaster: config.secondaryMaxTransfersPerMaster,
    connectTimeout: config.secondaryConnectTimeout,
    answerTimeout: config.secondaryAnswerTimeout,
    transferTimeout: config.secondaryTransferTimeout,
    transferRate: config.secondaryTransferRate,
    maxTransferSize: config.secondaryMaxTransferSize,
    maxTransferRecords: config.secondaryMaxTransferRecords,
    maxDifferenceSize: config.secondaryMaxDifferenceSize,
  };
}
