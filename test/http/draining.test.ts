import { type IncomingMessage, request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { Draining } from '../../src/http/edge/draining.ts';
import { type OpenServer, openServer } from '../../src/http/edge/server.ts';
import { eventually } from '../support/eventually.ts';
import { SERVER_SETTINGS } from '../support/server-settings.ts';

const BODY = 'x'.repeat(1_000_000);

let server: OpenServer;
afterEach(() => server.drain());

it('the rest of a refused body is read piece by piece, also once the response is sent', async () => {
  const draining = new Draining();
  const pieces: number[] = [];
  let refused: IncomingMessage | undefined;
  server = await openServer(SERVER_SETTINGS);
  server.serve((incoming, response) => {
    refused = incoming;
    draining.add(incoming);
    // Node removes the listeners of a body that it discards.
    incoming.on('data', (piece: Buffer) => pieces.push(piece.length));
    response.writeHead(503).end();
  });
  const sent = request(server.url, { method: 'POST' });
  sent.on('response', (response) => response.resume());
  sent.end(BODY);
  await eventually(async () => (refused?.complete === true ? true : undefined));
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(BODY.length);
  expect(Math.max(...pieces)).toBeLessThanOrEqual(4096);
});
