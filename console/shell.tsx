import { useEffect, useRef } from 'preact/hooks';
import { end, type Session } from './api/session.ts';
import { LoginForm } from './login.tsx';
import { isOffered, VIEWS, viewAt } from './navigation.tsx';
import { Dialog } from './parts/dialog.tsx';
import { Emblem } from './parts/emblem.tsx';
import { prepareForms, Text, visible } from './parts/text.tsx';
import { hrefOf, usePlace } from './place.ts';

/** "/" focuses the view's search field, unless the user is typing. */
function focusSearch(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const isWriting = target.matches('input:not([type=checkbox]), textarea, select');
  if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
  const search = document.querySelector<HTMLInputElement>('main [data-search]');
  if (search === null || document.querySelector('dialog[open]') !== null) return;
  event.preventDefault();
  search.focus();
  search.select();
}

function Navigation({ session, path }: { readonly session: Session; readonly path: string }) {
  const nav = useRef<HTMLElement>(null);
  // If not all links fit, scroll to the current one.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current!.scrollLeft = link.offsetLeft - (nav.current!.clientWidth - link.offsetWidth) / 2;
  }, [path]);
  return (
    <nav aria-label="Views" ref={nav}>
      <ul>
        {VIEWS.filter((view) => isOffered(session, view)).map((view) => (
          <li key={view.path}>
            <a href={hrefOf(view.path)} aria-current={view.path === path ? 'page' : undefined}>
              <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d={view.icon} />
              </svg>
              {view.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Account({ session: { caller } }: { readonly session: Session }) {
  const project = caller.project_name ?? caller.project_id ?? 'entire system';
  return (
    <div class="account">
      <p>
        <bdi class="project">{visible(project)}</bdi>
        <span class="quiet">
          <bdi>{visible(caller.user_name ?? caller.user_id)}</bdi> · <Text text={caller.roles.join(', ')} />
        </span>
      </p>
      <button type="button" onClick={end}>
        Log out
      </button>
    </div>
  );
}

function Nowhere() {
  return (
    <>
      <h1 tabIndex={-1}>Page not found</h1>
      <p>
        This page does not exist, or you lack access. <a href={hrefOf('')}>Go to the overview</a>.
      </p>
    </>
  );
}

/** The frame around the views. */
export function Shell({ session }: { readonly session: Session }) {
  const place = usePlace();
  const first = place.path.split('/', 1)[0] ?? '';
  const view = viewAt(session, place.path);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${view?.title ?? 'Page not found'} · Zonewarden`;
    // After navigation, focus the heading so that screen readers announce it; after login, start at the top.
    if (!isFirst.current) main.current?.querySelector('h1')?.focus();
    isFirst.current = false;
  }, [view]);
  useEffect(prepareForms, []);
  useEffect(() => {
    document.addEventListener('keydown', focusSearch);
    return () => document.removeEventListener('keydown', focusSearch);
  }, []);
  const Show = view?.show;
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="side">
        <a class="brand" href={hrefOf('')}>
          <Emblem />
          Zonewarden
        </a>
        <Navigation session={session} path={first} />
        <Account session={session} />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {Show === undefined ? <Nowhere /> : <Show session={session} place={place} />}
      </main>
      {session.isOver && (
        <Dialog title="Log in again">
          <LoginForm notice="Your token has expired or was revoked. Your work is still here." />
        </Dialog>
      )}
    </div>
  );
}
