import { MODES, type Mode } from '../../src/model/blacklists/blacklist.ts';
import { mayComeLate } from './caller.ts';
import { GROUPS, type Pattern, type Slot, textOf } from './patterns.ts';
import { type Client, count, isChanged, isMade, isRemoved, requireRefusal } from './world.ts';

function drawPattern({ world, caller: { dice } }: Client, mode: Mode): Pattern {
  const group = dice.int(0, GROUPS - 1);
  return { group, mode, text: textOf(group, dice.int(0, 3), `p${++world.counter}`) };
}

/** Mostly enforce: what else there is refuses nothing. */
function drawMode({ caller: { dice } }: Client, before?: Mode): Mode {
  if (before !== 'enforce' && dice.chance(0.7)) return 'enforce';
  return dice.pick(MODES.filter((mode) => mode !== before))!;
}

/** Reads which zones of the group there are, now that no more can come. */
async function takeSnapshot({ world, caller }: Client, slot: Slot): Promise<void> {
  const window = slot.certain;
  if (window === undefined) return;
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
  const pattern = drawPattern(client, drawMode(client));
  slot.possible = [pattern];
  slot.presence = 'unsure';
  world.patterns.mayBegin(slot, pattern);
  const body = { pattern: pattern.text, mode: pattern.mode };
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

/** Changes one pattern into another, or the mode of it. */
async function change(client: Client, slot: Slot, kind: string, after: Pattern, body: object): Promise<void> {
  const { world, caller } = client;
  slot.isBusy = true;
  const before = slot.possible[0]!;
  slot.possible = [before, after];
  world.patterns.mayEnd(slot, world.zones);
  world.patterns.mayBegin(slot, after);
  const path = `/v2/blacklists/${slot.id}`;
  const outcome = await caller.ask({ method: 'PATCH', path, token: world.admin, body });
  const done = isChanged(world, before.text, outcome);
  count(world, kind, done);
  if (!done) return;
  world.patterns.becomes(slot, before, after, outcome.end);
  await takeSnapshot(client, slot);
  // A change without an answer may come late and undo what followed it: nothing follows.
  slot.isBusy = outcome.unknown > 0;
}

export function changePattern(client: Client, slot: Slot): Promise<void> {
  const after = drawPattern(client, slot.possible[0]!.mode);
  return change(client, slot, 'change pattern', after, { pattern: after.text });
}

export function turnPattern(client: Client, slot: Slot): Promise<void> {
  const before = slot.possible[0]!;
  const mode = drawMode(client, before.mode);
  return change(client, slot, `turn pattern to ${mode}`, { ...before, mode }, { mode });
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
