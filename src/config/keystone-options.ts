import {
  choice,
  decimal,
  flag,
  httpUrl,
  InvalidValueError,
  integer,
  listOf,
  type OptionKind,
  required,
  text,
} from './kinds.ts';
import { option } from './option.ts';

/** Text that is never shown. */
export const secret: OptionKind<string> = { name: 'secret', read: text.read, shown: () => '' };

/** For an option that other services' files contain: only its harmless value is accepted. */
export const neverTrue: OptionKind<false> = {
  name: 'false',
  read(value) {
    if (flag.read(value)) {
      throw new InvalidValueError(
        'Must be false, because every operation needs an authenticated caller. Set false, or remove the option.',
      );
    }
    return false;
  },
};

/** An origin in the form that a browser sends: scheme, host and port. */
export const origin: OptionKind<string> = {
  name: 'origin or *',
  read(value) {
    if (value === '*' || (URL.canParse(value) && new URL(value).origin === value)) return value;
    throw new InvalidValueError(
      'Must be * or an origin in lower case without a path, such as https://console.example.com.',
    );
  },
};

const SECTION = 'keystone_authtoken';

/** The accounts and tokens of OpenStack's identity service. Options that keystonemiddleware also has keep its names. */
export const KEYSTONE_OPTIONS = {
  authStrategy: option(
    'service:api',
    'auth_strategy',
    listOf(choice(['token', 'keystone']), 1),
    'token',
    "Accepted tokens: the service's own (`zonewarden token create`), Keystone's, or both.",
  ),
  serviceType: option(
    'service:api',
    'service_type',
    required('text'),
    'dns',
    "Type of this service in Keystone's catalogue, used in access rules of application credentials.",
  ),
  quotasVerifyProjectId: option(
    'service:api',
    'quotas_verify_project_id',
    flag,
    'false',
    'Set quotas only for projects that exist in Keystone. The account in [keystone_authtoken] must be allowed to read projects.',
  ),
  keystoneWwwAuthenticateUri: option(
    SECTION,
    'www_authenticate_uri',
    httpUrl,
    '',
    'Keystone URL sent to clients with a 401. Empty: auth_url.',
  ),
  keystoneAuthUrl: option(
    SECTION,
    'auth_url',
    httpUrl,
    '',
    'Keystone URL where the service gets its own token, with or without /v3.',
  ),
  keystoneAuthType: option(
    SECTION,
    'auth_type',
    choice(['password', 'v3applicationcredential']),
    'password',
    'How the service authenticates to get its own token.',
  ),
  keystoneUsername: option(SECTION, 'username', text, '', 'User name of the service.'),
  keystonePassword: option(SECTION, 'password', secret, '', 'Password of the user.'),
  keystonePasswordFile: option(
    SECTION,
    'password_file',
    text,
    '',
    'File with the password, instead of password. Read again for each token request.',
  ),
  keystoneUserDomainName: option(
    SECTION,
    'user_domain_name',
    required('text'),
    'Default',
    'Domain of the user.',
  ),
  keystoneProjectName: option(
    SECTION,
    'project_name',
    text,
    '',
    'Project of the service, usually "service". Empty: a system-scoped token.',
  ),
  keystoneProjectDomainName: option(
    SECTION,
    'project_domain_name',
    required('text'),
    'Default',
    'Domain of the project.',
  ),
  keystoneApplicationCredentialId: option(
    SECTION,
    'application_credential_id',
    text,
    '',
    "ID of the service's application credential.",
  ),
  keystoneApplicationCredentialSecret: option(
    SECTION,
    'application_credential_secret',
    secret,
    '',
    'Secret of the application credential.',
  ),
  keystoneApplicationCredentialSecretFile: option(
    SECTION,
    'application_credential_secret_file',
    text,
    '',
    'File with the secret, instead of application_credential_secret.',
  ),
  keystoneCafile: option(
    SECTION,
    'cafile',
    text,
    '',
    "PEM file with the CA certificates for Keystone's certificate. Empty: the ones Node.js trusts.",
  ),
  keystoneCertfile: option(
    SECTION,
    'certfile',
    text,
    '',
    'PEM file with the client certificate of the service.',
  ),
  keystoneKeyfile: option(SECTION, 'keyfile', text, '', 'PEM file with the key of the client certificate.'),
  keystoneInsecure: option(
    SECTION,
    'insecure',
    flag,
    'false',
    'Disable TLS verification. Anyone on the network path could then read tokens.',
  ),
  keystoneRegionName: option(
    SECTION,
    'region_name',
    text,
    '',
    'Region of the Keystone endpoint used to validate tokens. Empty: any.',
  ),
  keystoneInterface: option(
    SECTION,
    'interface',
    choice(['', 'public', 'internal', 'admin']),
    '',
    'Interface of the Keystone endpoint used to validate tokens. Empty: internal if region_name is set, else auth_url regardless of the catalogue.',
  ),
  keystoneHttpConnectTimeout: option(
    SECTION,
    'http_connect_timeout',
    decimal(0.1, 60),
    '5',
    'Time limit of one Keystone request, retries included, in seconds.',
  ),
  keystoneHttpRequestMaxRetries: option(
    SECTION,
    'http_request_max_retries',
    integer(0, 10),
    '3',
    'Retries after a broken connection or a 502, 503 or 504.',
  ),
  keystoneTokenCacheTime: option(
    SECTION,
    'token_cache_time',
    integer(-1, 86400),
    '300',
    'How long a token validation is cached, in seconds. A revoked token stays valid for up to that long. 0 or -1: no cache.',
  ),
  keystoneServiceTokenRoles: option(
    SECTION,
    'service_token_roles',
    listOf(required('text'), 1),
    'service',
    'Service roles whose X-Service-Token allows an expired user token.',
  ),
  keystoneServiceTokenRolesRequired: option(
    SECTION,
    'service_token_roles_required',
    flag,
    'false',
    'Reject a request with 401 if its X-Service-Token has none of these roles.',
  ),
  keystoneDelayAuthDecision: option(
    SECTION,
    'delay_auth_decision',
    neverTrue,
    'false',
    'Accepted for compatibility; must be false.',
  ),
  keystoneValidationsPerSecond: option(
    SECTION,
    'validations_per_second',
    integer(1, 1000000),
    '100',
    'Uncached tokens that one process validates with Keystone per second. Password logins have their own limit, a quarter of this. Further requests wait up to 2 seconds, clients taking turns, then get 503 with Retry-After.',
  ),
  keystoneValidationsPerAddress: option(
    SECTION,
    'validations_per_second_and_address',
    integer(1, 1000000),
    '50',
    'Uncached tokens validated per second for one client address. Logins have their own, equal limit. Further requests get 503 with Retry-After.',
  ),
  corsAllowedOrigin: option(
    'cors',
    'allowed_origin',
    listOf(origin),
    '',
    'Origins of web pages that may call the API from a browser, such as https://console.example.com; * allows all. Empty: none.',
  ),
} as const;
