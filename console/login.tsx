import { useEffect, useRef, useState } from 'preact/hooks';
import { api, dataOf } from './api/client.ts';
import { askAgain } from './api/connection.ts';
import { useFetched } from './api/fetched.ts';
import { Problem } from './api/problem.ts';
import { begin } from './api/session.ts';
import type { Caller } from './api/types.ts';
import { useAction } from './parts/action.tsx';
import { CheckField, TextField } from './parts/field.tsx';
import { faultAt, ProblemNotice } from './parts/notice.tsx';

type Method = 'token' | 'password';

const PASSWORD_FIELDS = ['user', 'password', 'domain', 'project'];

/** The caller of a token. */
export async function callerOf(token: string): Promise<Caller> {
  return dataOf(api.GET('/v2/caller', { headers: { 'x-auth-token': token } }));
}

const NOT_TAKEN =
  'Invalid token: it may be mistyped, expired or revoked. Check for spaces, or ask for a new token.';

/** Shows an invalid token as an error of the form, not as the end of the session. */
function forPeople(error: unknown, method: Method): unknown {
  if (!(error instanceof Problem) || error.kind !== 'over') return error;
  const { hint } = error;
  return new Problem(
    'refused',
    method === 'token' ? NOT_TAKEN : error.message,
    hint === undefined ? {} : { hint },
  );
}

interface Password {
  readonly user: string;
  readonly password: string;
  readonly domain: string;
  readonly project: string;
}

async function tokenFor({ user, password, domain, project }: Password): Promise<string> {
  const body = {
    user,
    password,
    ...(domain === '' ? {} : { domain }),
    ...(project === '' ? {} : { project }),
  };
  return (await dataOf(api.POST('/v2/login', { body }))).token;
}

function PasswordFields({
  given,
  onGiven,
  problem,
}: {
  readonly given: Password;
  onGiven(given: Password): void;
  readonly problem: Problem | undefined;
}) {
  const field = (key: keyof Password) => ({
    value: given[key],
    onValue: (value: string) => onGiven({ ...given, [key]: value }),
    fault: faultAt(problem, key),
  });
  return (
    <>
      <TextField label="User" required autocomplete="username" {...field('user')} />
      <TextField
        label="Password"
        required
        type="password"
        autocomplete="current-password"
        {...field('password')}
      />
      <div class="side-by-side">
        <TextField label="Domain" placeholder="Default" {...field('domain')} />
        <TextField label="Project" placeholder="user's default" {...field('project')} />
      </div>
    </>
  );
}

function Methods({ chosen, onChoose }: { readonly chosen: Method; onChoose(method: Method): void }) {
  const texts = { token: 'Token', password: 'User and password' } as const;
  return (
    <fieldset class="segments">
      <legend class="unseen">Login method</legend>
      {(['password', 'token'] as const).map((method) => (
        <button key={method} type="button" aria-pressed={method === chosen} onClick={() => onChoose(method)}>
          {texts[method]}
        </button>
      ))}
    </fieldset>
  );
}

/** The login form. */
export function LoginForm({ notice }: { readonly notice?: string }) {
  const methods = useFetched((signal) => dataOf(api.GET('/v2/login', { signal })), []);
  const hasPasswords = methods.data?.methods.includes('password') ?? false;
  const [chosen, setChosen] = useState<Method>();
  const [token, setToken] = useState('');
  const [given, setGiven] = useState<Password>({ user: '', password: '', domain: '', project: '' });
  const [isKept, setKept] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const method = chosen ?? (hasPasswords ? 'password' : 'token');
  const login = useAction(async () => {
    try {
      const text = method === 'token' ? token.trim() : await tokenFor(given);
      begin(text, await callerOf(text), isKept);
      askAgain();
    } catch (error) {
      throw forPeople(error, method);
    }
  });
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input')?.focus(), [method]);

  return (
    <form
      class="login"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void login.run();
      }}
    >
      {notice !== undefined && <p>{notice}</p>}
      {hasPasswords && <Methods chosen={method} onChoose={setChosen} />}
      {method === 'token' ? (
        <TextField
          label="Token"
          required
          type="password"
          value={token}
          onValue={setToken}
          note="An API token or Keystone token. The first admin token is in admin.token in the service's data folder."
        />
      ) : (
        <PasswordFields given={given} onGiven={setGiven} problem={login.problem} />
      )}
      <CheckField label="Stay logged in while this tab is open" isOn={isKept} onChange={setKept} />
      <ProblemNotice problem={login.problem} besides={PASSWORD_FIELDS} />
      <button type="submit" class="primary" disabled={login.isRunning}>
        Log in
      </button>
    </form>
  );
}
