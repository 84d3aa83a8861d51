import nameServersPage from '../../../docs/name-servers.md?url';
import { api, dataOf } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import type { Session } from '../../api/session.ts';
import { Notice } from '../../parts/notice.tsx';
import { Text } from '../../parts/text.tsx';

/** Warns those who can fix it that zones are published with name servers that do not exist. */
export function PlaceholderNotice({ session }: { readonly session: Session }) {
  const { data } = useFetched(
    (signal) => dataOf(api.GET('/v2/pools', { params: { query: { limit: 'max' } }, signal })),
    [session.token],
  );
  const pools = data?.pools.filter((pool) => pool.publishes_placeholder) ?? [];
  if (pools.length === 0) return null;
  return (
    <Notice tone="warn">
      {pools.map(({ id, name }) => (
        <p key={id}>
          <strong>
            Zones of the pool <Text text={name} /> do not resolve:
          </strong>{' '}
          they are published with the placeholder name server <code>ns1.invalid.</code>
        </p>
      ))}
      <p>
        Set <code>ns_records</code> in the pool file and run <code>zonewarden pool apply</code>, or set{' '}
        <code>[DEFAULT] ns_records</code> in the configuration and restart the service. To set up a new name
        server, run <code>zonewarden pool init --bind DIR --ns ns1.example.net.</code> to write its files; see{' '}
        <a href={nameServersPage} target="_blank" rel="noreferrer">
          docs/name-servers.md
        </a>
        .
      </p>
    </Notice>
  );
}
