import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import {
  type creationDecisions,
  creationDecisions as decisionsOf,
} from '../../src/domain/zones/creation-decisions.ts';
import { type ZoneChanges, zoneChanges } from '../../src/domain/zones/zone-changes.ts';
import type { CreatedZone, ZoneCreateRequest } from '../../src/domain/zones/zone-create-request.ts';
import { NOTHING_NON_ENFORCING } from '../../src/model/blacklists/noted.ts';
import { systemClock } from '../../src/model/clock.ts';
import { DomainError } from '../../src/model/errors.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { memberContext } from '../support/contexts.ts';
import { temporaryFolder } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { storeSettings } from '../support/store.ts';

const LIMIT = 6;
const clock = systemClock();
const settings = domainSettings(loadConfig(undefined, { ZONEWARDEN_DEFAULT__QUOTA_ZONES: String(LIMIT) }));
const folders = [temporaryFolder(), temporaryFolder()];
let stores: Store[];
let changes: ZoneChanges;
let decisions: ReturnType<typeof creationDecisions>;
beforeAll(async () => {
  stores = await Promise.all(folders.map(({ path }) => openStore(storeSettings(path))));
  changes = zoneChanges({ clock, ...settings });
  const access = {
    allows: () => true,
    isOverridden: () => false,
    denial: () => new DomainError('access_denied'),
  };
  decisions = decisionsOf({ changes, clock, access, defaultTtl: 3600 });
});
afterAll(async () => {
  for (const store of stores) await store.close();
  for (const folder of folders) folder.remove();
});

/** What a client learns of a create, without what is drawn for each zone. */
type CreateOutcome = object;

const PRESENT = 0;
const PAST = -1;

interface Request {
  readonly project: number;
  readonly labels: readonly string[];
  /** Whether the blacklists have changed since the name was judged. */
  readonly isLate: boolean;
}

const request: fc.Arbitrary<Request> = fc.record({
  project: fc.nat({ max: 2 }),
  // Few labels: names that are equal, above and below one another are frequent.
  labels: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }),
  isLate: fc.nat({ max: 7 }).map((one) => one === 0),
});

/** Projects and names of their own for each run, so that runs do not see one another. */
function wantedOf(run: number, { project, labels, isLate }: Request): ZoneCreateRequest {
  return {
    context: memberContext(`tenant-${run}-${project}`),
    options: {},
    draft: { name: canonicalName<Fqdn>(`${labels.join('.')}.run${run}.example.`), email: 'a@example.org' },
    admission: {
      revision: isLate ? PAST : PRESENT,
      span: { from: '', until: undefined },
      noted: NOTHING_NON_ENFORCING,
    },
  };
}

function outcomeOf(outcome: unknown): CreateOutcome {
  if (outcome instanceof DomainError) {
    return { refused: outcome.kind, message: outcome.message, details: outcome.details };
  }
  if (outcome instanceof Error) return { failed: outcome.constructor.name };
  const { name, projectId, ttl, version } = outcome as CreatedZone['zone'];
  return { name, projectId, ttl, version };
}

/** One after another, each in a transaction of its own. */
async function oneByOne(store: Store, wanted: readonly ZoneCreateRequest[]): Promise<CreateOutcome[]> {
  const told: CreateOutcome[] = [];
  for (const one of wanted) {
    const end = store.transaction(async (tx) => {
      const applied = await changes.write(tx, await decisions.alone(tx, one));
      return applied.after;
    });
    told.push(outcomeOf(await end.catch((error: unknown) => error)));
  }
  return told;
}

/** All in one transaction. */
async function atOnce(store: Store, wanted: readonly ZoneCreateRequest[]): Promise<CreateOutcome[]> {
  return store.transaction(async (tx) => {
    const decided = await decisions.together(tx, wanted, false);
    const planned = decided.flatMap((one) => (one.kind === 'planned' ? [one.planned] : []));
    if (planned.length > 0) changes.writeTogether(tx, planned);
    const instants = planned.map(({ after }) => after!.createdAt);
    expect(instants).toEqual([...new Set(instants)].sort());
    return decided.map((one) => {
      if (one.kind === 'held') return { held: true };
      return outcomeOf(one.kind === 'planned' ? one.planned.after : one.error);
    });
  });
}

async function stateOf(store: Store, projectId: string) {
  const { zones, notified } = await store.projects.state(projectId);
  return { zones, notified };
}

let drawn = 0;

it('decides creates together as it does one after another, and leaves the same behind', async () => {
  const [apart, together] = stores as [Store, Store];
  const rounds = fc.array(fc.array(request, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(rounds, async (batches) => {
      const run = ++drawn;
      const projects = [0, 1, 2].map((project) => `tenant-${run}-${project}`);
      for (const store of stores) {
        // A project without a row is met by whoever comes alone.
        await store.transaction(async (tx) => {
          for (const project of projects) await tx.projects.lock(project);
        });
      }
      for (const batch of batches) {
        const wanted = batch.map((one) => wantedOf(run, one));
        expect(await atOnce(together, wanted)).toEqual(await oneByOne(apart, wanted));
      }
      for (const project of projects) {
        expect(await stateOf(together, project)).toEqual(await stateOf(apart, project));
      }
    }),
    { numRuns: runs(60, 20) },
  );
});

it('leaves out what another transaction holds, and nothing else', async () => {
  const [store] = stores as [Store];
  const run = ++drawn;
  await store.transaction(async (tx) => void (await tx.projects.lock(`tenant-${run}-0`)));
  const wanted = [0, 1].map((project) =>
    wantedOf(run, { project, labels: ['a', 'b'].slice(project, project + 1), isLate: false }),
  );
  // The second project has no row, and none is made while others wait.
  const told = await atOnce(store, wanted);
  expect(told).toEqual([expect.objectContaining({ name: wanted[0]!.draft.name }), { held: true }]);
  expect((await store.projects.state(`tenant-${run}-1`)).zones).toBe(0);
});
