import type { JSX } from 'preact';
import { may, type Session } from './api/session.ts';
import type { ViewProps } from './view-props.ts';
import { BlacklistsView } from './views/blacklists/blacklists.tsx';
import { HistoryView } from './views/history/history.tsx';
import { NamesView } from './views/names/names.tsx';
import { OverviewView } from './views/overview/overview.tsx';
import { QuotasView } from './views/quotas/quotas.tsx';
import { TokensView } from './views/tokens/tokens.tsx';
import { ZonesView } from './views/zones/zones.tsx';

export interface View {
  /** First segment of the path; '' for the overview. */
  readonly path: string;
  readonly title: string;
  /** SVG path of the icon beside the title, in a 16 × 16 box. */
  readonly icon: string;
  /** The caller needs one of these rules; empty for a view that everyone may see. */
  readonly rules: readonly string[];
  readonly show: (props: ViewProps) => JSX.Element;
}

/** Every view, in the order of the navigation. */
export const VIEWS: readonly View[] = [
  {
    path: '',
    title: 'Overview',
    icon: 'M2 9h3v5H2zM6.5 5h3v9h-3zM11 2h3v12h-3z',
    rules: [],
    show: OverviewView,
  },
  {
    path: 'names',
    title: 'Names',
    icon: 'M7 2a5 5 0 1 0 3 9l3.5 3.5 1-1L11 10a5 5 0 0 0-4-8zm0 1.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
    rules: ['create_zone', 'check_blacklists'],
    show: NamesView,
  },
  {
    path: 'zones',
    title: 'Zones',
    icon: 'M2 2h12v3.3H2zM2 6.4h12v3.2H2zM2 10.7h12V14H2z',
    rules: ['find_zones'],
    show: ZonesView,
  },
  {
    path: 'blacklists',
    title: 'Blacklists',
    icon: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5c1.3 0 2.4.4 3.3 1.1L3.6 11.3A5.5 5.5 0 0 1 8 2.5zm0 11c-1.3 0-2.4-.4-3.3-1.1l7.7-7.7A5.5 5.5 0 0 1 8 13.5z',
    rules: ['find_blacklists'],
    show: BlacklistsView,
  },
  {
    path: 'quotas',
    title: 'Quotas',
    icon: 'M8 2a7 7 0 0 0-6.3 10h2A5.4 5.4 0 1 1 12.3 12h2A7 7 0 0 0 8 2zm3 3.6L7 9a1.4 1.4 0 1 0 2 1.8z',
    rules: ['get_usage'],
    show: QuotasView,
  },
  {
    path: 'history',
    title: 'History',
    icon: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM7.3 4v4.4l3.2 2 .8-1.2-2.5-1.6V4z',
    rules: ['find_events'],
    show: HistoryView,
  },
  {
    path: 'tokens',
    title: 'Tokens',
    icon: 'M5 5a3.5 3.5 0 1 0 3.3 4.7H10V12h2V9.7h1V12h2V7.7H8.3A3.5 3.5 0 0 0 5 5zm0 2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
    rules: ['list_tokens'],
    show: TokensView,
  },
];

/** Forms and pages within views that need their own rule. */
const RULES: readonly (readonly [path: RegExp, rule: string])[] = [
  [/^zones\/new$/, 'create_zone'],
  [/^zones\/import$/, 'create_zone_import'],
  [/^zones\/transfers(\/|$)/, 'find_zone_transfer_requests'],
  [/^zones\/transfers\/accept$/, 'create_zone_transfer_accept'],
  [/^zones\/[^/]+\/new$/, 'create_recordset'],
  [/^blacklists\/new$/, 'create_blacklist'],
  [/^blacklists\/import$/, 'import_blacklists'],
  [/^blacklists\/lists$/, 'find_blacklist_lists'],
  [/^quotas\/./, 'set_quota'],
  [/^tokens\/new$/, 'create_token'],
];

/** True if the caller may use a view. */
export function isOffered(session: Session, { rules }: View): boolean {
  return rules.length === 0 || rules.some((rule) => may(session, rule));
}

/** The view of a path; undefined if there is none, or the caller may not use it. */
export function viewAt(session: Session, path: string): View | undefined {
  const [first] = path.split('/', 1);
  const isDenied = RULES.some(([one, rule]) => one.test(path) && !may(session, rule));
  return isDenied ? undefined : VIEWS.find((view) => view.path === first && isOffered(session, view));
}
