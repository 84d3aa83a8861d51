import { OWNER } from '../everything.ts';
import { DAY, LARGE_ZONE, skewedId, skewedName } from './skewed-numbers.ts';

/**
 * What a list is sorted by in the order of an index, and filters of it that match something. Not those by the status and the
 * action of zones and recordsets: they are worked out from several tables.
 */
interface SkewedList {
  readonly keys: readonly string[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly isForMembers?: true | undefined;
}

const ZONE = skewedName(LARGE_ZONE);
const RECORDSETS: SkewedList = {
  keys: ['created_at'],
  filters: {
    name: [`r1501.${ZONE}`, 'r*'],
    type: ['A'],
    data: ['192.0.2.1'],
  },
  isForMembers: true,
};
const TASKS: SkewedList = {
  keys: ['created_at'],
  filters: { status: ['COMPLETE'] },
  isForMembers: true,
};

export const SKEWED_LISTS: Readonly<Record<string, SkewedList>> = {
  '/v2/blacklists': {
    keys: ['created_at', 'updated_at', 'pattern', 'id'],
    filters: { pattern: ['^never*'], list: ['skewed'] },
  },
  '/v2/blacklists/previews/{preview_id}/zones': { keys: ['name', 'id'], filters: { project_id: [OWNER] } },
  '/v2/zones': {
    keys: ['created_at', 'name'],
    filters: {
      ...{
        name: [ZONE, 'z*'],
        email: ['a@example.org'],
        ttl: ['3600'],
        type: ['PRIMARY'],
      },
      shared: ['true'],
    },
    isForMembers: true,
  },
  '/v2/zones/{zone_id}/shares': { keys: ['created_at'], filters: { target_project_id: ['p1'] } },
  '/v2/zones/{zone_id}/recordsets': { ...RECORDSETS, isForMembers: undefined },
  '/v2/recordsets': RECORDSETS,
  '/v2/deleted_zones': {
    keys: ['deleted_at'],
    filters: { name: ['d1500.example.'], type: ['PRIMARY'] },
    isForMembers: true,
  },
  '/v2/zones/tasks/imports': TASKS,
  '/v2/zones/tasks/exports': TASKS,
  '/v2/zones/tasks/transfer_requests': { ...TASKS, filters: { status: ['COMPLETE'] } },
  '/v2/zones/tasks/transfer_accepts': {
    ...TASKS,
    filters: { status: ['COMPLETE'] },
    isForMembers: undefined,
  },
  '/v2/pools': { keys: ['name'], filters: { name: ['default'] } },
  '/v2/events': {
    keys: ['position'],
    filters: {
      ...{
        type: ['zone.created', 'zone.*'],
        target: ['zone'],
        target_id: [skewedId(0, 1500)],
        target_name: [ZONE],
      },
      ...{ user_id: ['u7'], request_id: ['req-1500'], since: [DAY], until: [DAY] },
    },
    isForMembers: true,
  },
  '/v2/tlds': { keys: ['name', 'id'], filters: { name: ['t1500'] } },
  '/v2/tsigkeys': {
    keys: ['created_at', 'name'],
    filters: {
      name: ['k1500.'],
      algorithm: ['hmac-sha256'],
      scope: ['ZONE'],
      resource_id: [skewedId(0, 1500)],
    },
    isForMembers: true,
  },
  // No index has the tokens of a project in any order of the list.
  '/v2/tokens': { keys: [], filters: {} },
  '/v2/usage': { keys: ['percentage', 'project_id'], filters: { project_id: [OWNER] } },
};
