/** A Designate as a source, through version 2 of its API. */
import type { AdoptionSource, Given } from '../domain/adoption/source.ts';
import { isObject, type Shape } from '../domain/shapes/shape.ts';
import { DesignateConnection } from './connection.ts';
import { listed } from './pages.ts';
import type { DesignateSettings, TokenSource } from './settings.ts';
import {
  blacklistShape,
  poolShape,
  quotasShape,
  readGiven,
  tldShape,
  transferRequestShape,
  tsigKeyShape,
} from './shapes.ts';
import { recordsetShape, shareShape, zoneShapeFor } from './zone-shapes.ts';

export interface Designate extends AdoptionSource {
  close(): void;
}

/** Opens no connection; the first request does. */
export function designateAt(settings: DesignateSettings, token: TokenSource): Designate {
  const connection = new DesignateConnection(settings, token);

  async function* all<T extends NonNullable<unknown>>(
    path: string,
    key: string,
    shapeFor: (given: unknown) => Shape<T>,
  ): AsyncGenerator<Given<T>, void> {
    for await (const item of listed(connection, path, key, settings.pageSize))
      yield readGiven(shapeFor(item), item);
  }

  async function answerTo(path: string, isCounted = false) {
    const asked = await connection.ask(path, isCounted);
    if (!asked.ok) throw connection.unexpected(path, asked);
    return asked.body;
  }

  return {
    async countZones() {
      const { metadata } = await answerTo('/zones?limit=1', true);
      const count = isObject(metadata) ? metadata.total_count : undefined;
      return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined;
    },
    pools: () => all('/pools', 'pools', () => poolShape),
    tsigKeys: () => all('/tsigkeys', 'tsigkeys', () => tsigKeyShape),
    quotas: async (projectId) =>
      readGiven(quotasShape, await answerTo(`/quotas/${encodeURIComponent(projectId)}`)),
    zones: () => all('/zones', 'zones', zoneShapeFor),
    recordsets: (zoneId) => all(`/zones/${zoneId}/recordsets`, 'recordsets', () => recordsetShape),
    shares: (zoneId) => all(`/zones/${zoneId}/shares`, 'shared_zones', () => shareShape),
    transferRequests: () =>
      all('/zones/tasks/transfer_requests', 'transfer_requests', () => transferRequestShape),
    tlds: () => all('/tlds', 'tlds', () => tldShape),
    blacklists: () => all('/blacklists', 'blacklists', () => blacklistShape),
    close: () => connection.close(),
  };
}
