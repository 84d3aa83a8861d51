import * as resources from '../resources.ts';

/** Maps path segments that name a resource to the tag of its operations. */
const TAGS: Readonly<Record<string, string>> = {
  blacklists: 'Blacklists',
  zones: 'Zones',
  deleted_zones: 'Deleted zones',
  shares: 'Zone shares',
  guardrails: 'Guardrails',
  recordsets: 'Recordsets',
  nic: 'Recordsets',
  imports: 'Zone imports',
  exports: 'Zone exports',
  export: 'Zone exports',
  transfer_requests: 'Zone transfers',
  transfer_accepts: 'Zone transfers',
  changes: 'Changes',
  contents: 'Changes',
  diff: 'Changes',
  events: 'Events',
  statistics: 'Statistics',
  pools: 'Pools',
  service_statuses: 'Service statuses',
  service_status: 'Service statuses',
  caller: 'Callers',
  login: 'Callers',
  access: 'Callers',
  tokens: 'Tokens',
  usage: 'Quotas',
  tsigkeys: 'TSIG keys',
  quotas: 'Quotas',
  quota_defaults: 'Quotas',
  limits: 'Quotas',
  ...Object.fromEntries(Object.values(resources).flatMap(({ tags }) => Object.entries(tags))),
};
const OF_THE_SERVICE = 'Service';
/** Versioned paths that belong to the service, as all unversioned ones do. */
const SERVICE_PATHS = ['/v2', '/v2/openapi.json'];

/** The tag of an operation: that of the last resource in its path. */
export function tagOf(path: string): string {
  const tag = path
    .split('/')
    .map((part) => TAGS[part])
    .findLast((one) => one !== undefined);
  if (tag !== undefined) return tag;
  if (!/^\/v\d/.test(path) || SERVICE_PATHS.includes(path)) return OF_THE_SERVICE;
  throw new Error(`The resource of ${path} has no tag. Add it to TAGS in http/openapi/tags.ts.`);
}
