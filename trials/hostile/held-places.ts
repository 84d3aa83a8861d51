/**
 * Four sockets of two projects hold the places of large imports, while another project imports a file of more than 1 MiB
 * once a second: first sockets that announce a large file and send one byte, then sockets that send more than 1 MiB and
 * stop. Prints how many imports were refused and after how many seconds the first was taken. Ends with 1 when one byte
 * holds a place, or when a socket that has stopped holds one for longer than the least rate allows.
 *
 *     npm run tools && node build/trials/hostile/held-places.js [--tries 20]
 */
import { type ClientRequest, request } from 'node:http';
import { parseArgs } from 'node:util';
import { type Client, connect } from '../../test/support/client.ts';
import { table } from '../../test/support/figures.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';

const { values: options } = parseArgs({ options: { tries: { type: 'string', default: '20' } } });
const tries = Number(options.tries);

const LARGE = 2_000_000;
/** More than a body may have without a place. */
const STOPPED_AT = 1_200_000;
/** How long a place may be held by a socket that has stopped, in seconds: two windows of the least rate, and some. */
const MOST_HELD = 12;

interface Held {
  readonly refused: number;
  /** Seconds until an import was taken; undefined if none was. */
  readonly taken: number | undefined;
}

const service = await startServiceProcess();
const url = new URL('/v2/zones/tasks/imports', service.url);
let made = 0;

function hold(token: string, bytes: number): ClientRequest {
  const headers = { 'x-auth-token': token, 'content-type': 'text/dns', 'content-length': LARGE };
  const holding = request(url, { method: 'POST', headers });
  holding.on('error', () => {});
  holding.write(Buffer.alloc(bytes, ';'));
  return holding;
}

function largeFile(): string {
  const name = `name-${++made}.example.`;
  return `$ORIGIN ${name}\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n; ${'x'.repeat(LARGE)}\n`;
}

/** Imports once a second, until one is taken. */
async function importBeside(client: Client): Promise<Held> {
  const began = performance.now();
  for (let refused = 0; refused < tries; refused++) {
    const headers = { 'content-type': 'text/dns' };
    const { status, text } = await client.send('POST', url.pathname, largeFile(), headers);
    if (status === 202) return { refused, taken: (performance.now() - began) / 1000 };
    if (status !== 503) throw new Error(`An import was answered ${status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return { refused: tries, taken: undefined };
}

async function tryWith(bytes: number, client: Client, tokens: readonly string[]): Promise<Held> {
  const sockets = tokens.flatMap((token) => [hold(token, bytes), hold(token, bytes)]);
  // Long enough for each to have arrived.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const held = await importBeside(client);
  for (const socket of sockets) socket.destroy();
  return held;
}

const client = connect(service.url, service.token('other', 'member'), 1);
const tokens = ['one', 'two'].map((project) => service.token(project, 'member'));
const oneByte = await tryWith(1, client, tokens);
const stopped = await tryWith(STOPPED_AT, client, tokens);
client.close();
await service.remove();

const row = (what: string, { refused, taken }: Held) => [
  what,
  String(refused),
  taken === undefined ? 'never' : `${taken.toFixed(1)} s`,
];
table(
  ['four sockets that sent', 'imports refused', 'first taken after'],
  [row('one byte each', oneByte), row('1.2 MB each', stopped)],
);
const isGood = oneByte.refused === 0 && stopped.taken !== undefined && stopped.taken <= MOST_HELD;
process.exitCode = isGood ? 0 : 1;
