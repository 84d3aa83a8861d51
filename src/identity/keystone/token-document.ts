import { isProjectId } from '../../model/project-id.ts';
import type { AccessRule } from './access-rules.ts';
import { UnexpectedResponse, UnusableDocument } from './trouble.ts';

/** An object whose name is unique within a domain. */
interface NamedReference {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

/** The parts of a Keystone token that this service uses. */
export interface KeystoneToken {
  readonly user: NamedReference;
  /** Undefined for an unscoped token, or one with another scope. */
  readonly project: NamedReference | undefined;
  readonly isForSystem: boolean;
  readonly roles: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly auditIds: readonly string[];
  /** The access rules of the token's application credential; undefined: the roles alone decide. */
  readonly accessRules: readonly AccessRule[] | undefined;
  /** True if it must not create credentials: it comes from a trust, or from a restricted application credential. */
  readonly isRestricted: boolean;
}

type DocumentObject = Readonly<Record<string, unknown>>;

/** Maximum length of an id or a name in Keystone. */
const LONGEST_TEXT = 255;
const MAX_ITEMS = 1000;

function nonsense(what: string): UnexpectedResponse {
  return new UnexpectedResponse(`Invalid response from Keystone: ${what}.`);
}

function objectOf(value: unknown, what: string): DocumentObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as DocumentObject;
  throw nonsense(`${what} is not an object`);
}

function textOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT) return value;
  throw nonsense(`${what} is not a string of 1 to ${LONGEST_TEXT} characters`);
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MAX_ITEMS) return value;
  throw nonsense(`${what} is not a list of at most ${MAX_ITEMS} items`);
}

function knownOf(value: unknown, what: string): NamedReference {
  const { id, name, domain } = objectOf(value, what);
  return {
    id: textOf(id, `the id of the ${what}`),
    name: textOf(name, `the name of the ${what}`),
    domain: textOf(objectOf(domain, `the domain of the ${what}`).name, `the domain of the ${what}`),
  };
}

function projectOf(value: unknown): NamedReference | undefined {
  if (value === undefined) return undefined;
  const project = knownOf(value, 'project');
  if (!isProjectId(project.id)) throw nonsense('the id of the project is invalid');
  return project;
}

function accessRuleOf(value: unknown): AccessRule {
  const { service, method, path } = objectOf(value, 'an access rule');
  return {
    service: textOf(service, 'the service of an access rule'),
    method: textOf(method, 'the method of an access rule'),
    path: textOf(path, 'the path of an access rule'),
  };
}

function accessRulesOf(credential: unknown): readonly AccessRule[] | undefined {
  if (credential === undefined) return undefined;
  const rules = objectOf(credential, 'the application credential').access_rules;
  if (rules === undefined || rules === null) return undefined;
  return listOf(rules, 'access_rules').map(accessRuleOf);
}

function timeOf(value: unknown): number {
  const time = Date.parse(textOf(value, 'expires_at'));
  if (Number.isNaN(time)) throw nonsense('expires_at is not a time');
  return time;
}

/**
 * Parses an answer as a JSON object.
 * @throws OddAnswer
 */
export function jsonOf(text: string): DocumentObject {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw nonsense('it is not JSON');
  }
  return objectOf(json, 'it');
}

/** When the token in an answer expires, in milliseconds since 1970. */
export function endOf(text: string): number {
  return timeOf(objectOf(jsonOf(text).token, 'token').expires_at);
}

/** The URL of a matching endpoint in an answer's catalogue, or undefined. */
export function endpointIn(
  text: string,
  type: string,
  { interface: wanted, region }: { readonly interface: string; readonly region: string },
): string | undefined {
  const services = listOf(objectOf(jsonOf(text).token, 'token').catalog ?? [], 'catalog');
  const endpoints = services
    .map((service) => objectOf(service, 'a service of the catalogue'))
    .filter((service) => service.type === type)
    .flatMap((service) => listOf(service.endpoints, 'endpoints'))
    .map((endpoint) => objectOf(endpoint, 'an endpoint'));
  const found = endpoints.find(
    (one) => one.interface === wanted && (region === '' || one.region === region || one.region_id === region),
  );
  return found === undefined ? undefined : textOf(found.url, 'the URL of an endpoint');
}

/** A trust, and an application credential that is restricted, as it is by default, cannot create credentials. */
function isRestricted(token: DocumentObject): boolean {
  if (token['OS-TRUST:trust'] !== undefined) return true;
  if (token.application_credential === undefined) return false;
  return objectOf(token.application_credential, 'the application credential').restricted !== false;
}

function contentsOf(token: DocumentObject): KeystoneToken {
  const roles = listOf(token.roles ?? [], 'roles').map((role) =>
    textOf(objectOf(role, 'a role').name, 'the name of a role'),
  );
  const isForSystem = token.system !== undefined && objectOf(token.system, 'system').all === true;
  return {
    user: knownOf(token.user, 'user'),
    project: projectOf(token.project),
    isForSystem,
    roles,
    expiresAt: timeOf(token.expires_at),
    auditIds: listOf(token.audit_ids ?? [], 'audit_ids').map((id) => textOf(id, 'an audit id')),
    accessRules: accessRulesOf(token.application_credential),
    isRestricted: isRestricted(token),
  };
}

/**
 * Parses the answer to `GET /v3/auth/tokens`.
 * @throws OddAnswer for anything else; UnusableDocument if it describes a token but cannot be used
 */
export function parseToken(text: string): KeystoneToken {
  const token = objectOf(jsonOf(text).token, 'token');
  try {
    return contentsOf(token);
  } catch (error) {
    throw error instanceof UnexpectedResponse ? new UnusableDocument(error.message) : error;
  }
}
