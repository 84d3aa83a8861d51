import type { Caller, Outcome } from './caller.ts';
import type { Tenant, Zone } from './model.ts';
import { type Client, count, isMade, requireRefusal } from './world.ts';
import { deleteZone, settleMade, zoneOf } from './zone-operations.ts';

const REFUSALS = ['illegal_child', 'illegal_parent', 'duplicate_zone'];

/** Two names of which only one tenant may have both. */
function drawNames({ world, caller: { dice } }: Client): readonly [string, string] {
  const number = ++world.counter;
  const parent = dice.pick([`f${number}.test.`, `f${number}.d${dice.int(1, 4)}.test.`])!;
  const below = dice.pick(['', 'c.', 'c.c.', 'c.c.c.c.'])!;
  const names = [parent, `${below}${parent}`] as const;
  return dice.chance(0.5) ? names : [names[1], names[0]];
}

async function create({ world }: Client, from: Caller, tenant: Tenant, name: string) {
  const zone = zoneOf(world, { name, group: undefined }, tenant, null);
  const body = { name, email: 'hostmaster@example.org' };
  const settleCount = tenant.zones.begin(1);
  const outcome = await from.ask({ method: 'POST', path: '/v2/zones', token: tenant.token, body });
  requireRefusal(world, `create of ${name} by ${tenant.id}`, outcome, REFUSALS);
  const done = isMadeAgainst(outcome);
  if (done !== undefined) settleCount(done);
  settleMade(world, zone, outcome, done);
  const { isClosed } = zone;
  // Were it deleted before the rival is answered, both could be made.
  zone.isClosed = true;
  count(world, 'create beside a rival', done);
  return { zone, done, isClosed };
}

/** Two tenants ask at once, at two processes, for zones that exclude each other. */
export async function createFamily(client: Client, tenants: readonly [Tenant, Tenant]): Promise<void> {
  const { world, caller, other } = client;
  other.moveFrom(caller);
  const names = drawNames(client);
  const [one, two] = await Promise.all([
    create(client, caller, tenants[0], names[0]),
    create(client, other, tenants[1], names[1]),
  ]);
  for (const { zone, isClosed } of [one, two]) zone.isClosed = isClosed;
  const both = () =>
    `${one.zone.name} of ${one.zone.tenant.id} and ${two.zone.name} of ${two.zone.tenant.id}`;
  if (one.done && two.done) world.ledger.fault('below a zone of another tenant', both());
  world.ledger.looked('below a zone of another tenant');
  world.ledger.require('both refused', one.done !== false || two.done !== false, both);
}

/** A tenant asks for what another one's zone excludes, at another process, while that zone is being deleted. */
export async function handOver(client: Client, held: Zone, rival: Tenant): Promise<void> {
  const { world, caller, other } = client;
  other.moveFrom(caller);
  // Nothing above the name of the family itself: that would take the names of others.
  const [, above] = /^c\.(.+)$/.exec(held.name) ?? [];
  const name = caller.dice.pick([held.name, `c.${held.name}`, above ?? held.name])!;
  // One that the rival has asked for before may come yet.
  const isAsked = [...world.zones].some((zone) => zone.tenant === rival && zone.name === name);
  if (isAsked) return deleteZone(client, held);
  const [, { zone, isClosed }] = await Promise.all([
    deleteZone(client, held),
    create(client, other, rival, name),
  ]);
  zone.isClosed = isClosed;
}

/** 409 may be the rival's doing: it says nothing of an attempt before. */
function isMadeAgainst(outcome: Outcome) {
  const isConflict = outcome.answer?.status === 409;
  return isConflict && outcome.unknown > 0 ? undefined : isMade(outcome);
}

/** No zone lies in one of another tenant, nor is the same. */
export function requireNoRivals(world: Client['world'], zones: readonly Pick<Zone, 'name' | 'tenant'>[]) {
  const owners = new Map<string, Tenant>();
  for (const { name, tenant } of zones) {
    world.ledger.require('below a zone of another tenant', !owners.has(name), () => `${name}, twice`);
    owners.set(name, tenant);
  }
  for (const { name, tenant } of zones) {
    for (let at = name.indexOf('.') + 1; at > 0 && at < name.length; at = name.indexOf('.', at) + 1) {
      const owner = owners.get(name.slice(at));
      world.ledger.require('below a zone of another tenant', owner === undefined || owner === tenant, () => {
        return `${name} of ${tenant.id}, in ${name.slice(at)} of ${owner!.id}`;
      });
    }
  }
}
