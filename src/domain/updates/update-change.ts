/** Makes the change of one UPDATE message, once. */
import { randomUUID } from 'node:crypto';
import { RCODE } from '../../dns/wire/codes.ts';
import { EXTENDED_ERROR } from '../../dns/wire/edns.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, isStorageFailure } from '../../model/errors.ts';
import type { CredentialScope } from '../../model/scopes/credential-scope.ts';
import type { SignedUpdate, UpdateOutcome } from '../../model/updates/update.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type ChangeDeps, changeExecution } from '../changes/execution.ts';
import { callerByKey } from '../tsig-keys/key-caller.ts';
import { ScopeChecks } from './scope-checks.ts';
import { TakenBefore, type TakenUpdate } from './taken-updates.ts';
import { wantedUpdates } from './wanted-updates.ts';

export interface UpdateChangeDeps extends ChangeDeps {
  /** Maximum number of recordsets that one message names. */
  readonly maxChanges: number;
}

/** A message about a zone that its key may change. */
export interface OpenUpdate {
  readonly update: SignedUpdate;
  readonly zone: Zone;
  readonly scope: CredentialScope;
}

export const NOT_AUTHORITATIVE: UpdateOutcome = { rcode: RCODE.NOTAUTH };
/** How often a message is tried that another transaction took, and gave up. */
const MAX_ATTEMPTS = 3;

function contextOf({ update: { key, address }, zone: { projectId }, scope }: OpenUpdate): RequestContext {
  const origin = { kind: 'request', requestId: `req-${randomUUID()}`, address } as const;
  return { caller: callerByKey(key, projectId, scope), projectId, scope: { projectId, only: scope }, origin };
}

/** @throws DomainError `invalid_object` */
function requireFew({ steps }: SignedUpdate, maxChanges: number): void {
  const named = new Set(steps.map((step) => `${step.name} ${'type' in step ? step.type : ''}`)).size;
  if (named <= maxChanges) return;
  throw new DomainError(
    'invalid_object',
    `The message names ${named} recordsets, more than "max_changes": ${maxChanges}. Send several messages.`,
  );
}

/** What a failure of the store means for the client: it may send the message again. */
export function failureFrom({ message: text }: DomainError): UpdateOutcome {
  return { rcode: RCODE.SERVFAIL, error: { code: EXTENDED_ERROR.OTHER, text } };
}

/** What a refusal means for the client. It is remembered like a success. */
async function refusedBy(error: DomainError, message: TakenUpdate): Promise<UpdateOutcome> {
  const { kind, message: text } = error;
  if (kind === 'zone_not_found') return NOT_AUTHORITATIVE;
  if (kind === 'too_many_reads') return failureFrom(error);
  const code = kind === 'access_denied' ? EXTENDED_ERROR.PROHIBITED : EXTENDED_ERROR.OTHER;
  const rcode = await message.refuse(RCODE.REFUSED);
  return rcode === RCODE.REFUSED ? { rcode, error: { code, text } } : { rcode };
}

/** The result of some work on a message, unless another transaction has taken it. */
async function unlessTaken<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TakenBefore) return undefined;
    throw error;
  }
}

/** Whether a key moves the end of what it writes again. */
function renews({ recordLifetime, actions }: CredentialScope): boolean {
  return recordLifetime !== undefined && actions?.includes('update') !== false;
}

/** Returns a function that throws only what is no refusal. */
export function updateChange(deps: UpdateChangeDeps) {
  const { maxChanges } = deps;
  const execute = changeExecution(deps);

  async function change(open: OpenUpdate, message: TakenUpdate): Promise<UpdateOutcome> {
    const { update, zone } = open;
    const context = contextOf(open);
    const checks = new ScopeChecks(open.scope, zone);
    let failed: number = RCODE.NOERROR;
    await execute(
      context,
      {
        zoneId: zone.id,
        rule: 'change_recordsets',
        door: 'update',
        pathRoot: 'updates',
        options: { dryRun: false },
        async wantedOf() {
          requireFew(update, maxChanges);
          checks.requireMessage(update);
          return wantedUpdates(
            update,
            { projectId: context.projectId, renews: renews(open.scope) },
            {
              beforeTests: (working) => checks.requireDeletions(update, working),
              afterSteps: (sets) => checks.requireActions(sets),
              tested(rcode = RCODE.NOERROR) {
                failed = rcode;
              },
            },
          );
        },
      },
      { idempotency: message.once(() => failed) },
    );
    return { rcode: failed };
  }

  async function decided(open: OpenUpdate, message: TakenUpdate): Promise<UpdateOutcome> {
    try {
      return await change(open, message);
    } catch (error) {
      if (error instanceof DomainError && !isStorageFailure(error)) return refusedBy(error, message);
      throw error;
    }
  }

  return async (open: OpenUpdate, message: TakenUpdate): Promise<UpdateOutcome> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const outcome = await unlessTaken(decided(open, message));
      if (outcome !== undefined) return outcome;
      const rcode = await message.find();
      if (rcode !== undefined) return { rcode };
    }
    throw new Error('Other transactions took a message, and rolled back.');
  };
}
