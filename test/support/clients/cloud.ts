import type { TestProject } from 'vitest/node';
import { DYNDNS_ON } from '../dyndns.ts';
import { patientKeystoneOptions } from '../keystone/fake.ts';
import { RealKeystone } from '../keystone/real.ts';
import { documented, withOwn } from '../name-servers/document.ts';
import { type Pool, startPool } from '../name-servers/publishing.ts';

/** Where the clients of a test run find their cloud. */
export interface Cloud {
  /** Without `/v3`. */
  readonly keystone: string;
  readonly dns: string;
  /** The BIND to which the service publishes. */
  readonly nameServer: { readonly host: string; readonly port: number };
  /** The port of the hidden primary on 127.0.0.1. */
  readonly primaryPort: number;
  /** The data folder of the service. */
  readonly dataDir: string;
  /** The first admin token of the service. */
  readonly admin: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly cloud: Cloud;
  }
}

/** Long enough for a run on a slow machine, in seconds. */
const TOKEN_LIFE = 3600;
const PROJECTS = { shop: 'alice', blog: 'bob' };

/** The account of the service, and a project for each user. */
async function fill(keystone: RealKeystone): Promise<void> {
  const home = await keystone.addProject('service');
  await keystone.grant(await keystone.addUser('zonewarden'), 'service', `projects/${home}`);
  for (const [project, user] of Object.entries(PROJECTS)) {
    const id = await keystone.addProject(project);
    await keystone.grant(await keystone.addUser(user), 'member', `projects/${id}`);
  }
}

/** BIND's configuration with what lego needs. */
function forwarding(configuration: string): string {
  const line = documented('With a TSIG key', 'named', 0, 'docs/clients/lego.md');
  return withOwn(configuration, { 'options {\n': `options {\n  ${line}` });
}

function startService(keystone: RealKeystone): Promise<Pool> {
  const env = {
    ...patientKeystoneOptions(keystone.url),
    ...DYNDNS_ON,
    ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS: '403',
  };
  return startPool(['BIND'], env, forwarding);
}

/** One cloud for all pages: a Keystone, a service that is in its catalogue, and a BIND to which that publishes. */
export default async function startCloud(project: TestProject): Promise<() => Promise<void>> {
  const keystone = await RealKeystone.start(TOKEN_LIFE);
  let pool: Pool | undefined;
  const remove = async () => {
    await pool?.remove();
    await keystone.remove();
  };
  try {
    [pool] = await Promise.all([startService(keystone), fill(keystone)]);
    const { service, servers, dataDir, upstream } = pool;
    await keystone.addService('dns', service.url);
    const { host, port } = servers[0]!;
    project.provide('cloud', {
      keystone: keystone.url,
      dns: service.url,
      nameServer: { host, port },
      primaryPort: upstream.port,
      dataDir,
      admin: service.admin,
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}
