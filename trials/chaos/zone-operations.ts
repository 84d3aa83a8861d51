import { mayComeLate, type Outcome } from './caller.ts';
import { grow } from './growth.ts';
import { newZone, settle, type Tenant, type Zone } from './model.ts';
import { GROUPS } from './patterns.ts';
import { type Client, count, type Done, isChanged, isRemoved, requireRefusal, type World } from './world.ts';

type Name = Pick<Zone, 'name' | 'group'>;

interface Leaving {
  readonly action: string;
  readonly status: string;
}

const EMAIL = 'hostmaster@example.org';
const REFUSALS = ['invalid_zone_name', 'over_quota'];

/** A name: of a group that patterns block for tenants with room, of none for those with tight limits. */
function chooseName({ world, caller: { dice } }: Client, tenant: Tenant): Name {
  if (tenant.kind === 'roomy' && dice.chance(0.2)) {
    const name = world.freed.pop();
    if (name !== undefined) return name;
  }
  const number = ++world.counter;
  const suffix = dice.pick(['org.', 'd1.example.', 'd2.example.', 'd3.example.', 'd4.d4.example.'])!;
  if (tenant.kind === 'tight') return { name: `t${number}.${suffix}`, group: undefined };
  const group = dice.int(0, GROUPS - 1);
  return { name: `n${number}-g${group}.${suffix}`, group };
}

export function zoneOf(world: World, name: Name, tenant: Tenant, description: string | null): Zone {
  const zone = newZone({ ...name, tenant, born: world.ledger.now() }, description);
  world.zones.add(zone);
  return zone;
}

/** Takes in what became of the zone that was to be made. */
export function settleMade(world: World, zone: Zone, outcome: Outcome, done: Done): void {
  const { answer } = outcome;
  if (done === false) world.zones.delete(zone);
  if (!done) return;
  zone.presence = 'there';
  zone.id = answer!.json.zone_id ?? answer!.json.id;
  zone.serial = answer!.json.serial ?? 0;
  // What may be made anew after it was deleted is left alone; so is what has no id yet.
  zone.isClosed = mayComeLate(outcome) || zone.id === undefined;
}

function judgeName({ world }: Client, zone: Zone, outcome: Outcome, done: Done): void {
  const { answer, isKeyed, first, begin, end } = outcome;
  // 202 says that no attempt before had made it, unless it is the first answer again.
  const isFirst = answer?.status === 409 || isKeyed;
  if (done) world.patterns.requireFree(zone, isFirst ? first : begin, end);
  if (answer?.json.type === 'invalid_zone_name') world.patterns.requireBlocked(zone, begin, end);
}

export async function createZone(client: Client, tenant: Tenant): Promise<void> {
  const { world, caller } = client;
  const description = `made ${++world.counter}`;
  const zone = zoneOf(world, chooseName(client, tenant), tenant, description);
  const body = { name: zone.name, email: EMAIL, description };
  const takes = [{ usage: tenant.zones, limit: tenant.limits.zones, by: 1 }];
  const what = `create of ${zone.name} by ${tenant.id}`;
  const { outcome, done } = await grow(world, what, takes, () =>
    caller.ask({ method: 'POST', path: '/v2/zones', token: tenant.token, body }),
  );
  const again = mayComeLate(outcome) ? ['duplicate_zone'] : [];
  requireRefusal(world, what, outcome, [...REFUSALS, ...again]);
  judgeName(client, zone, outcome, done);
  settleMade(world, zone, outcome, done);
  count(world, 'create zone', done);
}

/** The lines of a zone file, and what they make. */
function drawContents({ caller: { dice } }: Client, zone: Zone): string[] {
  const size = dice.chance(0.1) ? dice.int(60, 120) : dice.int(2, 8);
  const lines: string[] = [];
  for (let place = 0; place < size; place++) {
    const records = Array.from({ length: dice.int(1, 3) }, (_, record) => `192.0.2.${record + 1}`);
    lines.push(...records.map((record) => `i${place} 300 IN A ${record}`));
    const name = `i${place}.${zone.name}`;
    const possible = [records.join(' ')];
    zone.recordsets.set(name, { name, id: undefined, presence: 'there', possible, isBusy: true });
  }
  return lines;
}

export async function importZone(client: Client, tenant: Tenant): Promise<void> {
  const { world, caller } = client;
  const zone = zoneOf(world, chooseName(client, tenant), tenant, null);
  const lines = drawContents(client, zone);
  const soa = '@ 3600 IN SOA ns1.invalid. hostmaster.example.org. 1 3600 600 86400 3600';
  const body = [`$ORIGIN ${zone.name}`, soa, ...lines, ''].join('\n');
  const takes = [
    { usage: tenant.zones, limit: tenant.limits.zones, by: 1 },
    { limit: tenant.limits.zone_recordsets, by: zone.recordsets.size },
  ];
  const what = `import of ${zone.name} by ${tenant.id}`;
  const { outcome, done } = await grow(world, what, takes, () =>
    caller.ask({ method: 'POST', path: '/v2/zones/tasks/imports', token: tenant.token, body }),
  );
  const again = mayComeLate(outcome) ? ['duplicate_zone'] : [];
  requireRefusal(world, what, outcome, [...REFUSALS, ...again]);
  judgeName(client, zone, outcome, done);
  for (const _ of zone.recordsets) zone.count.begin(1)(true);
  settleMade(world, zone, outcome, done);
  count(world, 'import zone', done);
}

export async function changeZone({ world, caller }: Client, zone: Zone): Promise<void> {
  zone.isChanging = true;
  zone.isTouched = true;
  zone.underWay++;
  const description = `changed ${++world.counter}`;
  // Another TTL than the last: only a change of DNS data takes a step of the serial.
  const ttl = 60 + (world.counter % 86_400);
  const path = `/v2/zones/${zone.id}`;
  const outcome = await caller.ask({
    method: 'PATCH',
    path,
    token: zone.tenant.token,
    body: { description, ttl },
  });
  const done = isChanged(world, zone.name, outcome);
  zone.descriptions = settle(zone.descriptions, description, done);
  if (done) {
    const { serial } = outcome.answer!.json;
    world.ledger.require('not as written', serial > zone.serial, () => {
      return `the serial of ${zone.name} is ${serial}, and was ${zone.serial}`;
    });
    zone.serial = serial;
  }
  zone.underWay--;
  // A change without an answer may come late and undo what followed it: nothing follows.
  zone.isChanging = outcome.unknown > 0;
  count(world, 'change zone', done);
}

export async function deleteZone({ world, caller }: Client, zone: Zone): Promise<void> {
  zone.isClosed = true;
  zone.isTouched = true;
  zone.presence = 'unsure';
  const { tenant, name } = zone;
  const settleCount = tenant.zones.begin(-1);
  const path = `/v2/zones/${zone.id}`;
  const outcome = await caller.ask({ method: 'DELETE', path, token: tenant.token });
  // One that the same tenant has asked for below it, beside a rival, may have come late.
  const hasBelow = tenant.kind === 'family' && outcome.answer?.json.type === 'zone_has_sub_zone';
  const notDone = outcome.unknown > 0 ? undefined : false;
  const done = hasBelow ? notDone : isRemoved(world, name, outcome);
  // Refused, it is left alone until the next pause.
  if (done === false) {
    settleCount(false);
    zone.presence = 'there';
  }
  if (done) {
    zone.left = settleCount;
    zone.presence = 'leaving';
    // After a second attempt the first may be under way still, but finds nothing under this id.
    if (!world.publishes) hasLeft(world, zone);
  }
  count(world, 'delete zone', done);
}

/** Takes in that a deleted zone is gone: its name and its place in the quota are free. */
function hasLeft(world: World, zone: Zone): void {
  const { name, group } = zone;
  zone.left!(true);
  zone.left = undefined;
  zone.presence = 'gone';
  if (group !== undefined) world.freed.push({ name, group });
}

function requireLeaving({ ledger }: World, { name }: Zone, { action, status }: Leaving): void {
  ledger.require('acknowledged and lost', action === 'DELETE', () => `the removal of ${name}`);
  ledger.require('unexpected answer', status === 'PENDING' || status === 'ERROR', () => {
    return `${name} waits for its removal and is ${status}`;
  });
}

/** Asks for a zone that is leaving, or deletes it once more: it is still leaving, or gone. */
export async function lookAtLeaving({ world, caller }: Client, zone: Zone): Promise<void> {
  const { left, tenant } = zone;
  const method = caller.dice.chance(0.7) ? 'GET' : 'DELETE';
  const { answer } = await caller.ask({ method, path: `/v2/zones/${zone.id}`, token: tenant.token });
  count(world, 'look at a zone that leaves', answer && true);
  if (answer === undefined) return;
  if (answer.status < 300) return requireLeaving(world, zone, answer.json);
  world.ledger.require('unexpected answer', answer.status === 404, () => {
    return `${method} of ${zone.name}, which leaves: ${answer.status} ${JSON.stringify(answer.json)}`;
  });
  // Another client may have found out meanwhile.
  if (answer.status === 404 && zone.left !== undefined && zone.left === left) hasLeft(world, zone);
}
