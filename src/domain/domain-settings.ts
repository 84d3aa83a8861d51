import type { GuardrailModes } from '../model/guardrails/guardrail.ts';
import type { StoredResponseLimits } from '../model/idempotency/idempotency-key.ts';
import type { PublicationSettings } from '../model/publication/store.ts';
import type { Limits } from '../model/quotas/quota.ts';
import type { SupportedTypes } from './recordsets/supported-types.ts';
import type { SecondaryZoneSettings } from './secondaries/settings.ts';
import type { TokenSettings } from './tokens/own-tokens.ts';
import type { RefusalContacts } from './unit-of-work/contacts.ts';
import type { ConfiguredWebhook } from './webhooks/webhooks.ts';
import type { ApexSettings } from './zones/apex.ts';
import type { HistorySettings } from './zones/change-journal.ts';

/** Settings that apply to all zones. */
export interface DomainSettings {
  /** TTL of a zone created without one, in seconds. */
  readonly defaultTtl: number;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  /** Maximum size of a zone, in bytes. */
  readonly maxZoneSize: number;
  readonly supportedTypes: SupportedTypes;
  /** Maximum number of recordsets that one set of changes names. */
  readonly maxChanges: number;
  readonly apex: ApexSettings;
  readonly publication: PublicationSettings;
  readonly history: HistorySettings;
  /** How long deleted zones are kept, in days; 0 for not at all. */
  readonly deletedZoneDays: number;
  readonly tokens: TokenSettings;
  readonly secondary: SecondaryZoneSettings;
  /** Limits on the answers stored for the Idempotency-Keys of each project. */
  readonly storedResponses: StoredResponseLimits;
  /** Retention of events, in days; 0: forever. */
  readonly keepEvents: number;
  readonly contacts: RefusalContacts;
  /** True if the blacklists also apply to the names of records. */
  readonly checksOwnerNames: boolean;
  /** The guardrail modes of zones without their own. */
  readonly guardrails: GuardrailModes;
  /** Webhooks defined in the configuration. */
  readonly webhooks: readonly ConfiguredWebhook[];
}
