/** The API's types, generated from its OpenAPI document. */
import type { components } from './openapi.ts';

export type { RecordType } from './openapi.ts';

type Schemas = components['schemas'];

export type Caller = Schemas['Caller'];
export type Zone = Schemas['Zone'];
export type ZoneCheck = Schemas['ZoneCheck'];
export type NameChecks = Schemas['NameChecks'];
export type Blacklist = Schemas['Blacklist'];
export type BlacklistImport = Schemas['BlacklistImport'];
export type Preview = Schemas['Preview'];
export type PreviewZone = Schemas['PreviewZone'];
export type Event = Schemas['Event'];
export type Statistics = Schemas['Statistics'];
export type ProjectUsage = Schemas['ProjectUsage'];
export type MeasuredLimits = Schemas['MeasuredLimits'];
export type Quotas = Schemas['Quotas'];
export type QuotaUsage = Schemas['QuotaUsage'];
export type Token = Schemas['Token'];
export type Recordset = Schemas['Recordset'];
export type ZonePublication = Schemas['ZonePublication'];
export type ZoneImport = Schemas['ZoneImport'];
export type ZoneExport = Schemas['ZoneExport'];
export type ZoneShare = Schemas['ZoneShare'];
export type ZoneTransferRequest = Schemas['ZoneTransferRequest'];
export type BlacklistList = Schemas['BlacklistList'];
