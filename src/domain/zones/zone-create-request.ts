/** Zone create requests, and their results. */

import type { Contents } from '../../model/changes/contents.ts';
import type { AppliedCreation } from '../../model/changes/zone-change.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { KeptDeletedZone } from '../../model/deleted-zones/deleted-zone.ts';
import type { ImportedMetadata } from '../../model/imported-metadata.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import type { HiddenRecords } from '../../model/zones/hidden-records.ts';
import type { Zone, ZoneDraft } from '../../model/zones/zone.ts';
import type { Admission } from '../blacklists/name-admission.ts';
import { isWarned } from '../blacklists/unchanged-blacklists.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { Emit } from '../unit-of-work/unit-of-work.ts';

export interface CreatedZone {
  readonly zone: Zone;
  /** The id of the blacklist that the name matches, if the caller may use a blacklisted name. */
  readonly bypassed?: string | undefined;
  /** True if the name matches a blacklist in `warn` mode. */
  readonly isWarned: boolean;
  /** Records of the parent zone that the new zone hides, if its creator may read them. */
  readonly hides?: HiddenRecords | undefined;
}

/** Metadata that a zone keeps from another service. The serial is kept, too, unless a later one is known here. */
export type KeptZone = ImportedMetadata &
  Pick<Zone, 'serial' | 'version' | 'transferredAt'> & { readonly poolId: string };

/** The initial contents of a new zone. */
export interface InitialContents {
  /** The serial of the zone must follow this one. */
  readonly serial: number;
  readonly kept?: KeptZone;
  /** The deleted zone that comes back, and those of its recordsets that stay away as they have expired. */
  readonly restored?: { readonly kept: KeptDeletedZone; readonly expired: readonly Recordset[] };
  contents(zone: Zone, tx: Transaction): Contents;
  /**
   * Further checks against the store before the first write.
   * @throws DomainError for a refusal
   */
  require(tx: Transaction, zone: Zone): Promise<void>;
  /** Further writes in the creating transaction. */
  also(tx: Transaction, zone: Zone): void;
  /** Checks the names in the contents, if the blacklists apply to them. */
  admit?(context: RequestContext): Promise<Admission>;
}

/** A create request that the blacklists allow. */
export interface ZoneCreateRequest {
  readonly context: RequestContext;
  readonly draft: ZoneDraft;
  readonly admission: Admission;
  readonly filling?: InitialContents | undefined;
  readonly options: CreateOptions<CreatedZone>;
}

/** Reports the creation as an event. */
export function emitFor(emit: Emit, applied: AppliedCreation, { bypassed, noted }: Admission): void {
  const target = zoneTarget(applied.after);
  if (applied.restored !== undefined)
    emit({ type: 'zone.restored', target, ...applied, allowed: { blacklistId: bypassed, noted } });
  else if (bypassed !== undefined)
    emit({ type: 'zone.created_blacklisted', target, ...applied, blacklistId: bypassed });
  else if (noted.found > 0) emit({ type: 'zone.created_noted', target, ...applied, noted });
  else emit({ type: 'zone.created', target, ...applied });
}

/** The result of a create. */
export function createdZone({ after, hides }: AppliedCreation, admission: Admission): CreatedZone {
  return { zone: after, bypassed: admission.bypassed, isWarned: isWarned(admission), hides };
}
