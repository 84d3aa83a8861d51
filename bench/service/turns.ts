import { BareClient } from './bare.ts';
import { type Creating, measure } from './load.ts';
import { SECONDS, WARM_UP } from './options.ts';
import type { RecordedCreates } from './recorded.ts';
import { print, printRatio, type Subject } from './table.ts';

/** How often the service and the bare driver take turns. */
const ROUNDS = 4;

/** The service and the bare driver in turns, on one database, so that both meet the same of it. */
export async function compare(
  subject: Subject,
  url: string,
  work: Creating,
  creates: RecordedCreates,
): Promise<void> {
  const bare = new BareClient(url);
  const turn = SECONDS / ROUNDS;
  const taken: { bare: number[]; service: number[] } = { bare: [], service: [] };
  try {
    await bare.open(subject.connections);
    await bare.run(await creates(WARM_UP), WARM_UP);
    await measure(work, WARM_UP, work.create);
    for (let round = 0; round < ROUNDS; round++) {
      taken.bare.push(...(await bare.run(await creates(turn), turn)));
      taken.service.push(...(await measure(work, turn, work.create)));
    }
  } finally {
    await bare.close();
  }
  const bareRate = print({ ...subject, store: 'bare driver' }, taken.bare, SECONDS);
  printRatio(subject, print(subject, taken.service, SECONDS), bareRate);
}
