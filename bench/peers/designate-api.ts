import { connect, expectSuccess } from '../../test/support/client.ts';
import type { Peer } from './peer.ts';

/** A server that speaks Designate's API. */
export function designateApi(server: Pick<Peer, 'title' | 'url' | 'headers' | 'pid' | 'remove'>): Peer {
  const client = connect(server.url, '', 1, server.headers);
  /** Ids by name: a client of this API keeps them. */
  const ids = new Map<string, string>();
  const idOf = (name: string) => ids.get(name)!;
  return {
    ...server,
    requests: {
      create: (zone) => {
        return { method: 'POST', path: '/v2/zones', body: { name: zone, email: 'a@example.org' } };
      },
      write: (zone, name, address) => {
        const path = `/v2/zones/${idOf(zone)}/recordsets/${idOf(name)}`;
        return { method: 'PUT', path, body: { records: [address] } };
      },
      find: (zone) => ({ method: 'GET', path: `/v2/zones?name=${zone}` }),
      recordsets: (zone) => ({ method: 'GET', path: `/v2/zones/${idOf(zone)}/recordsets?limit=100` }),
      list: () => ({ method: 'GET', path: '/v2/zones?limit=1000' }),
    },
    async learn(zone) {
      const found = await expectSuccess(client, 'GET', `/v2/zones?name=${zone}`);
      const { id } = found.zones[0];
      ids.set(zone, id);
      const listed = await expectSuccess(client, 'GET', `/v2/zones/${id}/recordsets?limit=1000`);
      for (const one of listed.recordsets) if (one.type === 'A') ids.set(one.name, one.id);
    },
    async makeRecordset(zone, name, address) {
      const body = { name, type: 'A', records: [address] };
      await expectSuccess(client, 'POST', `/v2/zones/${idOf(zone)}/recordsets`, body);
    },
    async remove() {
      client.close();
      await server.remove();
    },
  };
}
