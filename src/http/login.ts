import type { PasswordCredentials, PasswordLogin } from '../domain/access/password-login.ts';
import { object, text } from '../domain/shapes/shape.ts';
import { formatMicroseconds } from '../model/clock.ts';
import { textFault } from '../model/text.ts';
import { Unauthenticated } from './edge/access.ts';
import { jsonBody } from './edge/body.ts';
import { EdgeError } from './edge/errors.ts';
import type { PerAddress } from './edge/per-address.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { type Route, route } from './edge/route.ts';

const PATH = '/v2/login';
/** Maximum body size in bytes. It is small because the endpoint is public. */
const MAX_BYTES = 16_384;
/** Keystone's limits. */
const LONGEST_NAME = 255;
const LONGEST_PASSWORD = 4096;
const DEFAULT_DOMAIN = 'Default';

const WRONG =
  'Keystone rejected this user, password, domain or project. Check each of them; names are case-sensitive.';

const METHODS = ['token', 'password'] as const;

const nameOf = (description: string, example: string) =>
  text((given) => textFault(given, { min: 1, max: LONGEST_NAME }), {
    minLength: 1,
    maxLength: LONGEST_NAME,
    description,
    examples: [example],
  });
const password = text((given) => textFault(given, { min: 1, max: LONGEST_PASSWORD }), {
  minLength: 1,
  maxLength: LONGEST_PASSWORD,
  examples: ['correct horse battery staple'],
});

const credentials = object(
  { user: nameOf('User name.', 'alice'), password },
  {
    domain: nameOf(`Domain name of the user. Default: "${DEFAULT_DOMAIN}".`, DEFAULT_DOMAIN),
    project: nameOf("Project name. Default: the user's default project.", 'shop'),
    project_domain: nameOf('Domain name of the project. Default: the domain of the user.', DEFAULT_DOMAIN),
  },
);

const shownMethods = responseSchema.titled(
  'LoginMethods',
  responseSchema.object({ methods: responseSchema.list(responseSchema.choice(METHODS)) }),
);
const shownLogin = responseSchema.titled(
  'Login',
  responseSchema.object({
    token: responseSchema.text({ examples: ['gAAAAABn…'] }),
    expires_at: responseSchema.time,
  }),
);

/** Exchanges a user's password for a token. @throws EdgeError `too_many_requests`, Unauthenticated */
async function tokenFor(
  login: PasswordLogin,
  failures: PerAddress,
  credentials: PasswordCredentials,
): Promise<ResponseBody<typeof shownLogin>> {
  const { address } = credentials;
  // Checked before asking Keystone. Otherwise a blocked client could still recognize a correct guess.
  if (failures.isAtLimit(address)) throw new EdgeError('too_many_requests');
  const outcome = await login.login(credentials);
  if (outcome.kind === 'token') {
    return { token: outcome.text, expires_at: formatMicroseconds(outcome.endsAt * 1000) };
  }
  if (failures.isBeyondLimit(address)) throw new EdgeError('too_many_requests');
  throw new Unauthenticated('wrong_password', WRONG);
}

/**
 * Password login, forwarded to an identity provider.
 * @param login undefined if password login is not available
 * @param failures failed credentials per address, shared with token authentication
 */
export function loginRoutes(login: PasswordLogin | undefined, failures: PerAddress): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      guard: 'public',
      operationId: 'getLoginMethods',
      responses: responsesWith(200, shownMethods),
      handle: async () => ({
        status: 200,
        body: { methods: login === undefined ? (['token'] as const) : METHODS },
      }),
    }),
    route({
      method: 'POST',
      path: PATH,
      guard: 'public',
      operationId: 'logIn',
      body: jsonBody(credentials),
      maxBodySize: MAX_BYTES,
      responses: responsesWith(200, shownLogin),
      refusals: [
        'no_password_login',
        'unauthenticated',
        'too_many_requests',
        'identity_unavailable',
        'too_many_validations',
      ],
      async handle({ body, address }) {
        if (login === undefined) throw new EdgeError('no_password_login');
        const { user, password, domain = DEFAULT_DOMAIN, project: name, project_domain } = body;
        const project = name === undefined ? undefined : { name, domain: project_domain ?? domain };
        const granted = await tokenFor(login, failures, { user, password, domain, project, address });
        return { status: 200, headers: { 'cache-control': 'no-store' }, body: granted };
      },
    }),
  ];
}
