import { randomBytes } from 'node:crypto';
import type { CompiledQuery, QueryResult } from 'kysely';
import { domainSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName } from '../../src/dns/names.ts';
import type { NameSurveyor } from '../../src/domain/blacklists/name-scanner.ts';
import { TokenUses } from '../../src/domain/tokens/token-uses.ts';
import { useCasesOver } from '../../src/domain/use-cases.ts';
import { tokenAuthenticator } from '../../src/identity/api-tokens.ts';
import { patternLanguage } from '../../src/matcher/language.ts';
import type { BlacklistIndex, NameExplainer } from '../../src/model/blacklists/name-index.ts';
import { systemClock } from '../../src/model/clock.ts';
import type { RequestContext } from '../../src/model/context/request-context.ts';
import { eventKeyOf } from '../../src/model/events/event-key.ts';
import { statementsOver } from '../../src/storage/database/kysely-over.ts';
import { storeOver } from '../../src/storage/store.ts';
import { rowsOf } from './answers.ts';

/** One statement, as it is sent. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What is sent together, before any answer is waited for. */
export type RoundTrip = readonly Statement[];

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const nothingBlocked: BlacklistIndex & NameExplainer & NameSurveyor = {
  size: 0,
  add() {},
  remove() {},
  clear() {},
  check: async () => ({ kind: 'free' }),
  explain: async () => ({ matches: [], undecided: [] }),
  survey: async () => ({ matches: [], more: false, undecided: [], units: 0 }),
};

/** Records the statements of creates, each as the service itself sends them, by running its use case on no database. */
export function recorderOf(token: { text: string; row: { project_id: string; user_id: string } }) {
  let trips: Statement[][] = [];
  let present: Statement[] | undefined;
  const execute = async (query: CompiledQuery): Promise<QueryResult<never>> => {
    if (present === undefined) {
      present = [];
      trips.push(present);
      // Answers come when all that is sent together has been.
      setImmediate(() => {
        present = undefined;
      });
    }
    present.push({ text: query.sql, values: query.parameters });
    await new Promise((resolve) => setImmediate(resolve));
    return { rows: rowsOf(query, token.row) as never[] };
  };
  const send = (text: string) => void execute({ sql: text, parameters: [] } as unknown as CompiledQuery);
  const statements = statementsOver('postgresql', execute);
  const store = storeOver({
    reader: statements.now,
    longReads: () => statements.now,
    async transaction(work) {
      send('begin isolation level read committed');
      const result = await work(statements);
      send('commit');
      return result;
    },
    snapshot: () => Promise.reject(new Error('A create takes no snapshot.')),
    atOneState: () => Promise.reject(new Error('A create takes no snapshot.')),
    nameIndex: { isBehind: async () => false, catchUp: async () => ({ more: false }) },
    recordsetIndexes: { isBehind: async () => false, catchUp: async () => ({ more: false }) },
    fileFaults: async () => [],
    writeState: () => 'open',
    endCheck() {},
    close: async () => {},
  });
  const clock = systemClock();
  const key = eventKeyOf(randomBytes(32));
  const eventKeys = { current: () => key, find: () => key };
  const { zones } = useCasesOver({
    store,
    clock,
    log: silent,
    policy: { allows: () => true, mayAllow: () => true, overridden: new Set(), roles: [] },
    sinks: [],
    eventKeys,
    index: nothingBlocked,
    scanner: { scan: async () => new Uint8Array(0), locate: async () => [] },
    language: patternLanguage,
    newFilter: () => ({ ...nothingBlocked, close: async () => {} }),
    settings: domainSettings(loadConfig(undefined, {})),
  });
  const authenticator = tokenAuthenticator({ tokens: store.apiTokens, clock: clock, uses: new TokenUses() });
  const { project_id: projectId, user_id: userId } = token.row;
  const context: RequestContext = {
    caller: { projectId, userId, roles: [] },
    projectId,
    scope: { projectId },
    origin: { kind: 'request', requestId: '', address: '' },
  };

  /** The round trips of one create, its token's lookup included. */
  return async (name: string): Promise<readonly RoundTrip[]> => {
    trips = [];
    await authenticator.authenticate({ token: token.text, address: '' });
    await zones.create(context, { name: canonicalName(name), email: 'hostmaster@example.org' });
    return trips;
  };
}
