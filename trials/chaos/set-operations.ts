import { mayComeLate } from './caller.ts';
import { grow } from './growth.ts';
import type { Recordset, Zone } from './model.ts';
import { drawRecords, within } from './recordset-operations.ts';
import { type Client, count, requireRefusal } from './world.ts';

/** How many recordsets a set creates, and deletes, at most. */
const CREATED = 4;
const DELETED = 2;

function drawNew(client: Client, zone: Zone, of: object): Recordset {
  return {
    name: `s${++client.world.counter}.${zone.name}`,
    id: undefined,
    presence: 'unsure',
    possible: [drawRecords(client).join(' ')],
    isBusy: true,
    set: { of, does: 'create' },
  };
}

/** Recordsets that nothing is under way on, which the set deletes. */
function drawOld({ caller: { dice } }: Client, zone: Zone, of: object): readonly Recordset[] {
  const idle = [...zone.recordsets.values()].filter(
    ({ presence, isBusy, id }) => presence === 'there' && !isBusy && id !== undefined,
  );
  const chosen = idle.slice(0, dice.int(0, DELETED));
  for (const recordset of chosen) {
    recordset.presence = 'unsure';
    recordset.isBusy = true;
    recordset.set = { of, does: 'delete' };
  }
  return chosen;
}

function bodyOf(made: readonly Recordset[], gone: readonly Recordset[]): object {
  const creates = made.map(({ name, possible }) => {
    return { action: 'create', name, type: 'A', records: possible[0]!.split(' ') };
  });
  return { changes: [...gone.map(({ name }) => ({ action: 'delete', name, type: 'A' })), ...creates] };
}

/** What was answered is known of each part; what was not is found out together, at the next pause. */
function settleParts(
  zone: Zone,
  made: readonly Recordset[],
  gone: readonly Recordset[],
  isDone: boolean,
): void {
  for (const recordset of made) {
    recordset.set = undefined;
    recordset.presence = 'there';
    if (!isDone) zone.recordsets.delete(recordset.name);
  }
  for (const recordset of gone) {
    recordset.set = undefined;
    recordset.presence = isDone ? 'gone' : 'there';
    recordset.isBusy = isDone;
  }
}

/** Creates and deletes recordsets of a zone together: all of them, or none. */
export function changeTogether(client: Client, zone: Zone): Promise<void> {
  const { world, caller } = client;
  return within(zone, async () => {
    const of = {};
    const gone = drawOld(client, zone, of);
    const made = Array.from({ length: caller.dice.int(1, CREATED) }, () => drawNew(client, zone, of));
    for (const recordset of made) zone.recordsets.set(recordset.name, recordset);
    const takes = [
      { usage: zone.count, limit: zone.tenant.limits.zone_recordsets, by: made.length - gone.length },
    ];
    const what = `set of changes of ${zone.name}`;
    const path = `/v2/zones/${zone.id}/changes`;
    const { outcome, done } = await grow(world, what, takes, () =>
      caller.ask({ method: 'POST', path, token: zone.tenant.token, body: bodyOf(made, gone) }),
    );
    requireRefusal(world, what, outcome, [
      'over_quota',
      ...(mayComeLate(outcome) ? ['duplicate_recordset', 'recordset_not_found'] : []),
    ]);
    if (done !== undefined && !mayComeLate(outcome)) settleParts(zone, made, gone, done);
    count(world, 'set of changes', done);
  });
}
