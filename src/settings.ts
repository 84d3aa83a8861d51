import type { Config } from './config/options.ts';
import type { Limits } from './domain/quota.ts';
import type { ZoneSettings } from './domain/zone-creation.ts';

/** The limits of a project for which none were set. */
export function quotaDefaults(config: Config): Limits {
  return {
    zones: config.quotaZones,
    zone_recordsets: config.quotaZoneRecordsets,
    zone_records: config.quotaZoneRecords,
    recordset_records: config.quotaRecordsetRecords,
    api_export_size: config.quotaApiExportSize,
  };
}

/** What the options say of every zone. */
export function zoneSettings(config: Config): ZoneSettings {
  return {
    defaultTtl: config.defaultTtl,
    quotas: quotaDefaults(config),
    apex: {
      nameServers: config.nsRecords,
      soaRefreshMin: config.soaRefreshMin,
      soaRefreshMax: config.soaRefreshMax,
      soaRetry: config.soaRetry,
      soaExpire: config.soaExpire,
      soaMinimum: config.soaMinimum,
    },
  };
}
