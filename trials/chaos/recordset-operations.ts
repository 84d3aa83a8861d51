import { mayComeLate } from './caller.ts';
import { grow } from './growth.ts';
import { type Recordset, settle, type Zone } from './model.ts';
import { type Client, count, isChanged, isRemoved, requireRefusal } from './world.ts';

export function drawRecords({ world, caller: { dice } }: Client): string[] {
  const number = ++world.counter;
  const records = Array.from({ length: dice.int(1, 4) }, (_, place) => {
    return `10.${(number >> 12) & 255}.${(number >> 4) & 255}.${((number & 15) << 3) + place}`;
  });
  return records;
}

export async function within(zone: Zone, work: () => Promise<void>): Promise<void> {
  zone.underWay++;
  zone.isTouched = true;
  await work();
  zone.underWay--;
}

export function createRecordset(client: Client, zone: Zone): Promise<void> {
  const { world, caller } = client;
  return within(zone, async () => {
    const name = `r${++world.counter}.${zone.name}`;
    const records = drawRecords(client);
    const recordset: Recordset = {
      name,
      id: undefined,
      presence: 'unsure',
      possible: [records.join(' ')],
      isBusy: true,
    };
    zone.recordsets.set(name, recordset);
    const takes = [{ usage: zone.count, limit: zone.tenant.limits.zone_recordsets, by: 1 }];
    const body = { name, type: 'A', records };
    const path = `/v2/zones/${zone.id}/recordsets`;
    const what = `create of ${name}`;
    const { outcome, done } = await grow(world, what, takes, () =>
      caller.ask({ method: 'POST', path, token: zone.tenant.token, body }),
    );
    requireRefusal(world, what, outcome, [
      'over_quota',
      ...(mayComeLate(outcome) ? ['duplicate_recordset'] : []),
    ]);
    if (done === false) zone.recordsets.delete(name);
    if (done) {
      recordset.presence = 'there';
      recordset.id = outcome.answer!.json.id;
      // What may be made anew after it was deleted is left alone; so is what has no id yet.
      recordset.isBusy = mayComeLate(outcome) || recordset.id === undefined;
    }
    count(world, 'create recordset', done);
  });
}

export function changeRecordset(client: Client, zone: Zone, recordset: Recordset): Promise<void> {
  const { world, caller } = client;
  recordset.isBusy = true;
  return within(zone, async () => {
    const records = drawRecords(client);
    const path = `/v2/zones/${zone.id}/recordsets/${recordset.id}`;
    const outcome = await caller.ask({ method: 'PUT', path, token: zone.tenant.token, body: { records } });
    const done = isChanged(world, recordset.name, outcome);
    recordset.possible = settle(recordset.possible, records.join(' '), done);
    // A change without an answer may come late and undo what followed it: nothing follows.
    recordset.isBusy = outcome.unknown > 0;
    count(world, 'change recordset', done);
  });
}

export function deleteRecordset(client: Client, zone: Zone, recordset: Recordset): Promise<void> {
  const { world, caller } = client;
  recordset.isBusy = true;
  recordset.presence = 'unsure';
  return within(zone, async () => {
    const settleCount = zone.count.begin(-1);
    const path = `/v2/zones/${zone.id}/recordsets/${recordset.id}`;
    const outcome = await caller.ask({ method: 'DELETE', path, token: zone.tenant.token });
    const done = isRemoved(world, recordset.name, outcome);
    if (done !== undefined) settleCount(done);
    recordset.presence = done === undefined ? 'unsure' : done ? 'gone' : 'there';
    count(world, 'delete recordset', done);
  });
}

/** Looks a recordset up in the middle of it all: what was acknowledged is there, at any process. */
export async function readRecordset(
  { world, caller }: Client,
  zone: Zone,
  recordset: Recordset,
): Promise<void> {
  recordset.isBusy = true;
  zone.underWay++;
  const path = `/v2/zones/${zone.id}/recordsets/${recordset.id}`;
  const { answer } = await caller.ask({ method: 'GET', path, token: zone.tenant.token });
  zone.underWay--;
  recordset.isBusy = false;
  count(world, 'read', answer && true);
  if (answer === undefined) return;
  world.ledger.require('acknowledged and lost', answer.status === 200, () => {
    return `${recordset.name} is looked up and answered ${answer.status}`;
  });
  if (answer.status !== 200) return;
  const found = answer.json.records.join(' ');
  world.ledger.require('not as written', recordset.possible.includes(found), () => {
    return `${recordset.name} is ${found}, not ${recordset.possible}`;
  });
}
