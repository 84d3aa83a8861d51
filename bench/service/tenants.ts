import { connect, expectSuccess } from '../../test/support/client.ts';
import type { ServiceProcess } from '../../test/support/service-process.ts';

export interface Tenant {
  readonly projectId: string;
  readonly token: string;
}

/** The tenants of all measurements of one store. */
export interface Tenants {
  /** Those that create together, one group for each number of tenants. No tenant is in two: lists stay alike. */
  readonly groups: readonly (readonly Tenant[])[];
  /** Creates without pause. */
  readonly flooding: Tenant;
  /** Creates one zone a second. */
  readonly steady: Tenant;
}

/** Makes tenants that have a token each, and no limit on zones. */
export async function tenantsOf(service: ServiceProcess, counts: readonly number[]): Promise<Tenants> {
  const admin = connect(service.url, service.admin, 4);
  const made = async (projectId: string): Promise<Tenant> => {
    await expectSuccess(admin, 'PATCH', `/v2/quotas/${projectId}`, { zones: -1 });
    return { projectId, token: service.token(projectId, 'member') };
  };
  const groups: Tenant[][] = [];
  for (const count of counts) {
    const group: Tenant[] = [];
    for (let number = 0; number < count; number++) group.push(await made(`tenant-${number}-of-${count}`));
    groups.push(group);
  }
  const tenants = { groups, flooding: await made('flooding'), steady: await made('steady') };
  admin.close();
  return tenants;
}
