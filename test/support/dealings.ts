import type { TestService } from './service.ts';

export const REQUESTS = '/v2/zones/tasks/transfer_requests';
export const ACCEPTS = '/v2/zones/tasks/transfer_accepts';

/** Who deals: a service, and the tokens of who offers zones and who takes them, unless another is named. */
export interface Market {
  readonly service: TestService;
  readonly seller: string;
  readonly buyer: string;
}

let zonesMade = 0;

/** What the tests of transfers do again and again. */
export function dealings(market: () => Market) {
  const ask = (method: string, path: string, token: string, body?: unknown, headers = {}) =>
    market().service.request(method, path, { token, body, headers });
  return {
    ask,
    async makeZone(token = market().seller, name = `zone-${++zonesMade}.example.org.`) {
      const { json } = await ask('POST', '/v2/zones', token, { name, email: 'a@example.org' });
      return (await ask('GET', `/v2/zones/${json.id}`, token)).json;
    },
    addRecordset: (zone: { id: string; name: string }, token = market().seller) => {
      const recordset = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
      return ask('POST', `/v2/zones/${zone.id}/recordsets`, token, recordset);
    },
    offer: (zone: { id: string }, body?: object, token = market().seller) =>
      ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, token, body),
    accept: (request: { id: string; key: string }, token = market().buyer, key = request.key) =>
      ask('POST', ACCEPTS, token, { zone_transfer_request_id: request.id, key }),
    usedZones: async (project: string): Promise<number> =>
      (await ask('GET', `/v2/quotas/${project}/usage`, market().service.admin)).json.usage.zones,
  };
}
