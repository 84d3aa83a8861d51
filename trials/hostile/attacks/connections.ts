import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { expectSuccess } from '../../../test/support/client.ts';
import { type Answers, type Attack, atOnce, pause } from '../attack.ts';
import { makeZone, type Site } from '../site.ts';

/** Opens a socket, sends the text, and leaves it open for so long. */
async function sendBytes(site: Site, text: string, milliseconds: number, reads: boolean): Promise<number> {
  const { hostname, port } = new URL(site.service.url);
  const socket: Socket = openSocket(Number(port), hostname);
  let received = 0;
  socket.on('error', () => {});
  if (reads)
    socket.on('data', (part) => {
      received += part.length;
    });
  else socket.pause();
  socket.write(text);
  await Promise.race([once(socket, 'close').catch(() => {}), pause(milliseconds)]);
  socket.destroy();
  return received;
}

function headOf(site: Site, method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${new URL(site.service.url).host}\r\nX-Auth-Token: ${site.token('attacker')}\r\n\r\n`;
}

/** Pipelines one request so many times on each of ten connections. */
function pipelining(
  name: string,
  title: string,
  count: number,
  head: (site: Site) => string,
  reads: boolean,
): Attack {
  return {
    name: `pipelined-${name}`,
    title,
    async prepare(site) {
      const attacker = site.client('attacker');
      const zone = await makeZone(attacker, 'hostile.example.');
      const texts = Array.from({ length: 100 }, (_, at) => at);
      for (const at of texts) {
        const recordset = {
          name: `n${at}.hostile.example.`,
          type: 'TXT',
          records: [`"${'a'.repeat(250)}" `.repeat(20)],
        };
        await expectSuccess(attacker, 'POST', `/v2/zones/${zone}/recordsets`, recordset);
      }
      const text = head(site).repeat(count);
      return async (answers: Answers) => {
        let received = 0;
        await atOnce(10, async () => {
          received += await sendBytes(site, text, 5000, reads);
        });
        answers.note(reads ? `${(received / 1e6).toFixed(1)} MB` : 'unread');
      };
    },
  };
}

const idle: Attack = {
  name: 'idle-connections',
  title: '2,000 connections that send half a head',
  async prepare(site) {
    return async (answers) => {
      await atOnce(2000, () => sendBytes(site, 'GET /v2/zones HTTP/1.1\r\nX-A: ', 6000, false));
      answers.note('2,000 opened');
    };
  },
};

export const CONNECTION_ATTACKS: readonly Attack[] = [
  pipelining(
    'lists',
    '10 connections, each with 300 pipelined lists of 500 kB',
    300,
    (site) => headOf(site, 'GET', '/v2/recordsets?limit=1000'),
    true,
  ),
  pipelining(
    'unread',
    'the same, unread',
    300,
    (site) => headOf(site, 'GET', '/v2/recordsets?limit=1000'),
    false,
  ),
  pipelining(
    'head',
    '10 connections, each with 2,000 pipelined HEAD of a counted list',
    2000,
    (site) => headOf(site, 'HEAD', '/v2/recordsets?limit=1000'),
    true,
  ),
  pipelining(
    'tokens',
    '10 connections, each with 2,000 pipelined requests with a wrong token',
    2000,
    (site) => headOf(site, 'GET', '/v2/zones').replace(/Token: .*/, 'Token: wrong\r'),
    true,
  ),
  idle,
];
