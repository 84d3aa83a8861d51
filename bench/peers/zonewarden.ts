import { startServiceProcess } from '../../test/support/service-process.ts';
import { designateApi } from './designate-api.ts';
import type { Peer } from './peer.ts';

const NO_LIMIT = {
  ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
  ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
};

/** @param database a connection string; undefined for the embedded database */
export async function startZonewarden(database: string | undefined): Promise<Peer> {
  const service = await startServiceProcess({
    ...NO_LIMIT,
    ...(database !== undefined && { ZONEWARDEN_STORAGE__CONNECTION: database }),
  });
  const headers = { 'x-auth-token': service.token('measured', 'member') };
  const { url, pid, remove } = service;
  return designateApi({ title: 'Zonewarden', url, headers, pid, remove });
}
