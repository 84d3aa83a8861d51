import { RCODE } from '../../dns/wire/codes.ts';
import { EXTENDED_ERROR } from '../../dns/wire/edns.ts';
import { isStorageFailure } from '../../model/errors.ts';
import type { CredentialScope } from '../../model/scopes/credential-scope.ts';
import { opensZone, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { SignedUpdate, UpdateOutcome, Updates } from '../../model/updates/update.ts';
import type { Log } from '../../runtime/log.ts';
import type { WriteRates } from '../scopes/write-rates.ts';
import { readUpdateScope } from '../tsig-keys/update-scope.ts';
import { type TakenUpdate, takenUpdates } from './taken-updates.ts';
import { failureFrom, NOT_AUTHORITATIVE, type UpdateChangeDeps, updateChange } from './update-change.ts';
import { answerFrom, isInside, mayRead, namesFor, type OpenedZone } from './zone-questions.ts';

export interface UpdateDeps extends UpdateChangeDeps {
  readonly log: Log;
  readonly rates: WriteRates;
}

const TOO_MANY: UpdateOutcome = {
  rcode: RCODE.REFUSED,
  error: { code: EXTENDED_ERROR.PROHIBITED, text: 'The TSIG key has used up its rate. Try again later.' },
};

/** The use cases of DNS UPDATE. */
export function updateUseCases(deps: UpdateDeps): Updates {
  const { store, log, rates } = deps;
  const change = updateChange(deps);
  const taken = takenUpdates(deps);
  /** Messages in progress in this process, by their id. */
  const running = new Map<string, Promise<UpdateOutcome>>();

  /**
   * The zone that a key may change, and its scope. The key is read after the zone: it would be gone if the zone had
   * another owner by then.
   */
  async function openedBy(key: TsigKey): Promise<OpenedZone | undefined> {
    const zone = await store.zones.find(key.resourceId, 'all projects');
    if (zone === undefined) return undefined;
    const present = await store.tsigKeys.find(key.id);
    if (present?.secret !== key.secret || !opensZone(present, zone.id)) return undefined;
    // An older process may give a zone to another project without an end of the keys.
    if ((present.projectId ?? zone.projectId) !== zone.projectId) return undefined;
    const stored = present.permissions?.update;
    return stored ? { zone, scope: readUpdateScope(stored) } : undefined;
  }

  function isWithinRate({ id }: TsigKey, { rate }: CredentialScope): boolean {
    return rate === undefined || rates.count(new Map([[id, rate]])).isFree;
  }

  async function decide(update: SignedUpdate, message: TakenUpdate): Promise<UpdateOutcome> {
    const earlier = await message.find();
    if (earlier !== undefined) return { rcode: earlier };
    const opened = await openedBy(update.key);
    if (opened === undefined || opened.zone.name !== update.zone) return NOT_AUTHORITATIVE;
    const { name } = opened.zone;
    const isOutside = [...update.prerequisites, ...update.steps].some((one) => !isInside(one.name, name));
    if (isOutside) return { rcode: RCODE.NOTZONE };
    if (!isWithinRate(update.key, opened.scope)) return TOO_MANY;
    const outcome = await change({ update, ...opened }, message);
    await taken.tidy();
    return outcome;
  }

  async function decideSafely(update: SignedUpdate, message: TakenUpdate): Promise<UpdateOutcome> {
    try {
      return await decide(update, message);
    } catch (err) {
      if (isStorageFailure(err)) return failureFrom(err);
      log.error({ err, zone: update.zone }, 'cannot apply an UPDATE');
      return { rcode: RCODE.SERVFAIL };
    }
  }

  return {
    async apply(update) {
      const message = taken.of(update);
      const same = running.get(message.id);
      if (same !== undefined) return same;
      const work = decideSafely(update, message).finally(() => running.delete(message.id));
      running.set(message.id, work);
      return work;
    },

    async find(question) {
      const opened = await openedBy(question.key);
      if (opened === undefined || !mayRead(opened, question)) return undefined;
      const names = namesFor(opened.zone, question);
      const stored = await store.planning.atOneState((reads) => reads.atNames(opened.zone.id, names));
      return answerFrom(stored, opened.zone, question);
    },
  };
}
