import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { round } from './api/connection.ts';
import { asProblem } from './api/problem.ts';
import { begin, end, keptToken, session } from './api/session.ts';
import { useCell } from './cell.ts';
import { callerOf, LoginForm } from './login.tsx';
import { Emblem } from './parts/emblem.tsx';
import { Results } from './parts/notice.tsx';
import { OutageBanner } from './parts/trouble.tsx';
import { followLinks } from './place.ts';
import { Shell } from './shell.tsx';

/**
 * Logs in with the token kept for this tab, if any. Retries while the service is unavailable.
 * @returns false until that is settled
 */
function useKeptToken(): boolean {
  const [isKnown, setKnown] = useState(() => keptToken() === undefined);
  const present = useCell(round);
  useLayoutEffect(() => {
    const token = keptToken();
    if (isKnown || token === undefined) return;
    callerOf(token).then(
      (caller) => {
        begin(token, caller, true);
        setKnown(true);
      },
      (error: unknown) => {
        if (asProblem(error).kind === 'away') return;
        end();
        setKnown(true);
      },
    );
  }, [present, isKnown]);
  return isKnown;
}

function LoginPage() {
  return (
    <main class="login-page">
      <div class="login-box">
        <h1 class="brand">
          <Emblem />
          Zonewarden
        </h1>
        <LoginForm />
      </div>
    </main>
  );
}

/** Repeats the markup of index.html until the session is known. */
function Opening() {
  return (
    <p class="opening brand">
      <Emblem />
      Zonewarden
    </p>
  );
}

/** The console: the login form, or the views. */
export function App() {
  const present = useCell(session);
  const isKnown = useKeptToken();
  useEffect(() => {
    document.addEventListener('click', followLinks);
    return () => document.removeEventListener('click', followLinks);
  }, []);
  return (
    <>
      <OutageBanner at={0} />
      {present !== undefined && <Shell session={present} />}
      {present === undefined && (isKnown ? <LoginPage /> : <Opening />)}
      <Results />
    </>
  );
}
