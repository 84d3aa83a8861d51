import type { RuleName } from '../../model/access/rule-name.ts';
import type { ChangedProperties, ChangeOptions } from '../../model/changes/change-set.ts';
import type { ConditionalOptions } from '../../model/context/options.ts';
import { DomainError } from '../../model/errors.ts';
import type { Door } from '../../model/history/change-source.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { PathRoot } from './faults.ts';
import type { ChangePlan } from './planner.ts';
import type { WantedChanges } from './wanted-changes.ts';

/** Changes of a zone's recordsets that are made together, whatever asked for them. */
export interface ChangeRequest extends ConditionalOptions {
  readonly zoneId: string;
  readonly rule: RuleName;
  /** The way in, as the history names it. */
  readonly door: Door;
  /** Where the request has what a fault concerns. */
  readonly pathRoot: PathRoot;
  readonly options: ChangeOptions;
  readonly properties?: ChangedProperties | undefined;
  /** The version of the zone for which its intents were found; undefined if they hold for any. */
  readonly version?: number | undefined;
  /** Parses what is wanted, before anything is locked. */
  wantedOf(zone: Zone): Promise<WantedChanges>;
}

/** @throws DomainError `precondition_failed` */
export function requireSerial({ serial }: Zone, { ifSerial }: ChangeOptions): void {
  if (ifSerial === undefined || ifSerial === serial) return;
  throw new DomainError(
    'precondition_failed',
    `The zone has the serial ${serial}, not ${ifSerial} as "if_serial" says. Nothing was changed.`,
  );
}

/** @throws DomainError `plan_outdated` with the detail `isStale` */
export function requireVersion(zone: Zone, { version = zone.version }: ChangeRequest): void {
  if (version === zone.version) return;
  throw new DomainError('plan_outdated', 'The zone has changed meanwhile; nothing was done. Try again.', {
    details: { isStale: true },
  });
}

/** @throws DomainError `plan_outdated` */
export function requirePlan({ digest }: Pick<ChangePlan, 'digest'>, { plan }: ChangeOptions): void {
  if (plan !== undefined && plan !== digest) throw new DomainError('plan_outdated');
}
