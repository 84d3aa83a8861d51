/** A data folder with many zones and patterns, for a console to show. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { commandsOn, startProcess } from '../../test/support/process.ts';
import { storeSettings } from '../../test/support/store.ts';
import { entryAt, hittingNames, word } from '../matcher/corpus.ts';
import { randomNumbers } from '../matcher/random.ts';
import { filledZone, inBatches } from '../support/filled.ts';
import { writeLines } from '../support/patterns.ts';

const PROJECTS = 100;
/** Names that are refused, so that the overview has something to tell. */
const REFUSED = 40;
const FILE = 'patterns.txt';

export interface Sizes {
  readonly zones: number;
  readonly patterns: number;
}

/** A name such as people choose; the number makes it the only one. */
export function zoneNameAt(number: number): string {
  return `${word(randomNumbers(number))}-${number}.example.`;
}

function fillZones(store: Store, count: number): Promise<void> {
  return inBatches(store, count, async (tx, from, to) => {
    for (let number = from; number < to; number++)
      tx.zones.insert(filledZone(zoneNameAt(number), `project-${number % PROJECTS}`));
    for (let project = 0; project < PROJECTS; project++) {
      tx.projects.grow(`project-${project}`, {
        zones: Math.ceil((to - project) / PROJECTS) - Math.ceil((from - project) / PROJECTS),
      });
    }
  });
}

async function fillPatterns(dataDir: string, count: number): Promise<void> {
  const file = join(dataDir, FILE);
  writeLines(file, count, (number) => entryAt('mixed', 1 + number).source);
  const { status, err } = await commandsOn(dataDir)(['blacklist', 'import', file]);
  rmSync(file);
  if (status !== 0) throw new Error(`The patterns are not imported: ${err.slice(-1000)}`);
}

/** Fills a data folder, unless that has been done. */
export async function filled(dataDir: string, { zones, patterns }: Sizes): Promise<void> {
  if (existsSync(join(dataDir, 'admin.token'))) return;
  const service = await startProcess({ dataDir });
  await service.end();
  const store = await openStore({ ...storeSettings(dataDir), busyTimeoutMs: 60_000 });
  await fillZones(store, zones);
  await store.close();
  await fillPatterns(dataDir, patterns);
  const refusing = await startProcess({ dataDir });
  for (const name of hittingNames('mixed', patterns, REFUSED, 1)) await refusing.create(name);
  await refusing.end();
}
