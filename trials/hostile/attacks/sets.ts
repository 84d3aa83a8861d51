/** Attacks with sets of changes, guardrails and the history of zones. */
import { type Client, expectSuccess } from '../../../test/support/client.ts';
import { type Attack, atOnce } from '../attack.ts';
import { MANY, makeZone, type Site } from '../site.ts';

const NAME = 'hostile.example.';
/** Changes of one set, at most. */
const SET = 1000;

interface SetAnswer {
  readonly from_serial: number;
  readonly to_serial: number;
}

type SetChange = Readonly<Record<string, unknown>>;

async function attackerOf(site: Site, connections: number) {
  await site.allow('attacker', MANY);
  const client = site.client('attacker', connections);
  const path = `/v2/zones/${await makeZone(client, NAME)}`;
  return { client, path };
}

function apply(client: Client, path: string, changes: readonly SetChange[]): Promise<SetAnswer> {
  return expectSuccess(client, 'POST', `${path}/changes`, { changes });
}

const many = (change: (at: number) => SetChange): SetChange[] =>
  Array.from({ length: SET }, (_, at) => change(at));

const address = (round: number) => (at: number) => {
  return {
    action: 'upsert',
    name: `h${at}.${NAME}`,
    type: 'A',
    records: [`10.0.${round % 256}.${at % 256}`],
  };
};

/** As many as a project may have running and waiting, and as many again. */
const DRY_RUNS = 32;

const dryRuns: Attack = {
  name: 'dry-runs',
  title: `${DRY_RUNS} dry runs of 1,000 changes at once`,
  async prepare(site) {
    const { client, path } = await attackerOf(site, DRY_RUNS);
    const body = { changes: many(address(1)), dry_run: true };
    return (answers) => atOnce(DRY_RUNS, () => answers.ask(client, 'POST', `${path}/changes`, body));
  },
};

const DIFFERENCES = 16;
const STEPS = 30;

/** Each step changes 1,000 recordsets. */
const differences: Attack = {
  name: 'diffs',
  title: `${DIFFERENCES} differences at once, over ${STEPS} changes of 1,000 recordsets each`,
  async prepare(site) {
    const { client, path } = await attackerOf(site, DIFFERENCES);
    const first = await apply(client, path, many(address(0)));
    let last = first;
    for (let step = 1; step <= STEPS; step += 1) last = await apply(client, path, many(address(step)));
    const asked = `${path}/diff?from=${first.to_serial}&to=${last.to_serial}`;
    return (answers) => atOnce(DIFFERENCES, () => answers.ask(client, 'GET', asked));
  },
};

const POINTERS = 10_000;
const TARGET = `target.${NAME}`;
/** Types that many records of one name may have, and that point at a name. */
const pointing = (at: number): SetChange => {
  if (at % 2 === 0)
    return { action: 'create', name: `m${at}.${NAME}`, type: 'MX', records: [`10 ${TARGET}`] };
  return { action: 'create', name: `_s._tcp.s${at}.${NAME}`, type: 'SRV', records: [`0 0 53 ${TARGET}`] };
};

const pointers: Attack = {
  name: 'pointers',
  title: `the deletion of a name that ${POINTERS} MX and SRV point at, 8 at once, with \`in_use\` set to refuse`,
  // No deletion may get through.
  holds: (answers) => answers.count('409 guardrail') > 0 && answers.countAll('2') === 0,
  async prepare(site) {
    const { client, path } = await attackerOf(site, 8);
    await expectSuccess(client, 'PATCH', `${path}/guardrails`, { in_use: 'refuse' });
    await apply(client, path, [{ action: 'create', name: TARGET, type: 'A', records: ['192.0.2.1'] }]);
    for (let from = 0; from < POINTERS; from += SET)
      await apply(
        client,
        path,
        many((at) => pointing(from + at)),
      );
    const body = { changes: [{ action: 'delete', name: TARGET, type: 'A' }] };
    return (answers) => atOnce(8, () => answers.ask(client, 'POST', `${path}/changes`, body));
  },
};

const FILTERS = 16;
/** Text that deflates to a hundredth, within what one record may have. */
const REPEATED = `"${'a'.repeat(250)}" `.repeat(3).trim();
const COMPRESSIBLE = 40;

const filters: Attack = {
  name: 'history-filters',
  title: `${FILTERS} pages of history at once, with a filter that matches none of ${COMPRESSIBLE} changes of 1,000 long recordsets`,
  async prepare(site) {
    const { client, path } = await attackerOf(site, FILTERS);
    for (let round = 0; round < COMPRESSIBLE; round += 1) {
      const text = (at: number): SetChange => {
        const records = [`${REPEATED} "${round}"`];
        return { action: 'upsert', name: `h${at}.${NAME}`, type: 'TXT', records };
      };
      await apply(client, path, many(text));
    }
    const asked = `${path}/changes?name=none.${NAME}`;
    return (answers) => atOnce(FILTERS, () => answers.ask(client, 'GET', asked));
  },
};

export const SET_ATTACKS: readonly Attack[] = [dryRuns, differences, pointers, filters];
