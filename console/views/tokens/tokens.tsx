import { useState } from 'preact/hooks';
import { api, dataOf } from '../../api/client.ts';
import { type Fetched, useFetched } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Token } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { announce } from '../../parts/notice.tsx';
import { SearchField } from '../../parts/search.tsx';
import { type Column, listPlaceOf, markerIn, type Page, Table } from '../../parts/table.tsx';
import { Text, Time, visible } from '../../parts/text.tsx';
import { goTo, hrefOf, type Place } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';
import { TokenDialog } from './token-dialog.tsx';

const PATH = 'tokens';
const NEW = 'new';
const PER_PAGE = 50;
const SORT_KEYS = ['created_at', 'expires_at', 'project_id', 'user_id'] as const;

function useTokens({ query }: Place): Fetched<Page<Token>> {
  const { marker, sort_key, sort_dir, project_id, user_id } = Object.fromEntries(query);
  const asked = {
    limit: PER_PAGE,
    marker,
    sort_key: SORT_KEYS.find((key) => key === sort_key),
    sort_dir: sort_dir === 'desc' ? ('desc' as const) : ('asc' as const),
    project_id: project_id || undefined,
    user_id: user_id || undefined,
  };
  return useFetched(
    async (signal) => {
      const { tokens, links } = await dataOf(api.GET('/v2/tokens', { params: { query: asked }, signal }));
      return { rows: tokens, next: markerIn(links) };
    },
    [query.toString()],
  );
}

/** An API token contains its own id. */
const isOwn = ({ id }: Token, { token }: Session): boolean => token.split('_')[1] === id;

function columnsFor(session: Session, revoke: (token: Token) => void): Column<Token>[] {
  return [
    {
      title: 'Token',
      kind: 'wide',
      cell: (token) => (
        <>
          <code>{token.id}</code> {isOwn(token, session) && <span class="tag">yours</span>}
          <div class="quiet">
            <Text text={token.description} />
          </div>
        </>
      ),
    },
    { title: 'Project', sortKey: 'project_id', cell: ({ project_id }) => <Text text={project_id} /> },
    {
      title: 'User',
      sortKey: 'user_id',
      isSecondary: true,
      cell: ({ user_id }) => <Text text={user_id} />,
    },
    { title: 'Roles', cell: ({ roles }) => <Text text={roles.join(', ')} /> },
    {
      title: 'Created',
      sortKey: 'created_at',
      isSecondary: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      title: 'Expires',
      sortKey: 'expires_at',
      isSecondary: true,
      cell: ({ expires_at }) => <Time at={expires_at} />,
    },
    ...(may(session, 'revoke_token')
      ? [
          {
            title: 'Actions',
            kind: 'actions' as const,
            cell: (token: Token) => (
              <button type="button" class="plain" onClick={() => revoke(token)}>
                Revoke<span class="unseen"> {token.id}</span>
              </button>
            ),
          },
        ]
      : []),
  ];
}

async function revoked({ id }: Token): Promise<void> {
  await dataOf(api.DELETE('/v2/tokens/{token_id}', { params: { path: { token_id: id } } }));
  announce(
    <>
      Revoked <Text text={id} />
    </>,
  );
}

/** The API tokens of all projects, without their secrets. */
export function TokensView({ session, place: { path, query } }: ViewProps) {
  const place = { path: PATH, query };
  const { query: asked, filter } = listPlaceOf(place);
  const tokens = useTokens(place);
  const [leaving, setLeaving] = useState<Token>();
  const close = () => {
    goTo(hrefOf(PATH, asked));
    tokens.again();
  };
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Tokens</h1>
        {may(session, 'create_token') && (
          <a class="button primary" href={hrefOf(`${PATH}/${NEW}`, asked)}>
            Create token
          </a>
        )}
      </header>
      <search class="filters">
        <SearchField
          isFirst
          label="Project"
          placeholder="Project ID (* allowed)"
          value={asked.project_id ?? ''}
          onValue={(project_id) => filter({ project_id })}
        />
        <SearchField
          label="User"
          placeholder="User ID (* allowed)"
          value={asked.user_id ?? ''}
          onValue={(user_id) => filter({ user_id })}
        />
      </search>
      <Table
        caption="API tokens"
        columns={columnsFor(session, setLeaving)}
        asked={tokens}
        place={place}
        keyOf={({ id }) => id}
        things="tokens"
      />
      {path === `${PATH}/${NEW}` && <TokenDialog onClose={close} />}
      {leaving !== undefined && (
        <Confirm
          title="Revoke token"
          verb="Revoke"
          onConfirm={() => revoked(leaving).then(tokens.again)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            Requests with the token <code>{leaving.id}</code> of project{' '}
            <bdi>{visible(leaving.project_id)}</bdi> will be rejected.
            {isOwn(leaving, session) && ' You are logged in with this token.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
