import {
  BadValue,
  choice,
  decimal,
  flag,
  httpUrl,
  integer,
  type Kind,
  listOf,
  required,
  text,
} from './kinds.ts';
import { option } from './option.ts';

/** A text that nobody is shown. */
export const secret: Kind<string> = { name: 'secret', read: text.read, shown: () => '' };

/** For an option that stands in the files of other services: only its harmless value is taken. */
export const neverTrue: Kind<false> = {
  name: 'false',
  read(value) {
    if (flag.read(value)) {
      throw new BadValue('No operation here may go on without a known caller: write false, or leave it out.');
    }
    return false;
  },
};

/** An origin, as a browser sends it: scheme, host and port. */
export const origin: Kind<string> = {
  name: 'origin or *',
  read(value) {
    if (value === '*' || (URL.canParse(value) && new URL(value).origin === value)) return value;
    throw new BadValue(
      'Write an origin in lower case, such as https://console.example.com, without a path; or *.',
    );
  },
};

const SECTION = 'keystone_authtoken';

/** The accounts and tokens of OpenStack's identity service. The names are keystonemiddleware's where it has the option. */
export const KEYSTONE_OPTIONS = {
  authStrategy: option(
    'service:api',
    'auth_strategy',
    listOf(choice(['token', 'keystone']), 1),
    'token',
    "The tokens that are accepted: the service's own (`zonewarden token create`), Keystone's, or both.",
  ),
  serviceType: option(
    'service:api',
    'service_type',
    required('text'),
    'dns',
    "The type of this service in Keystone's catalogue: what the access rules of application credentials name.",
  ),
  quotasVerifyProjectId: option(
    'service:api',
    'quotas_verify_project_id',
    flag,
    'false',
    'Whether a quota is set only for a project that Keystone knows. The account in [keystone_authtoken] must be allowed to read projects.',
  ),
  keystoneWwwAuthenticateUri: option(
    SECTION,
    'www_authenticate_uri',
    httpUrl,
    '',
    'The URL of Keystone that clients are told with a 401. Empty: auth_url.',
  ),
  keystoneAuthUrl: option(
    SECTION,
    'auth_url',
    httpUrl,
    '',
    'The URL of Keystone, with or without /v3, where the service gets its own token.',
  ),
  keystoneAuthType: option(
    SECTION,
    'auth_type',
    choice(['password', 'v3applicationcredential']),
    'password',
    'How the service gets its own token.',
  ),
  keystoneUsername: option(SECTION, 'username', text, '', 'The user of the service.'),
  keystonePassword: option(SECTION, 'password', secret, '', 'Its password.'),
  keystonePasswordFile: option(
    SECTION,
    'password_file',
    text,
    '',
    'A file with the password, instead of password. It is read again for each token of the service.',
  ),
  keystoneUserDomainName: option(
    SECTION,
    'user_domain_name',
    required('text'),
    'Default',
    'The domain of the user.',
  ),
  keystoneProjectName: option(
    SECTION,
    'project_name',
    text,
    '',
    'The project of the service, usually "service". Empty: its roles are those on the system.',
  ),
  keystoneProjectDomainName: option(
    SECTION,
    'project_domain_name',
    required('text'),
    'Default',
    'The domain of the project.',
  ),
  keystoneApplicationCredentialId: option(
    SECTION,
    'application_credential_id',
    text,
    '',
    'The id of the application credential of the service.',
  ),
  keystoneApplicationCredentialSecret: option(
    SECTION,
    'application_credential_secret',
    secret,
    '',
    'Its secret.',
  ),
  keystoneApplicationCredentialSecretFile: option(
    SECTION,
    'application_credential_secret_file',
    text,
    '',
    'A file with the secret, instead of application_credential_secret.',
  ),
  keystoneCafile: option(
    SECTION,
    'cafile',
    text,
    '',
    "A PEM file with the certificates that sign Keystone's. Empty: those that Node.js trusts.",
  ),
  keystoneCertfile: option(
    SECTION,
    'certfile',
    text,
    '',
    'A PEM file with the client certificate of the service.',
  ),
  keystoneKeyfile: option(SECTION, 'keyfile', text, '', 'A PEM file with its key.'),
  keystoneInsecure: option(
    SECTION,
    'insecure',
    flag,
    'false',
    "Whether Keystone's certificate is not verified. Whoever is between could read every token.",
  ),
  keystoneRegionName: option(
    SECTION,
    'region_name',
    text,
    '',
    'The region whose endpoint of Keystone is asked about tokens. Empty: any.',
  ),
  keystoneInterface: option(
    SECTION,
    'interface',
    choice(['', 'public', 'internal', 'admin']),
    '',
    "The endpoint in Keystone's catalogue that is asked about tokens. Empty: internal if there is a region_name, else auth_url, whatever the catalogue has.",
  ),
  keystoneHttpConnectTimeout: option(
    SECTION,
    'http_connect_timeout',
    decimal(0.1, 60),
    '5',
    'How long one question to Keystone may take, retries included, in seconds.',
  ),
  keystoneHttpRequestMaxRetries: option(
    SECTION,
    'http_request_max_retries',
    integer(0, 10),
    '3',
    'How often a question is repeated after a broken connection, or a 502, 503 or 504.',
  ),
  keystoneTokenCacheTime: option(
    SECTION,
    'token_cache_time',
    integer(-1, 86400),
    '300',
    'How long an answer about a token is kept, in seconds: the longest time for which a revoked token is still accepted. 0 or -1: not at all.',
  ),
  keystoneServiceTokenRoles: option(
    SECTION,
    'service_token_roles',
    listOf(required('text'), 1),
    'service',
    'The roles of services whose X-Service-Token lets an expired token through.',
  ),
  keystoneServiceTokenRolesRequired: option(
    SECTION,
    'service_token_roles_required',
    flag,
    'false',
    'Whether a request with an X-Service-Token without one of these roles gets 401.',
  ),
  keystoneDelayAuthDecision: option(
    SECTION,
    'delay_auth_decision',
    neverTrue,
    'false',
    'Known so that files of other services load. true is refused.',
  ),
  keystoneValidationsPerSecond: option(
    SECTION,
    'validations_per_second',
    integer(1, 1000000),
    '100',
    'Unknown tokens that are checked with Keystone in one second, by one process. Further ones get 503 with Retry-After.',
  ),
  keystoneValidationsPerAddress: option(
    SECTION,
    'validations_per_second_and_address',
    integer(1, 1000000),
    '50',
    'The same, for one address of clients.',
  ),
  corsAllowedOrigin: option(
    'cors',
    'allowed_origin',
    listOf(origin),
    '',
    'The origins of web pages that may use the API from browsers, such as https://console.example.com; * for all. Empty: none.',
  ),
} as const;
