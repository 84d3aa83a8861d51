import { isDeepStrictEqual } from 'node:util';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import {
  changedModes,
  type GuardrailModes,
  type ModeChanges,
  modesInForce,
} from '../../model/guardrails/guardrail.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone, lockZone } from '../zones/visible-zone.ts';

export interface ZoneGuardrailDeps extends UseCaseDeps {
  /** The modes of zones without their own. */
  readonly guardrails: GuardrailModes;
}

/** The guardrail modes of the service, and of zones. */
export function guardrailUseCases({ store, access, unitOfWork, guardrails: defaults }: ZoneGuardrailDeps) {
  return {
    defaults,

    /** The modes in force in a zone. */
    async get(
      context: RequestContext,
      zoneId: string,
      options: ConditionalOptions = {},
    ): Promise<GuardrailModes> {
      const zone = await getZone(store, access, context, 'get_zone', zoneId);
      const modes = modesInForce(zone.guardrails, defaults);
      requirePrecondition(options, modes);
      return modes;
    },

    /** Changes modes of a zone, and returns those in force. The zone's serial and version stay the same. */
    update(
      context: RequestContext,
      zoneId: string,
      changes: ModeChanges,
      options: ConditionalOptions = {},
    ): Promise<GuardrailModes> {
      return unitOfWork.change(context, { kind: 'zone', id: zoneId }, async (tx, emit) => {
        const zone = await lockZone(tx, access, context, 'update_guardrails', zoneId);
        const before = modesInForce(zone.guardrails, defaults);
        requirePrecondition(options, before);
        const own = changedModes(zone.guardrails, changes);
        const after = modesInForce(own, defaults);
        if (isDeepStrictEqual(own, zone.guardrails)) return after;
        tx.zones.setGuardrails(zone.id, own);
        emit({ type: 'zone.guardrails_changed', target: zoneTarget(zone), before, after });
        return after;
      });
    },
  };
}

export type GuardrailUseCases = ReturnType<typeof guardrailUseCases>;
