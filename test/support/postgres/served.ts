import { expect } from 'vitest';
import { giveEventKey } from '../event-key.ts';
import { type Answer, type ServiceProcess, startProcess, temporaryFolder } from '../process.ts';
import { runHere } from '../run-here.ts';
import type { DatabaseProxy } from './proxy.ts';
import type { PostgresServer } from './server.ts';
import { EVERYWHERE, zoneNames } from './zone-names.ts';

/** A service process on a database of a server of the test's own. */
export interface Served {
  readonly service: ServiceProcess;
  readonly connection: string;
  /** The file with the key of its events. */
  readonly keyFile: string;
  /** The zones of which a client knows that they were created. */
  readonly acknowledged: string[];
  /** Creates a zone, and takes down what was acknowledged. */
  create(name?: string, idempotencyKey?: string, projectId?: string): Promise<Answer>;
  list(): Promise<Answer>;
  /** Runs a command on the same database, without whatever is between it and the service. */
  command(...args: string[]): ReturnType<typeof runHere>;
  remove(): Promise<void>;
}

export interface ServedOptions {
  /** The database itself; without it a new one of the server. */
  readonly connection?: string;
  readonly through?: Pick<DatabaseProxy, 'through'>;
  readonly env?: Readonly<Record<string, string>>;
}

let names = 0;

/** A name that no other call has given. */
export function newName(): string {
  names += 1;
  return `zone${names}.example.`;
}

/** Starts a service. Its time-outs are short, unless other ones are given. */
export async function serveOn(server: PostgresServer, options: ServedOptions = {}): Promise<Served> {
  const connection = options.connection ?? (await server.createDatabase());
  const folder = temporaryFolder();
  const keyFile = giveEventKey(folder.path);
  const service = await startProcess({
    dataDir: folder.path,
    env: {
      ZONEWARDEN_STORAGE__CONNECTION: options.through?.through(connection) ?? connection,
      ZONEWARDEN_STORAGE__POOL_SIZE: '4',
      ZONEWARDEN_STORAGE__POOL_TIMEOUT: '1',
      ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '2',
      ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '1',
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
      ...options.env,
    },
  });
  const acknowledged: string[] = [];
  return {
    service,
    connection,
    keyFile,
    acknowledged,
    async create(name = newName(), idempotencyKey?, projectId?) {
      const headers = {
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(projectId === undefined ? {} : { 'x-auth-sudo-project-id': projectId }),
      };
      const body = { name, email: 'hostmaster@example.org' };
      const answer = await service.request('POST', '/v2/zones', { token: service.admin, body, headers });
      if (answer.status === 202) acknowledged.push(name);
      return answer;
    },
    list: () => service.request('GET', '/v2/zones?limit=max', { token: service.admin, headers: EVERYWHERE }),
    command: (...args) =>
      runHere(args, {
        ZONEWARDEN_STORAGE__CONNECTION: connection,
        ZONEWARDEN_EVENTS__KEY_FILE: keyFile,
      }),
    async remove() {
      await service.end('SIGKILL');
      folder.remove();
    },
  };
}

/** The answer says that the store cannot be used now, when to come again, and nothing of what the store is. */
export function expectUnavailable(answer: Answer): void {
  const { status, headers, json } = answer;
  expect({ status, json }).toEqual({
    status: 503,
    json: {
      code: 503,
      type: 'service_unavailable',
      message: expect.stringMatching(
        /^The storage is unreachable|^The connection to the storage was lost|^The storage is overloaded/,
      ),
      request_id: headers.get('x-openstack-request-id'),
    },
  });
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(JSON.stringify(json)).not.toMatch(/127\.0\.0\.1|postgres|select|insert|timeout|ECONN|57P|port/i);
}

/** All that was acknowledged is there, and all that is there is whole. */
export async function expectSound({ service, list, acknowledged, command }: Served): Promise<void> {
  const found = new Set(await zoneNames(service, service.admin));
  expect(acknowledged.filter((name) => !found.has(name))).toEqual([]);
  expect((await list()).json.metadata.total_count).toBe(found.size);
  const { status, out } = await command('verify');
  expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^[^\n]*\n$/) });
}
