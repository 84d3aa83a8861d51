import { mayComeLate } from './caller.ts';
import { GROUPS, patternOf, type Slot } from './patterns.ts';
import { type Client, count, isChanged, isMade, isRemoved, requireRefusal } from './world.ts';

function drawPattern({ world, caller: { dice } }: Client) {
  return patternOf(dice.int(0, GROUPS - 1), dice.int(0, 3), `p${++world.counter}`);
}

/** Reads which zones of the group there are, now that no more can come. */
async function takeSnapshot({ world, caller }: Client, slot: Slot): Promise<void> {
  const window = slot.certain!;
  const { answer } = await caller.ask({
    method: 'GET',
    path: `/v2/zones?name=*-g${window.group}.*&limit=1000`,
    token: world.admin,
    headers: { 'x-auth-all-projects': 'true' },
  });
  if (answer?.status !== 200) return;
  const zones = answer.json.zones as { name: string }[];
  world.patterns.keepSnapshot(window, new Set(zones.map(({ name }) => name)));
}

export async function addPattern(client: Client, slot: Slot): Promise<void> {
  const { world, caller } = client;
  slot.isBusy = true;
  const pattern = drawPattern(client);
  slot.possible = [pattern];
  slot.presence = 'unsure';
  world.patterns.mayBegin(slot, pattern);
  const body = { pattern: pattern.text };
  const outcome = await caller.ask({ method: 'POST', path: '/v2/blacklists', token: world.admin, body });
  requireRefusal(world, `add ${pattern.text}`, outcome, mayComeLate(outcome) ? ['duplicate_blacklist'] : []);
  const done = isMade(outcome);
  count(world, 'add pattern', done);
  if (done === false) {
    world.patterns.ends(slot, pattern.text);
    slot.presence = 'gone';
    slot.isBusy = false;
  }
  if (!done) return;
  world.patterns.begins(slot, pattern, outcome.end);
  slot.presence = 'there';
  slot.id = outcome.answer!.json.id;
  await takeSnapshot(client, slot);
  // What may be added anew after it was removed is left alone; so is what has no id yet.
  slot.isBusy = mayComeLate(outcome) || slot.id === undefined;
}

export async function changePattern(client: Client, slot: Slot): Promise<void> {
  const { world, caller } = client;
  slot.isBusy = true;
  const [before] = slot.possible;
  const pattern = drawPattern(client);
  slot.possible = [before!, pattern];
  world.patterns.mayEnd(slot, world.zones);
  world.patterns.mayBegin(slot, pattern);
  const body = { pattern: pattern.text };
  const path = `/v2/blacklists/${slot.id}`;
  const outcome = await caller.ask({ method: 'PATCH', path, token: world.admin, body });
  const done = isChanged(world, before!.text, outcome);
  count(world, 'change pattern', done);
  if (!done) return;
  world.patterns.ends(slot, before!.text);
  world.patterns.begins(slot, pattern, outcome.end);
  slot.possible = [pattern];
  await takeSnapshot(client, slot);
  // A change without an answer may come late and undo what followed it: nothing follows.
  slot.isBusy = outcome.unknown > 0;
}

export async function removePattern({ world, caller }: Client, slot: Slot): Promise<void> {
  slot.isBusy = true;
  const [before] = slot.possible;
  slot.presence = 'unsure';
  world.patterns.mayEnd(slot, world.zones);
  const path = `/v2/blacklists/${slot.id}`;
  const outcome = await caller.ask({ method: 'DELETE', path, token: world.admin });
  const done = isRemoved(world, before!.text, outcome);
  count(world, 'remove pattern', done);
  if (!done) return;
  world.patterns.ends(slot, before!.text);
  slot.presence = 'gone';
  slot.id = undefined;
  // What was there last is looked for at the next pause, unless another takes the place before.
  slot.isBusy = false;
}
