/** What the policy table says about a request: the expectation of the access matrix, worked out beside the service. */

import { type Route, rulesOf } from '../../src/http/edge/route.ts';
import type { Caller } from '../../src/model/access/caller.ts';
import type { PolicyTarget } from '../../src/model/access/policy.ts';
import type { RuleName } from '../../src/model/access/rule-name.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import { OWNER, SHAREE } from './everything.ts';

const policy = loadPolicy();

/** Who asks, and for whom. Without a caller there are no valid credentials. */
export interface Asking {
  readonly caller: Caller | undefined;
  readonly allProjects?: true;
  /** The project that a sudo header names. */
  readonly sudo?: string;
}

/** `unseen` is 404, `foreign` 403. */
export type Outcome = 'allowed' | 'denied' | 'unseen' | 'foreign';

interface Acting {
  readonly caller: Caller;
  readonly projectId: string;
  readonly isEverywhere: boolean;
}

const isOneOf = (acting: Acting, ...projects: readonly string[]) =>
  acting.isEverywhere || projects.includes(acting.projectId);

const verdict = (isAllowed: boolean): Outcome => (isAllowed ? 'allowed' : 'denied');

/** What is asked about a zone, or about something in it. */
function inZone(acting: Acting, rule: RuleName, recordsetProjectId?: string): Outcome {
  if (!isOneOf(acting, OWNER, SHAREE)) return 'unseen';
  const isByShare = !isOneOf(acting, OWNER);
  const allows = (name: RuleName, target: PolicyTarget) => policy.allows(name, acting.caller, target);
  if (rule === 'find_zone_shares') {
    return verdict(allows('find_project_zone_share', { projectId: acting.projectId }));
  }
  const projectId = rule === 'find_recordsets' && isByShare ? acting.projectId : OWNER;
  return verdict(allows(rule, { projectId, zoneShared: isByShare ? 'True' : 'False', recordsetProjectId }));
}

/** What belongs to the owner and is seen by nobody else. */
function ofOwner(acting: Acting, rule: RuleName, ...seers: readonly string[]): Outcome {
  if (!isOneOf(acting, OWNER, ...seers)) return 'unseen';
  return verdict(policy.allows(rule, acting.caller, { projectId: OWNER }));
}

/** Anybody sees the outline of what is offered to anybody; its owner changes it. */
function ofRequest(acting: Acting, rule: RuleName): Outcome {
  if (rule === 'get_zone_transfer_request') return 'allowed';
  if (!isOneOf(acting, OWNER)) return 'foreign';
  return verdict(policy.allows(rule, acting.caller, { projectId: OWNER }));
}

/** Administrators see all events, or those of the project that they name; others see those of theirs. */
function ofEvent({ caller, projectId }: Acting): Outcome {
  const isNarrow = projectId !== caller.projectId || !policy.allows('find_all_events', caller, {});
  return isNarrow && projectId !== OWNER ? 'unseen' : 'allowed';
}

/** By the last parameter of a path: what is asked about the thing that it names. */
const THINGS: Readonly<Record<string, (acting: Acting, rule: RuleName, recordsetOf: string) => Outcome>> = {
  zone_id: (acting, rule) => inZone(acting, rule),
  recordset_id: inZone,
  zone_share_id: (acting, rule) => ofOwner(acting, rule, SHAREE),
  zone_transfer_request_id: ofRequest,
  zone_transfer_accept_id: (acting, rule) => ofOwner(acting, rule),
  zone_import_id: (acting, rule) => ofOwner(acting, rule),
  zone_export_id: (acting, rule) => ofOwner(acting, rule),
  change_id: (acting, rule) => inZone(acting, rule),
  preview_id: (acting, rule) => ofOwner(acting, rule),
  deleted_zone_id: (acting, rule) => ofOwner(acting, rule),
  event_id: ofEvent,
};

/** For whom the caller acts; undefined where it may not. */
function actingFor({ caller, allProjects, sudo }: Asking): Acting | undefined {
  if (caller === undefined) return undefined;
  const isOther = sudo !== undefined && sudo !== caller.projectId;
  if (isOther && !policy.allows('use_sudo', caller, {})) return undefined;
  if (allProjects && !policy.allows('all_tenants', caller, {})) return undefined;
  return { caller, projectId: sudo ?? caller.projectId, isEverywhere: allProjects === true };
}

function aboutThing(path: string, acting: Acting, rule: RuleName, recordsetOf: string): Outcome {
  // A recordset that is known only by its id: the answer is where it is.
  if (path === '/v2/recordsets/{recordset_id}') return isOneOf(acting, OWNER, SHAREE) ? 'allowed' : 'unseen';
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? '';
  return THINGS[last]?.(acting, rule, recordsetOf) ?? 'allowed';
}

const OWN_TOKENS: Readonly<Record<string, RuleName>> = {
  POST: 'create_own_token',
  GET: 'list_own_tokens',
  DELETE: 'revoke_own_token',
};

const isOfTokens = ({ path }: Route) => path.startsWith('/v2/tokens');

/** Administrators reach all tokens; members those of their project, and no other. */
function ofTokens({ method, path, guard }: Route, acting: Acting, target: PolicyTarget): Outcome {
  if (guard !== 'public' && policy.allows(guard.rule, acting.caller, target)) return 'allowed';
  const own = { projectId: acting.caller.projectId };
  if (acting.projectId !== own.projectId || !policy.allows(OWN_TOKENS[method]!, acting.caller, own))
    return 'denied';
  // The request is for the token of another project.
  if (method === 'POST') return 'denied';
  return path.includes('{') ? 'unseen' : 'allowed';
}

/** What the members of a project get who ask for the keys of others. Their list has none. */
const KEYS: Readonly<Record<string, Outcome>> = {
  'POST /v2/tsigkeys': 'denied',
  'GET /v2/tsigkeys/{tsigkey_id}': 'unseen',
  'DELETE /v2/tsigkeys/{tsigkey_id}': 'denied',
};

/** @param recordsetOf whose the recordset is that the path names */
export function expectationOf(route: Route, asking: Asking, recordsetOf: string): Outcome {
  const { guard, path } = route;
  if (guard === 'public') return 'allowed';
  const inPath = guard.about === 'project in path';
  const acting = actingFor(guard.about === 'acting project' ? asking : { caller: asking.caller });
  if (acting === undefined) return 'denied';
  const projectId = inPath ? OWNER : acting.projectId;
  const target = { projectId, recordsetProjectId: projectId };
  if (isOfTokens(route)) return ofTokens(route, acting, target);
  const isAllowed = (rule: RuleName) => policy.allows(rule, acting.caller, target);
  if (!rulesOf(guard).some(isAllowed)) return 'denied';
  // The keys of the matrix are the administrators', and for a pool.
  if (path.startsWith('/v2/tsigkeys') && !isAllowed(guard.rule))
    return KEYS[`${route.method} ${path}`] ?? 'allowed';
  if (path.endsWith('/usage')) return verdict(policy.allows('get_quotas', acting.caller, target));
  return aboutThing(path, acting, guard.rule, recordsetOf);
}
