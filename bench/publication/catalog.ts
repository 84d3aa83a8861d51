/** What a new zone costs in a small catalog and in a large one: to the end of our IXFR, and to the answer of BIND. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, connect, expectSuccess } from '../../test/support/client.ts';
import { quantile } from '../../test/support/figures.ts';
import type { NameServer } from '../../test/support/name-servers/place.ts';
import { startNameServer } from '../../test/support/name-servers/servers.ts';
import { Asker } from './asker.ts';
import { fillCatalog } from './members.ts';
import { Partner } from './partner.ts';
import { line, median, round, rows } from './report.ts';
import { type Backend, CATALOG, openStage, type Stage } from './stage.ts';
import { type Transferred, transfer } from './transfer.ts';

const SMALL = 100;
const WARM_UP = 10;
const PATIENCE = 3_600_000;

/** Says when something has happened since one asked the last time. */
class Bell {
  #hasRung = false;
  #heard: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#heard?.();
  }

  async next(): Promise<void> {
    if (!this.#hasRung) await new Promise<void>((resolve) => (this.#heard = resolve));
    this.#hasRung = false;
  }
}

interface Case {
  readonly stage: Stage;
  readonly client: Client;
  readonly partner: Partner;
  readonly bell: Bell;
  readonly members: number;
  /** Of the catalog that the client here has. */
  serial: number;
  /** From the answer to `POST` to the end of the IXFR, and of these the IXFR. */
  readonly ours: number[];
  readonly transfers: number[];
  bytes: number;
  server: { readonly brand: NameServer; readonly asker: Asker; readonly loadedAfter: number } | undefined;
  readonly theirs: number[];
}

async function openCase(backend: Backend, members: number): Promise<Case> {
  const stage = await openStage(backend);
  const bell = new Bell();
  const partner = await Partner.open(stage.upstream.key, (name) => name === CATALOG && bell.ring());
  stage.applyPool([{ host: '127.0.0.1', port: partner.port }]);
  const begun = performance.now();
  await fillCatalog(stage, members, (name, serial) => partner.has(name, serial));
  const seconds = round((performance.now() - begun) / 1000);
  console.log(`A catalog of ${members.toLocaleString('en')} members was written in ${seconds} s.`);
  const { serial, records } = await transfer(stage.upstream, CATALOG);
  if (records.length !== members + 4) throw new Error(`The catalog has ${records.length} records.`);
  const client = connect(stage.service.url, stage.token, 1);
  const figures = { ours: [], transfers: [], bytes: 0, server: undefined, theirs: [] };
  return { stage, client, partner, bell, members, serial, ...figures };
}

async function closeCase({ stage, client, partner, server }: Case): Promise<void> {
  client.close();
  partner.close();
  server?.asker.close();
  await server?.brand.remove();
  await stage.remove();
}

async function createZone({ client }: Case, name: string): Promise<{ id: string; serial: number }> {
  const body = { name, email: 'hostmaster@example.org' };
  return expectSuccess(client, 'POST', '/v2/zones', body);
}

/** Fetches the catalog after each NOTIFY until the zone is in it. */
async function untilMember(one: Case, name: string): Promise<Transferred> {
  for (;;) {
    await one.bell.next();
    const transferred = await transfer(one.stage.upstream, CATALOG, one.serial);
    one.serial = transferred.serial;
    if (transferred.records.some(({ rdata }) => rdata === name)) return transferred;
  }
}

async function ourTurn(one: Case, name: string, counts: boolean): Promise<void> {
  const { id, serial } = await createZone(one, name);
  const begun = performance.now();
  const { ms, bytes } = await untilMember(one, name);
  const took = performance.now() - begun;
  one.partner.has(name, serial);
  // Nothing of this zone is left to do when the next one is made.
  while ((await one.stage.store.publications.find(id))?.dueAt !== '') await delay(5);
  if (!counts) return;
  one.ours.push(took);
  one.transfers.push(ms);
  one.bytes = bytes;
}

/** Puts BIND in the place of the partner, and waits until it has everything. */
async function bringBind(one: Case): Promise<void> {
  const brand = await startNameServer('BIND', one.stage.known);
  const asker = await Asker.open(brand.port);
  const begun = performance.now();
  one.stage.applyPool([brand]);
  const names = Array.from({ length: one.members }, (_, number) => `member-${number}.example.`);
  await asker.untilAllAnswered(names, PATIENCE);
  one.server = { brand, asker, loadedAfter: (performance.now() - begun) / 1000 };
  while ((await one.stage.store.publications.pending()).orders > 0) await delay(100);
}

async function theirTurn(one: Case, name: string, counts: boolean): Promise<void> {
  await createZone(one, name);
  const begun = performance.now();
  const answered = await one.server!.asker.untilAnswered(name);
  if (counts) one.theirs.push(answered - begun);
}

async function inTurns(
  cases: readonly Case[],
  rounds: number,
  prefix: string,
  turn: typeof ourTurn,
): Promise<void> {
  for (let number = -WARM_UP; number < rounds; number++) {
    for (const one of cases) await turn(one, `${prefix}-${number + WARM_UP}.example.`, number >= 0);
  }
}

function rowOf({ members, ours, transfers, bytes, theirs, server }: Case) {
  return {
    members,
    ours_p50_ms: median(ours),
    ours_p99_ms: round(quantile(ours, 0.99)),
    ixfr_p50_ms: median(transfers),
    ixfr_bytes: bytes,
    bind_p50_ms: theirs.length > 0 ? median(theirs) : '–',
    bind_loaded_after_s: server === undefined ? '–' : round(server.loadedAfter),
  };
}

/** @param withBind whether BIND gets all members, too, which may take minutes */
export async function catalog(
  backend: Backend,
  members: number,
  rounds: number,
  withBind: boolean,
): Promise<void> {
  const cases: Case[] = [];
  try {
    for (const count of [SMALL, members]) cases.push(await openCase(backend, count));
    await inTurns(cases, rounds, 'ours', ourTurn);
    if (withBind) {
      for (const one of cases) await bringBind(one);
      await inTurns(cases, rounds, 'theirs', theirTurn);
    }
    const measured = cases.map(rowOf);
    rows(measured);
    const ratio = round(median(cases[1]!.ours, 6) / median(cases[0]!.ours, 6), 2);
    console.log(`The large catalog takes ${ratio} times what the small one takes.`);
    line('catalog', { ratio, catalogs: measured });
  } finally {
    for (const one of cases) await closeCase(one);
  }
}
