import { createFamily, handOver } from './family-operations.ts';
import type { Tenant, Zone } from './model.ts';
import { addPattern, changePattern, removePattern, turnPattern } from './pattern-operations.ts';
import { setTightQuotas } from './quota-operations.ts';
import { changeRecordset, createRecordset, deleteRecordset, readRecordset } from './recordset-operations.ts';
import { changeTogether } from './set-operations.ts';
import type { Client } from './world.ts';
import { changeZone, createZone, deleteZone, importZone, lookAtLeaving } from './zone-operations.ts';

/** How many zones a tenant with room has, about, and how many recordsets a zone has at most that grows. */
const ZONES = 50;
const RECORDSETS = 12;
const ON_PATTERN = [
  { weight: 4, run: removePattern },
  { weight: 3, run: changePattern },
  { weight: 4, run: turnPattern },
];

/** Something to do on what there is; false when nothing fits. */
type Operation = (client: Client) => Promise<boolean>;

const tenantOf = ({ world, caller: { dice } }: Client, kind: Tenant['kind']) =>
  dice.pick(world.tenants.filter((tenant) => tenant.kind === kind))!;

const someTenant = (client: Client) => tenantOf(client, client.caller.dice.chance(0.6) ? 'roomy' : 'tight');

/** A zone that is certainly there and can be worked on. */
function openZone({ world, caller: { dice } }: Client, fits: (zone: Zone) => boolean): Zone | undefined {
  const open = [...world.zones].filter(
    (zone) => zone.presence === 'there' && !zone.isClosed && zone.id !== undefined && fits(zone),
  );
  return dice.pick(open);
}

function openRecordset(client: Client) {
  const zone = openZone(client, ({ recordsets }) => recordsets.size > 0);
  const open = [...(zone?.recordsets.values() ?? [])].filter(
    ({ presence, isBusy, id }) => presence === 'there' && !isBusy && id !== undefined,
  );
  const recordset = client.caller.dice.pick(open);
  return zone && recordset && { zone, recordset };
}

async function on<T>(found: T | undefined, work: (found: T) => Promise<void>): Promise<boolean> {
  if (found === undefined) return false;
  await work(found);
  return true;
}

/** Tenants that have many zones delete, those that have few create. */
function makeOrDelete(client: Client, make: typeof createZone): Promise<boolean> {
  const tenant = someTenant(client);
  const surplus = tenant.kind === 'roomy' && tenant.zones.low > ZONES;
  if (!surplus) return on(tenant, (found) => make(client, found));
  return deleteOf(client, tenant);
}

function deleteOf(client: Client, tenant: Tenant): Promise<boolean> {
  const zone = openZone(client, (one) => one.tenant === tenant && one.underWay === 0);
  return on(zone, (found) => deleteZone(client, found));
}

function onLeaving(client: Client): Promise<boolean> {
  const { world, caller } = client;
  const leaving = [...world.zones].filter(({ presence }) => presence === 'leaving');
  return on(caller.dice.pick(leaving), (zone) => lookAtLeaving(client, zone));
}

function onPattern(client: Client): Promise<boolean> {
  const { dice } = client.caller;
  const slot = dice.pick(client.world.patterns.slots.filter(({ isBusy }) => !isBusy));
  return on(slot, (found) => {
    if (found.presence !== 'there') return addPattern(client, found);
    return dice.weighted(ON_PATTERN).run(client, found);
  });
}

const OPERATIONS: readonly { readonly weight: number; readonly run: Operation }[] = [
  { weight: 26, run: (client) => makeOrDelete(client, createZone) },
  { weight: 6, run: (client) => makeOrDelete(client, importZone) },
  { weight: 4, run: (client) => deleteOf(client, tenantOf(client, 'roomy')) },
  { weight: 9, run: (client) => deleteOf(client, tenantOf(client, 'tight')) },
  { weight: 4, run: (client) => deleteOf(client, tenantOf(client, 'family')) },
  {
    weight: 4,
    run: (client) =>
      on(
        openZone(client, ({ isChanging }) => !isChanging),
        (zone) => changeZone(client, zone),
      ),
  },
  {
    weight: 18,
    run: (client) =>
      on(
        openZone(client, ({ recordsets, tenant }) => tenant.kind === 'tight' || recordsets.size < RECORDSETS),
        (zone) => createRecordset(client, zone),
      ),
  },
  {
    weight: 10,
    run: (client) =>
      on(
        openZone(client, ({ recordsets, tenant }) => tenant.kind === 'tight' || recordsets.size < RECORDSETS),
        (zone) => changeTogether(client, zone),
      ),
  },
  {
    weight: 8,
    run: (client) =>
      on(openRecordset(client), ({ zone, recordset }) => changeRecordset(client, zone, recordset)),
  },
  {
    weight: 10,
    run: (client) =>
      on(openRecordset(client), ({ zone, recordset }) => deleteRecordset(client, zone, recordset)),
  },
  {
    weight: 6,
    run: (client) =>
      on(openRecordset(client), ({ zone, recordset }) => readRecordset(client, zone, recordset)),
  },
  { weight: 10, run: onLeaving },
  { weight: 6, run: onPattern },
  {
    weight: 3,
    run: (client) =>
      on(
        [tenantOf(client, 'tight')].find(({ isSetting }) => !isSetting),
        (tenant) => setTightQuotas(client, tenant),
      ),
  },
  {
    weight: 2,
    run: (client) => {
      const zone = openZone(client, ({ tenant, underWay }) => tenant.kind === 'family' && underWay === 0);
      const rival = client.world.tenants.find(({ kind, id }) => kind === 'family' && id !== zone?.tenant.id)!;
      return on(zone, (held) => handOver(client, held, rival));
    },
  },
  {
    weight: 4,
    run: (client) => {
      const [one, two] = client.world.tenants.filter(({ kind }) => kind === 'family');
      return on([one!, two!] as const, (tenants) => createFamily(client, tenants));
    },
  },
];

/** Works on, one operation after another, until it is told to stop. */
export async function work(client: Client, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { run } = client.caller.dice.weighted(OPERATIONS);
    // Nothing to do it on: give the others a turn.
    if (!(await run(client))) await new Promise((resolve) => setImmediate(resolve));
  }
}
