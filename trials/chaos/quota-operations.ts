import { DEFAULTS, LIMITS, type Limits, settle, type Tenant } from './model.ts';
import { type Client, count, isChanged, type World } from './world.ts';

function beginLimits(tenant: Tenant, limits: Limits): (isDone: boolean) => void {
  const ends = LIMITS.map((name) => tenant.limits[name].beginSet(limits[name]));
  tenant.peak = Math.max(tenant.peak, limits.zones);
  return (isDone) => {
    for (const end of ends) end(isDone);
  };
}

async function write({ world, caller }: Client, tenant: Tenant, limits: Limits, isReset: boolean) {
  tenant.isSetting = true;
  const end = beginLimits(tenant, limits);
  const path = `/v2/quotas/${tenant.id}`;
  const outcome = await caller.ask({
    method: isReset ? 'DELETE' : 'PATCH',
    path,
    token: world.admin,
    ...(isReset ? {} : { body: limits }),
  });
  const done = isChanged(world, `quotas of ${tenant.id}`, outcome);
  tenant.possible = settle(tenant.possible, limits, done);
  if (done !== undefined) end(done);
  tenant.isSetting = outcome.unknown > 0;
  count(world, isReset ? 'reset quotas' : 'set quotas', done);
}

/** Gives a tenant limits that bind. */
export function setTightQuotas(client: Client, tenant: Tenant): Promise<void> {
  const { dice } = client.caller;
  if (dice.chance(0.1)) return write(client, tenant, DEFAULTS, true);
  return write(client, tenant, { zones: dice.int(2, 12), zone_recordsets: dice.int(8, 14) }, false);
}

export const ROOMY: Limits = { zones: 100_000, zone_recordsets: 100_000 };

export async function setRoomyQuotas(client: Client, tenant: Tenant): Promise<void> {
  do await write(client, tenant, ROOMY, false);
  while (tenant.possible.length > 1);
}

/** Holds the limits that are stored against those that may be, when nothing is under way. */
export function settleQuotas({ ledger }: World, tenant: Tenant, stored: Limits): void {
  const { possible } = tenant;
  const isOf = (limits: Limits) => LIMITS.every((name) => limits[name] === stored[name]);
  const isPart = LIMITS.every((name) => possible.some((limits) => limits[name] === stored[name]));
  const about = () => `quotas of ${tenant.id} are ${JSON.stringify(stored)}, not ${JSON.stringify(possible)}`;
  const check = isPart ? 'half-written' : 'acknowledged and lost';
  ledger.require(check, possible.some(isOf), about);
  tenant.possible = [stored];
  tenant.isSetting = false;
}
